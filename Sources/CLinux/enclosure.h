#ifndef UNDERSTUDY_CLINUX_ENCLOSURE_H
#define UNDERSTUDY_CLINUX_ENCLOSURE_H

// Starts a command in user, mount and network namespaces of its own.
//
// A process with threads cannot enter a user namespace, so its child does. Between fork() and exec
// the child makes system calls only: locks of other threads may be held for ever in it.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

extern int unshare(int);
extern int execvpe(const char *, char *const[], char *const[]);

struct clinux_mount { const char *source, *target; };

struct clinux_port { int is_ipv6, is_datagram, is_loopback; unsigned short number; };

struct clinux_enclosure {
  const struct clinux_mount *mounts;
  size_t mount_count;
  const struct clinux_port *ports;
  size_t port_count;
  // The lines of /proc/self/uid_map and gid_map that give the command its own user and group.
  const char *user_map, *group_map;
  char *const *words, *const *environment;
  int is_apart, prints_to_errors, is_root;
};

enum clinux_step {
  CLINUX_SOCKET, CLINUX_READY, CLINUX_NAMESPACES, CLINUX_USER, CLINUX_MOUNT, CLINUX_NETWORK,
  CLINUX_LISTEN, CLINUX_RUN
};

// What the child says: a step with a socket, that all is ready, or which step failed.
struct clinux_report { int step, index, error; };

static inline int clinux_send_report(int channel, int step, int index, int error, int descriptor) {
  struct clinux_report report = {step, index, error};
  struct iovec part = {&report, sizeof(report)};
  union { struct cmsghdr head; char room[CMSG_SPACE(sizeof(int))]; } control;
  struct msghdr message;
  __builtin_memset(&message, 0, sizeof(message));
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    __builtin_memset(&control, 0, sizeof(control));
    message.msg_control = control.room;
    message.msg_controllen = sizeof(control.room);
    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    control.head.cmsg_len = CMSG_LEN(sizeof(int));
    __builtin_memcpy(CMSG_DATA(&control.head), &descriptor, sizeof(int));
  }
  return sendmsg(channel, &message, MSG_NOSIGNAL) == (ssize_t)sizeof(report) ? 0 : -1;
}

// Returns the size of a report, 0 at the end. The descriptor is -1 if there is none with it.
static inline long clinux_receive_report(int channel, struct clinux_report *report, int *descriptor) {
  struct iovec part = {report, sizeof(*report)};
  union { struct cmsghdr head; char room[CMSG_SPACE(sizeof(int))]; } control;
  struct msghdr message;
  __builtin_memset(&message, 0, sizeof(message));
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.room;
  message.msg_controllen = sizeof(control.room);
  *descriptor = -1;
  ssize_t count;
  do count = recvmsg(channel, &message, MSG_CMSG_CLOEXEC); while (count < 0 && errno == EINTR);
  if (count <= 0) return count;
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  if (head && head->cmsg_type == SCM_RIGHTS) __builtin_memcpy(descriptor, CMSG_DATA(head), sizeof(int));
  return count;
}

static inline int clinux_write_file(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return -1;
  size_t count = __builtin_strlen(text);
  int result = write(file, text, count) == (ssize_t)count ? 0 : -1;
  close(file);
  return result;
}

// Lets every address of a family lead to this machine, from its own loopback address.
static inline int clinux_route_everything(int is_ipv6) {
  struct {
    struct nlmsghdr head;
    struct rtmsg route;
    struct rtattr device_head;
    int device;
    struct rtattr source_head;
    unsigned char source[16];
  } request;
  unsigned short source_count = is_ipv6 ? 16 : 4;
  __builtin_memset(&request, 0, sizeof(request));
  request.head.nlmsg_len = (unsigned)(sizeof(request) - sizeof(request.source)) + source_count;
  request.head.nlmsg_type = RTM_NEWROUTE;
  request.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_ACK;
  request.route.rtm_family = is_ipv6 ? AF_INET6 : AF_INET;
  request.route.rtm_table = RT_TABLE_LOCAL;
  request.route.rtm_protocol = RTPROT_STATIC;
  request.route.rtm_scope = RT_SCOPE_HOST;
  request.route.rtm_type = RTN_LOCAL;
  request.device_head.rta_len = RTA_LENGTH(sizeof(int));
  request.device_head.rta_type = RTA_OIF;
  request.device = 1;
  request.source_head.rta_len = RTA_LENGTH(source_count);
  request.source_head.rta_type = RTA_PREFSRC;
  if (is_ipv6) {
    request.source[15] = 1;
  } else {
    request.source[0] = 127;
    request.source[3] = 1;
  }
  int channel = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
  if (channel < 0) return -1;
  struct { struct nlmsghdr head; struct nlmsgerr error; char room[512]; } response;
  int result = -1;
  if (send(channel, &request, request.head.nlmsg_len, 0) >= 0 &&
      recv(channel, &response, sizeof(response), 0) >= (ssize_t)NLMSG_LENGTH(sizeof(int)) &&
      response.head.nlmsg_type == NLMSG_ERROR) {
    result = response.error.error == 0 ? 0 : -1;
    errno = -response.error.error;
  }
  close(channel);
  return result;
}

static inline int clinux_raise_loopback(void) {
  struct ifreq request;
  __builtin_memset(&request, 0, sizeof(request));
  __builtin_memcpy(request.ifr_name, "lo", 3);
  int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (any < 0) return -1;
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  int result = ioctl(any, SIOCSIFFLAGS, &request);
  close(any);
  return result;
}

static inline int clinux_listen(const struct clinux_port *port) {
  int kind = port->is_datagram ? SOCK_DGRAM : SOCK_STREAM;
  int family = port->is_ipv6 ? AF_INET6 : AF_INET;
  int made = socket(family, kind | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (made < 0) return -1;
  int yes = 1;
  setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  int result;
  if (port->is_ipv6) {
    struct sockaddr_in6 address;
    __builtin_memset(&address, 0, sizeof(address));
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(port->number);
    setsockopt(made, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof(yes));
    result = bind(made, (const struct sockaddr *)&address, sizeof(address));
  } else {
    struct sockaddr_in address;
    __builtin_memset(&address, 0, sizeof(address));
    address.sin_family = AF_INET;
    address.sin_port = htons(port->number);
    address.sin_addr.s_addr = htonl(port->is_loopback ? INADDR_LOOPBACK : INADDR_ANY);
    result = bind(made, (const struct sockaddr *)&address, sizeof(address));
  }
  if (result == 0 && !port->is_datagram) result = listen(made, 4096);
  if (result == 0) return made;
  int error = errno;
  close(made);
  errno = error;
  return -1;
}

// Does what the child does up to the command; returns only if a step fails, with that step.
static inline int clinux_enclose(const struct clinux_enclosure *plan, int channel, int *index) {
  const int mounts = 0x00020000, user = 0x10000000, network = 0x40000000;  // CLONE_NEW…
  *index = 0;
  if (plan->is_apart) setpgid(0, 0);
  // Root needs no users of its own, where it has the right to the rest.
  if (!plan->is_root || unshare(mounts | network) != 0) {
    if (unshare(user | mounts | network) != 0) return CLINUX_NAMESPACES;
    clinux_write_file("/proc/self/setgroups", "deny");
    if (clinux_write_file("/proc/self/uid_map", plan->user_map) != 0) return CLINUX_USER;
    if (clinux_write_file("/proc/self/gid_map", plan->group_map) != 0) return CLINUX_USER;
  }
  if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return CLINUX_NAMESPACES;
  for (; *index < (int)plan->mount_count; ++*index) {
    const struct clinux_mount *one = &plan->mounts[*index];
    if (mount(one->source, one->target, NULL, MS_BIND, NULL) != 0) return CLINUX_MOUNT;
  }
  *index = 0;
  if (clinux_raise_loopback() != 0) return CLINUX_NETWORK;
  if (clinux_route_everything(0) != 0) return CLINUX_NETWORK;
  clinux_route_everything(1);  // Some machines have no IPv6.
  for (; *index < (int)plan->port_count; ++*index) {
    int made = clinux_listen(&plan->ports[*index]);
    if (made < 0 && plan->ports[*index].is_ipv6) continue;
    if (made < 0) return CLINUX_LISTEN;
    if (clinux_send_report(channel, CLINUX_SOCKET, *index, 0, made) != 0) _exit(127);
    close(made);
  }
  *index = 0;
  char word;
  if (clinux_send_report(channel, CLINUX_READY, 0, 0, -1) != 0) _exit(127);
  // The end of the channel is that of the process that wanted the command.
  while (read(channel, &word, 1) != 1) if (errno != EINTR) _exit(127);
  if (plan->is_apart) {
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  }
  if (plan->prints_to_errors) dup2(STDERR_FILENO, STDOUT_FILENO);
  // We block signals and ignore SIGPIPE; a command expects neither.
  signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execvpe(plan->words[0], plan->words, plan->environment);
  return CLINUX_RUN;
}

// Starts the child, which sends reports through its end of the channel and goes on at a byte from
// there. Returns its number, or -1.
static inline int clinux_fork_enclosed(
    const struct clinux_enclosure *plan, int channel, int other_end) {
  int number = fork();
  if (number != 0) return number;
  close(other_end);
  int index, step = clinux_enclose(plan, channel, &index);
  clinux_send_report(channel, step, index, errno, -1);
  _exit(127);
}

#endif
