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
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

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

// Closes these descriptors and those above in a child; -1 if the C library is too old to.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int)
    __attribute__((weak));
static inline int clinux_close_from(posix_spawn_file_actions_t *actions, int first) {
  if (!posix_spawn_file_actions_addclosefrom_np) return -1;
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

// From now on, other processes without special rights cannot look into this one.
static inline void clinux_hide(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

// From now on, processes below this one that lose their parents become its children.
static inline int clinux_adopt_orphans(void) {
  return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

// 0 if the kernel has no Landlock.
static inline long clinux_landlock_version(void) {
  long version = syscall(444, NULL, 0L, 1L);
  return version < 0 ? 0 : version;
}

// From now on, this thread and what it starts can neither gain rights, such as by sudo, nor look
// into processes that it did not start, nor (since Linux 6.12) send them signals.
static inline void clinux_fence(void) {
  // CAP_SYS_PTRACE, CAP_SYS_ADMIN and CAP_PERFMON, by which root looks into any process.
  const int rights[] = {19, 21, 38};
  for (int index = 0; index < 3; index++) prctl(PR_CAPBSET_DROP, rights[index], 0, 0, 0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // Any Landlock domain is such a barrier. Before 6.12 it has to forbid an operation on files, and
  // this is one that nobody needs: making block devices.
  struct { unsigned long long files, network, scopes; } rules = {0, 0, 0};
  long version = clinux_landlock_version();
  if (version == 0) return;
  if (version >= 6) rules.scopes = 1 << 1; else rules.files = 1 << 11;
  int descriptor = (int)syscall(444, &rules, sizeof(rules), 0L);
  if (descriptor < 0) return;
  syscall(446, (long)descriptor, 0L);
  close(descriptor);
}

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
