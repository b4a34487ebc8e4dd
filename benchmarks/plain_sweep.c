/* A plain single-threaded sweep of sabotage: the exact margin of every state.
 *
 * A slot is 0 when empty or 1 + digit, a state is a number in base 11, slot 0 leading. Placing a digit only ever makes
 * that number larger, so one loop from the last state down to the first finds every option already solved.
 * Slots 0-3 are the first seat's board, 4-7 the second's; the margin is the second's number minus the first's.
 *
 * cc -O2 plain_sweep.c -o plain_sweep && ./plain_sweep [dump file]
 */
#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SLOTS = 8, BASE = 11, DIGITS = 10, COPIES = 2 };

static const int weight[SLOTS] = {-1000, -100, -10, -1, 1000, 100, 10, 1};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    double start = now();
    long step[SLOTS], size = 1;
    for (int s = SLOTS - 1; s >= 0; s--) {
        step[s] = size;
        size *= BASE;
    }
    int16_t *margin = malloc((size_t)size * sizeof *margin);
    if (!margin)
        return 1;

    int slot[SLOTS], used[DIGITS] = {0}, over = 0, filled = SLOTS;
    for (int s = 0; s < SLOTS; s++)
        slot[s] = DIGITS;
    used[DIGITS - 1] = SLOTS;
    over = 1; /* how many digits are used more often than the pool holds them */

    long states = 0;
    for (long state = size - 1; state >= 0; state--) {
        if (!over) {
            int value;
            states++;
            if (filled == SLOTS) {
                value = 0;
                for (int s = 0; s < SLOTS; s++)
                    value += weight[s] * (slot[s] - 1);
            } else if (filled % 2 == 0) {
                value = INT16_MIN;
                for (int s = 0; s < SLOTS; s++)
                    if (!slot[s])
                        for (int d = 0; d < DIGITS; d++)
                            if (used[d] < COPIES) {
                                int option = margin[state + (d + 1) * step[s]];
                                if (option > value)
                                    value = option;
                            }
            } else {
                value = INT16_MAX;
                for (int s = 0; s < SLOTS; s++)
                    if (!slot[s])
                        for (int d = 0; d < DIGITS; d++)
                            if (used[d] < COPIES) {
                                int option = margin[state + (d + 1) * step[s]];
                                if (option < value)
                                    value = option;
                            }
            }
            margin[state] = (int16_t)value;
        }
        for (int s = SLOTS - 1; s >= 0; s--) { /* count the slots down by one */
            if (slot[s]) {
                int d = slot[s]-- - 1;
                if (used[d]-- == COPIES + 1)
                    over--;
                if (d == 0)
                    filled--;
                else if (used[d - 1]++ == COPIES)
                    over++;
                break;
            }
            slot[s] = DIGITS;
            filled++;
            if (used[DIGITS - 1]++ == COPIES)
                over++;
        }
    }
    printf("{\"states\": %ld, \"margin\": %d, \"seconds\": %.3f}\n", states, margin[0], now() - start);
    if (argc > 1) {
        FILE *out = fopen(argv[1], "wb");
        if (!out || fwrite(margin, sizeof *margin, (size_t)size, out) != (size_t)size || fclose(out))
            return 1;
    }
    return 0;
}
