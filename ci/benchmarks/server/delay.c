// A minimal server for delayed responses: epoll, and one timerfd set to the first pending response.
// `delay <port> <milliseconds> <file with the body>`. As every delay is the same, responses are due
// in the order of the requests.
#define _GNU_SOURCE
#include <netinet/tcp.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "responding.h"

enum { waiting_max = 1 << 16 };

static struct {
  int client;
  int64_t due;
} waiting[waiting_max];
static unsigned first, end;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void set(int timer) {
  struct itimerspec next = {0};
  if (first != end) {
    int64_t due = waiting[first % waiting_max].due;
    next.it_value = (struct timespec){due / 1000000000, due % 1000000000};
  }
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &next, NULL);
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  read_response(arguments[3]);
  int64_t delay = atol(arguments[2]) * 1000000LL;
  int on = 1, listener = listen_on(atoi(arguments[1]), 0);
  int poller = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[256];
  epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
  event.data.fd = timer;
  epoll_ctl(poller, EPOLL_CTL_ADD, timer, &event);
  for (;;) {
    int ready = epoll_wait(poller, events, 256, -1);
    int64_t time = now();
    for (int k = 0; k < ready; k++) {
      int client = events[k].data.fd;
      char input[4096];
      if (client == timer) {
        uint64_t expirations;
        if (read(timer, &expirations, sizeof expirations) < 0) continue;
        for (; first != end && waiting[first % waiting_max].due <= now(); first++)
          send(waiting[first % waiting_max].client, response, response_count, MSG_NOSIGNAL);
        set(timer);
      } else if (client == listener) {
        while ((client = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
          setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
          event = (struct epoll_event){.events = EPOLLIN, .data.fd = client};
          epoll_ctl(poller, EPOLL_CTL_ADD, client, &event);
        }
      } else if (recv(client, input, sizeof input, 0) <= 0) {
        close(client);
      } else {
        // A request is far smaller than the kernel's buffers, so it arrives in one piece.
        waiting[end % waiting_max].client = client;
        waiting[end++ % waiting_max].due = time + delay;
        if (end - first == 1) set(timer);
      }
    }
  }
}
