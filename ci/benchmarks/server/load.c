// Requests a fixed number of responses from a server on this machine and prints the elapsed seconds.
// `load <port> <requests> <connections> <depth> <file with a path per line>`
//
// Every connection sends `depth` requests at once and waits for all their responses, using the paths
// in turn. Any response other than 200 with a Content-Length ends it.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { input_max = 256 << 10, request_max = 512 };

struct connection {
  int descriptor, awaited;
  size_t held;
  char *input;
};

static char *requests;
static size_t request_count, next_request;
static long left_to_send;
static int depth;

static void fail(const char *what) {
  fprintf(stderr, "load: %s\n", what);
  exit(1);
}

static void read_paths(const char *path, int port) {
  FILE *file = fopen(path, "r");
  if (!file) fail("no file with paths");
  size_t room = 0;
  char line[256];
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    if (request_count == room) {
      room = room ? 2 * room : 16;
      requests = realloc(requests, room * request_max);
    }
    snprintf(requests + request_max * request_count++, request_max,
             "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUser-Agent: understudy-bench/1.0\r\n"
             "Accept: */*\r\n\r\n",
             line, port);
  }
  fclose(file);
  if (!request_count) fail("no paths");
}

static void ask(struct connection *connection) {
  char batch[64 * request_max];
  size_t count = 0;
  for (; connection->awaited < depth && left_to_send > 0; left_to_send--, connection->awaited++) {
    const char *request = requests + request_max * next_request;
    size_t length = strlen(request);
    memcpy(batch + count, request, length);
    count += length;
    next_request = (next_request + 1) % request_count;
  }
  if (count && send(connection->descriptor, batch, count, MSG_NOSIGNAL) != (ssize_t)count)
    fail("cannot send");
}

// Consumes complete responses at the start of the buffer; returns how many.
static int take(struct connection *connection) {
  static const char field[] = "\r\nContent-Length: ";
  char *start = connection->input, *end = start + connection->held, *blank;
  int count = 0;
  while ((blank = memmem(start, (size_t)(end - start), "\r\n\r\n", 4))) {
    char *length = memmem(start, (size_t)(blank - start), field, sizeof field - 1);
    if (!length || memcmp(start, "HTTP/1.1 200 ", 13)) fail("a response is not as expected");
    long body = strtol(length + sizeof field - 1, NULL, 10);
    if (end - (blank + 4) < body) break;
    start = blank + 4 + body;
    count++;
  }
  connection->held = (size_t)(end - start);
  memmove(connection->input, start, connection->held);
  return count;
}

int main(int count, char **arguments) {
  if (count != 6) return 2;
  int port = atoi(arguments[1]), connection_count = atoi(arguments[3]);
  left_to_send = atol(arguments[2]);
  depth = atoi(arguments[4]);
  if (depth < 1 || depth > 64 || connection_count < 1) return 2;
  read_paths(arguments[5], port);
  long left = left_to_send;
  int poller = epoll_create1(0), on = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct connection *connections = calloc((size_t)connection_count, sizeof *connections);
  for (int k = 0; k < connection_count; k++) {
    struct connection *each = &connections[k];
    each->descriptor = socket(AF_INET, SOCK_STREAM, 0);
    each->input = malloc(input_max);
    if (connect(each->descriptor, (struct sockaddr *)&address, sizeof address))
      fail("cannot connect");
    setsockopt(each->descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = each};
    epoll_ctl(poller, EPOLL_CTL_ADD, each->descriptor, &event);
  }
  struct timespec began, ended;
  clock_gettime(CLOCK_MONOTONIC, &began);
  for (int k = 0; k < connection_count; k++) ask(&connections[k]);
  struct epoll_event events[256];
  while (left > 0) {
    int ready = epoll_wait(poller, events, 256, 10000);
    if (ready <= 0) fail("no response for ten seconds");
    for (int k = 0; k < ready; k++) {
      struct connection *each = events[k].data.ptr;
      ssize_t received = recv(each->descriptor, each->input + each->held, input_max - each->held, 0);
      if (received <= 0) fail("the server closed the connection");
      each->held += (size_t)received;
      int taken = take(each);
      each->awaited -= taken;
      left -= taken;
      if (each->awaited == 0) ask(each);
    }
  }
  clock_gettime(CLOCK_MONOTONIC, &ended);
  printf("%.6f\n", (double)(ended.tv_sec - began.tv_sec) + (double)(ended.tv_nsec - began.tv_nsec) * 1e-9);
}
