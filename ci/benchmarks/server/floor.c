// A minimal keep-alive server: epoll, read, look for the blank line, send a fixed response. `floor
// <port> <file with the body> [two]`. What a real server costs beyond it is the cost of its
// features. With `two`, a second process shares the port.
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "responding.h"

enum { connections_max = 4096, input_max = 16 << 10, output_max = 256 << 10 };

static struct {
  char *bytes;
  size_t count;
} inputs[connections_max];
static char output[output_max];

// The responses are small and the client reads them before its next request, so the kernel has room.
static void serve(int client) {
  char *bytes = inputs[client].bytes;
  size_t *held = &inputs[client].count;
  ssize_t received = recv(client, bytes + *held, input_max - *held, 0);
  if (received <= 0) {
    if (received < 0 && errno == EAGAIN) return;
    close(client);
    return;
  }
  *held += (size_t)received;
  char *start = bytes, *end = bytes + *held, *blank;
  size_t written = 0;
  while ((blank = memmem(start, (size_t)(end - start), "\r\n\r\n", 4))) {
    start = blank + 4;
    if (written + response_count > output_max) abort();
    memcpy(output + written, response, response_count);
    written += response_count;
  }
  *held = (size_t)(end - start);
  if (*held) memmove(bytes, start, *held);
  if (written && send(client, output, written, MSG_NOSIGNAL) != (ssize_t)written) close(client);
}

int main(int count, char **arguments) {
  if (count != 3 && count != 4) return 2;
  if (count == 4 && fork() == 0) prctl(PR_SET_PDEATHSIG, SIGTERM);
  read_response(arguments[2]);
  int on = 1, listener = listen_on(atoi(arguments[1]), count == 4);
  int poller = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[256];
  epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
  for (;;) {
    int ready = epoll_wait(poller, events, 256, -1);
    for (int k = 0; k < ready; k++) {
      if (events[k].data.fd != listener) {
        serve(events[k].data.fd);
        continue;
      }
      int client;
      while ((client = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        if (client >= connections_max) abort();
        setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (!inputs[client].bytes) inputs[client].bytes = malloc(input_max);
        inputs[client].count = 0;
        event = (struct epoll_event){.events = EPOLLIN, .data.fd = client};
        epoll_ctl(poller, EPOLL_CTL_ADD, client, &event);
      }
    }
  }
}
