// Times the start of a minimal server: bind, listen, accept, send, in one thread with its client.
// `begin <file with the body> <rounds>` prints the seconds of the median round.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "responding.h"

static const char request[] = "GET /shop/items/0 HTTP/1.1\r\nHost: x\r\n\r\n";

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void check(int succeeded) {
  if (succeeded) return;
  perror("begin");
  exit(1);
}

static double round_seconds(void) {
  char buffer[8192];
  double began = now();
  int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  check(!bind(listener, (struct sockaddr *)&address, length) && !listen(listener, 1024));
  check(!getsockname(listener, (struct sockaddr *)&address, &length));
  check(!connect(client, (struct sockaddr *)&address, length));
  check(send(client, request, sizeof request - 1, 0) > 0);
  int server = accept(listener, NULL, NULL);
  check(recv(server, buffer, sizeof buffer, 0) > 0);
  check(send(server, response, response_count, 0) == (ssize_t)response_count);
  check(recv(client, buffer, sizeof buffer, 0) == (ssize_t)response_count);
  double seconds = now() - began;
  close(client);
  close(server);
  close(listener);
  return seconds;
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  read_response(arguments[1]);
  int rounds = atoi(arguments[2]);
  double *seconds = calloc((size_t)rounds, sizeof *seconds);
  for (int k = 0; k < rounds; k++) seconds[k] = round_seconds();
  qsort(seconds, (size_t)rounds, sizeof *seconds, compare);
  printf("%.7f\n", seconds[rounds / 2]);
}
