#ifndef UNDERSTUDY_CLINUX_SHIM_H
#define UNDERSTUDY_CLINUX_SHIM_H

// Declarations missing from Swift's Glibc module. _GNU_SOURCE stays undefined: with it, types
// shared with Glibc would differ from that module's copy; what it would declare is declared here
// instead.
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>

extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int mallopt(int, int);
extern void *memmem(const void *, size_t, const void *, size_t);
extern int pipe2(int[2], int);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
extern int epoll_pwait2(int, struct epoll_event *, int, const struct timespec *, const sigset_t *)
    __attribute__((weak));

// Waits with the kernel's full resolution, or in whole milliseconds (rounded up) where the kernel
// or the C library is too old.
static inline int clinux_epoll_wait(int epoll, struct epoll_event *events, int count_max,
                                    long long timeout_ns) {
  if (timeout_ns < 0) return epoll_wait(epoll, events, count_max, -1);
  if (epoll_pwait2) {
    struct timespec timeout = {timeout_ns / 1000000000, timeout_ns % 1000000000};
    int count = epoll_pwait2(epoll, events, count_max, &timeout, NULL);
    if (count >= 0 || errno != ENOSYS) return count;
  }
  long long timeout_ms = (timeout_ns + 999999) / 1000000;
  return epoll_wait(epoll, events, count_max, timeout_ms > 1000000 ? 1000000 : (int)timeout_ms);
}

// A descriptor that becomes readable when the process ends; -1 on kernels older than 5.3.
extern long syscall(long, ...);
static inline int clinux_pidfd_open(int process) { return (int)syscall(434, process, 0); }

// A global variable, which Swift treats as shared mutable state: we never write to it.
extern char **environ;
static inline char **clinux_environ(void) { return environ; }

// Blocks of this size and more go back to the kernel as soon as they are freed. By default, glibc
// raises the size with every such block, and keeps those below it: up to 32 MB each.
static inline void clinux_return_blocks(int byte_count) {
#ifdef __GLIBC__
  mallopt(-3, byte_count);      // M_MMAP_THRESHOLD
  mallopt(-1, 2 * byte_count);  // M_TRIM_THRESHOLD, which would no longer follow
#else
  (void)byte_count;
#endif
}

// The heap of a thread other than the first grows by a few pages, with a system call each time. A
// block that is allocated and freed leaves room for many small ones.
static inline void clinux_make_room(size_t byte_count) {
  void *volatile block = malloc(byte_count);
  free(block);
}

#endif
