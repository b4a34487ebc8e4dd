/* Preloaded into a process, writes down what it does to the files of one folder: in order, and with the data. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct entry {
    char kind[8];
    uint64_t file, at, length; /* inode; offset or size; bytes that follow */
};

/* Held during a call and its note, so that the notes are in the order of the calls. */
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];
static int notes = -1;

#define REAL(type, name) ((type)dlsym(RTLD_NEXT, name))

static void put(const void *bytes, size_t count) {
    const char *from = bytes;
    while (count > 0) {
        ssize_t done = REAL(ssize_t(*)(int, const void *, size_t), "write")(notes, from, count);
        if (done <= 0)
            abort(); /* a recording with a hole is worse than none */
        from += done;
        count -= (size_t)done;
    }
}

static void note(const char *kind, uint64_t file, uint64_t at, const void *bytes, size_t count) {
    struct entry entry = {.file = file, .at = at, .length = count};
    memcpy(entry.kind, kind, strnlen(kind, sizeof entry.kind));
    put(&entry, sizeof entry);
    put(bytes, count);
}

void record(const char *of, const char *to) {
    notes = REAL(int (*)(const char *, int, ...), "open")(to, O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0600);
    if (notes < 0)
        abort();
    strncpy(folder, of, sizeof folder - 1);
}

/* What the process itself wants to have said, between its calls. */
void mark(const char *text) {
    pthread_mutex_lock(&order);
    note("mark", 0, 0, text, strlen(text));
    pthread_mutex_unlock(&order);
}

/* Ends the process between two calls, never between a call and its note. */
void leave(void) {
    pthread_mutex_lock(&order);
    _exit(0);
}

/* The name of a path in the folder: "" for the folder itself, NULL for what is elsewhere. */
static const char *inside(const char *path) {
    size_t length = strlen(folder);
    if (notes < 0 || strncmp(path, folder, length) != 0)
        return NULL;
    return path[length] == '/' ? path + length + 1 : path[length] == '\0' ? path + length : NULL;
}

/* The inode of an open file of the folder, or 0; the folder's own is told apart by its kind of note. */
static uint64_t known(int file, int *is_folder) {
    char link[64], path[PATH_MAX];
    struct stat about;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = notes < 0 ? -1 : readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = '\0';
    const char *name = inside(path);
    if (name == NULL || fstat(file, &about) != 0)
        return 0;
    *is_folder = *name == '\0';
    return about.st_ino;
}

static int opens(const char *call, const char *path, int flags, mode_t mode) {
    pthread_mutex_lock(&order);
    int was_there = access(path, F_OK) == 0, is_folder = 0;
    int file = REAL(int (*)(const char *, int, ...), call)(path, flags, mode);
    const char *name = inside(path);
    if (file >= 0 && name != NULL && *name != '\0') {
        uint64_t number = known(file, &is_folder);
        if (!was_there)
            note("create", number, 0, name, strlen(name));
        else if (flags & O_TRUNC)
            note("size", number, 0, "", 0);
    }
    pthread_mutex_unlock(&order);
    return file;
}

#define OPENS(call)                                                                                                    \
    int call(const char *path, int flags, ...) {                                                                       \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;                                                      \
        va_end(more);                                                                                                  \
        return opens(#call, path, flags, mode);                                                                        \
    }
OPENS(open)
OPENS(open64)

#define WRITES(call)                                                                                                   \
    ssize_t call(int file, const void *bytes, size_t count, off_t at) {                                                \
        int is_folder;                                                                                                 \
        pthread_mutex_lock(&order);                                                                                    \
        uint64_t number = known(file, &is_folder);                                                                     \
        ssize_t done = REAL(ssize_t(*)(int, const void *, size_t, off_t), #call)(file, bytes, count, at);              \
        if (number != 0 && done > 0)                                                                                   \
            note("write", number, (uint64_t)at, bytes, (size_t)done);                                                  \
        pthread_mutex_unlock(&order);                                                                                  \
        return done;                                                                                                   \
    }
WRITES(pwrite)
WRITES(pwrite64)

ssize_t write(int file, const void *bytes, size_t count) {
    int is_folder;
    uint64_t number = known(file, &is_folder);
    if (number == 0) /* a pipe may keep us waiting, and the others must not wait with us */
        return REAL(ssize_t(*)(int, const void *, size_t), "write")(file, bytes, count);
    pthread_mutex_lock(&order);
    ssize_t done = REAL(ssize_t(*)(int, const void *, size_t), "write")(file, bytes, count);
    if (done > 0)
        note("write", number, (uint64_t)(lseek(file, 0, SEEK_CUR) - done), bytes, (size_t)done);
    pthread_mutex_unlock(&order);
    return done;
}

#define SIZES(call)                                                                                                    \
    int call(int file, off_t size) {                                                                                   \
        int is_folder;                                                                                                 \
        pthread_mutex_lock(&order);                                                                                    \
        uint64_t number = known(file, &is_folder);                                                                     \
        int done = REAL(int (*)(int, off_t), #call)(file, size);                                                       \
        if (number != 0 && done == 0)                                                                                  \
            note("size", number, (uint64_t)size, "", 0);                                                               \
        pthread_mutex_unlock(&order);                                                                                  \
        return done;                                                                                                   \
    }
SIZES(ftruncate)
SIZES(ftruncate64)

#define SYNCS(call)                                                                                                    \
    int call(int file) {                                                                                               \
        int is_folder;                                                                                                 \
        pthread_mutex_lock(&order);                                                                                    \
        uint64_t number = known(file, &is_folder);                                                                     \
        int done = REAL(int (*)(int), #call)(file);                                                                    \
        if (number != 0 && done == 0)                                                                                  \
            note(is_folder ? "folder" : "sync", number, 0, "", 0);                                                     \
        pthread_mutex_unlock(&order);                                                                                  \
        return done;                                                                                                   \
    }
SYNCS(fsync)
SYNCS(fdatasync)

int unlink(const char *path) {
    pthread_mutex_lock(&order);
    const char *name = inside(path);
    int done = REAL(int (*)(const char *), "unlink")(path);
    if (name != NULL && done == 0)
        note("unlink", 0, 0, name, strlen(name));
    pthread_mutex_unlock(&order);
    return done;
}

int rename(const char *from, const char *to) {
    pthread_mutex_lock(&order);
    const char *old = inside(from), *new = inside(to);
    int done = REAL(int (*)(const char *, const char *), "rename")(from, to);
    if (old != NULL && new != NULL && done == 0) {
        char both[2 * PATH_MAX];
        note("rename", 0, 0, both, (size_t)snprintf(both, sizeof both, "%s/%s", old, new));
    }
    pthread_mutex_unlock(&order);
    return done;
}
