// The thread sanitizer sees the atomic operations of Synchronization.Mutex in our own code, but not
// those in the library, which matter when two threads compete for a lock. These two functions
// shadow the library's and report to the sanitizer what happens there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SELF __attribute__((swift_context)) void *self

typedef __attribute__((swiftcall)) void (*Lock)(uint32_t thread, SELF);
typedef __attribute__((swiftcall)) void (*Unlock)(SELF);

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

__attribute__((swiftcall)) void lock(uint32_t thread, SELF) __asm__(LOCK);
__attribute__((swiftcall)) void unlock(SELF) __asm__(UNLOCK);

__attribute__((swiftcall)) void lock(uint32_t thread, SELF) {
  ((Lock)dlsym(RTLD_NEXT, LOCK))(thread, self);
  __tsan_acquire(self);
}

__attribute__((swiftcall)) void unlock(SELF) {
  __tsan_release(self);
  ((Unlock)dlsym(RTLD_NEXT, UNLOCK))(self);
}
