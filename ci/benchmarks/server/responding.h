// Shared by the C servers: the fixed response, and a socket that listens on loopback.
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static char response[8192];
static size_t response_count;

static inline void read_response(const char *path) {
  char body[4096];
  FILE *file = fopen(path, "r");
  if (!file) exit(2);
  size_t count = fread(body, 1, sizeof body, file);
  fclose(file);
  response_count = (size_t)sprintf(response,
                                 "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                                 "Content-Length: %zu\r\n"
                                 "Date: Fri, 20 Nov 2026 12:00:00 GMT\r\n\r\n",
                                 count);
  memcpy(response + response_count, body, count);
  response_count += count;
}

static inline int listen_on(int port, int shares_port) {
  int on = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (shares_port) setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((unsigned short)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4096)) {
    perror("listen");
    exit(1);
  }
  return listener;
}
