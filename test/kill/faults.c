/*
 * Makes one system call on a file below FAULT_DIR fail, the FAULT_AT-th of those that change something on
 * disk, or, with FAULT_UNTIL, all from then on for as long as that file is not there. Loaded with
 * LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static long count = 0;

static int is_below(const char *path) {
  const char *dir = getenv("FAULT_DIR");
  return dir != NULL && path != NULL && strncmp(path, dir, strlen(dir)) == 0;
}

static int is_below_fd(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_below(path);
}

/* Whether this call is to fail; sets errno. */
static int fails(int counted) {
  if (!counted) return 0;
  const char *at = getenv("FAULT_AT"), *code = getenv("FAULT_ERRNO"), *until = getenv("FAULT_UNTIL");
  long now = __sync_add_and_fetch(&count, 1);
  if (at == NULL || atol(at) == 0) return 0;
  int hit = until == NULL ? now == atol(at) : now >= atol(at) && access(until, F_OK) != 0;
  if (hit) errno = code == NULL ? ENOSPC : atoi(code);
  return hit;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t size) {
  return fails(is_below_fd(fd)) ? -1 : REAL(write)(fd, data, size);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
  return fails(is_below_fd(fd)) ? -1 : REAL(pwrite)(fd, data, size, at);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
  return fails(is_below_fd(fd)) ? -1 : REAL(pwrite64)(fd, data, size, at);
}
ssize_t writev(int fd, const struct iovec *parts, int many) {
  return fails(is_below_fd(fd)) ? -1 : REAL(writev)(fd, parts, many);
}
int fsync(int fd) { return fails(is_below_fd(fd)) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails(is_below_fd(fd)) ? -1 : REAL(fdatasync)(fd); }
int rename(const char *from, const char *to) {
  return fails(is_below(from) || is_below(to)) ? -1 : REAL(rename)(from, to);
}

/* How many there were, for whoever counts first. */
__attribute__((destructor)) static void report(void) {
  const char *file = getenv("FAULT_COUNT");
  if (file == NULL) return;
  FILE *out = fopen(file, "w");
  if (out == NULL) return;
  fprintf(out, "%ld", count);
  fclose(out);
}
