// Opens connections and sends one request on each, spread evenly over a time, for a response that is
// delayed. `wait <port> <path> <connections> <spread in ms> <delay in ms> <process of the server>`
//
// Prints how late the responses were, in microseconds: the median, the 99th percentile and the last;
// and the server's memory per connection, in bytes: idle and waiting.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void fail(const char *what) {
  fprintf(stderr, "wait: %s\n", what);
  exit(1);
}

static long resident(const char *process) {
  char path[64];
  long pages = 0;
  snprintf(path, sizeof path, "/proc/%s/statm", process);
  FILE *file = fopen(path, "r");
  if (!file || fscanf(file, "%*d %ld", &pages) != 1) fail("no such process");
  fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

static int compare(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

int main(int count, char **arguments) {
  if (count != 7) return 2;
  int total = atoi(arguments[3]), poller = epoll_create1(0);
  int64_t spread = atol(arguments[4]) * 1000000LL, delay = atol(arguments[5]) * 1000000LL;
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((unsigned short)atoi(arguments[1])),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int *sockets = calloc((size_t)total, sizeof *sockets);
  int64_t *asked = calloc((size_t)total, sizeof *asked), *late = calloc((size_t)total, sizeof *late);
  char request[512], response[8192];
  int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", arguments[2]);
  long before = resident(arguments[6]);
  for (int k = 0; k < total; k++) {
    sockets[k] = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(sockets[k], (struct sockaddr *)&address, sizeof address)) fail("cannot connect");
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)k};
    epoll_ctl(poller, EPOLL_CTL_ADD, sockets[k], &event);
  }
  usleep(200000);
  long idle = resident(arguments[6]), waiting = 0;
  int64_t began = now();
  struct epoll_event events[256];
  for (int sent = 0, received = 0; received < total;) {
    int64_t time = now();
    for (; sent < total && began + spread / total * sent <= time; sent++) {
      asked[sent] = now();
      if (send(sockets[sent], request, (size_t)length, 0) != length) fail("cannot send");
    }
    if (!waiting && time >= began + (spread < delay ? spread : delay) - 10000000)
      waiting = resident(arguments[6]);
    int ready = epoll_wait(poller, events, 256, sent < total ? 1 : 10000);
    if (ready < 0 || (ready == 0 && sent == total)) fail("no response for ten seconds");
    for (int k = 0; k < ready; k++) {
      uint32_t number = events[k].data.u32;
      if (recv(sockets[number], response, sizeof response, 0) <= 0) fail("the server closed a connection");
      if (memcmp(response, "HTTP/1.1 200 ", 13)) fail("a response is not as expected");
      late[received++] = now() - asked[number] - delay;
    }
  }
  qsort(late, (size_t)total, sizeof *late, compare);
  printf("%ld %ld %ld %ld %ld\n", (long)(late[total / 2] / 1000), (long)(late[total * 99 / 100] / 1000),
         (long)(late[total - 1] / 1000), (idle - before) / total, (waiting - before) / total);
}
