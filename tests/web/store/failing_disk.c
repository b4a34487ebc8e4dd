/* Preloaded into a process, lets the nth write, sync or truncation of its files fail once; 0 lets all succeed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <sys/types.h>

static atomic_long left;
static int number;
static int half; /* a failing write leaves half of its bytes behind */

void fail_at(long nth, int error, int short_write) {
    number = error;
    half = short_write;
    atomic_store(&left, nth);
}

long fails_left(void) { return atomic_load(&left); }

static int fails(void) {
    if (atomic_load(&left) <= 0 || atomic_fetch_sub(&left, 1) != 1)
        return 0;
    errno = number;
    return 1;
}

typedef ssize_t (*writes)(int, const void *, size_t, off_t);

static ssize_t written(const char *name, int file, const void *bytes, size_t count, off_t at) {
    writes real = (writes)dlsym(RTLD_NEXT, name);
    if (!fails())
        return real(file, bytes, count, at);
    if (half && count > 1)
        real(file, bytes, count / 2, at);
    errno = number;
    return -1;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
    return written("pwrite", file, bytes, count, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off_t at) {
    return written("pwrite64", file, bytes, count, at);
}

int fsync(int file) { return fails() ? -1 : ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file); }

int fdatasync(int file) { return fails() ? -1 : ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file); }

int ftruncate64(int file, off_t size) {
    return fails() ? -1 : ((int (*)(int, off_t))dlsym(RTLD_NEXT, "ftruncate64"))(file, size);
}
