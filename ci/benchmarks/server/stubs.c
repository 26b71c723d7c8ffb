// Makes a contract in each of many sessions of our server, or many contracts without a session, one
// after the other on one connection.
// `stubs <port> <count> reset|make|ask|pace|turn|drop [<first>]`
//
// `reset` ends all sessions, `make` makes the contracts, `ask` sends a request to each and checks
// that its own contract responds to, and `pace` makes a thousand of them a second until it is terminated.
// `turn` makes contracts without a session from that of the number `first` on, and sends a request to
// each before it makes the next; `drop` removes them, with a request for the contract of a file after
// each.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { room = 1 << 14, pause_ns = 1000000 };

static const char contract[] =
    "{ \"request\": { \"method\": \"GET\", \"path\": \"/made\" }, \"cases\": { \"ok\": {"
    " \"status\": 200, \"headers\": { \"Content-Type\": \"application/json\" },"
    " \"body\": { \"session\": \"s%d\", \"things\": ["
    " { \"id\": 17, \"name\": \"a thing\", \"price\": 12.5, \"tags\": [\"new\", \"red\"] },"
    " { \"id\": 18, \"name\": \"a thing\", \"price\": 12.5, \"tags\": [\"new\", \"red\"] },"
    " { \"id\": 19, \"name\": \"a thing\", \"price\": 12.5, \"tags\": [\"new\", \"red\"] },"
    " { \"id\": 20, \"name\": \"a thing\", \"price\": 12.5, \"tags\": [\"new\", \"red\"] }] } } } }";

static int server, port;
static volatile sig_atomic_t is_ended;

static void end(int signal) {
  (void)signal;
  is_ended = 1;
}

static void fail(const char *what, const char *response) {
  fprintf(stderr, "stubs: %s\n%s\n", what, response);
  exit(1);
}

// Sends a request and waits for the response, which must have one of two statuses and the text.
static void ask(const char *line, const char *body, int status, int other, const char *text) {
  static char bytes[room];
  int length = snprintf(bytes, sizeof bytes,
                        "%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
                        "Content-Length: %zu\r\n\r\n%s",
                        line, port, strlen(body), body);
  if (send(server, bytes, (size_t)length, MSG_NOSIGNAL) != length) fail("cannot send", line);
  size_t held = 0, wanted = room;
  while (held < wanted) {
    ssize_t count = recv(server, bytes + held, room - 1 - held, 0);
    if (count <= 0) fail("the response ended early", line);
    held += (size_t)count;
    bytes[held] = 0;
    char *blank = strstr(bytes, "\r\n\r\n"), *field = strcasestr(bytes, "\r\nContent-Length: ");
    if (!blank) continue;
    wanted = (size_t)(blank + 4 - bytes) + (field && field < blank ? strtoul(field + 18, NULL, 10) : 0);
    if (wanted >= room) fail("the response is too long", bytes);
  }
  int found = atoi(bytes + strlen("HTTP/1.1 "));
  if ((found != status && found != other) || !strstr(bytes, text))
    fail("a response is not as expected", bytes);
}

static void make(int session) {
  char line[80], body[sizeof contract + 16];
  snprintf(line, sizeof line, "PUT /~s%d/__understudy/contracts/shop/made", session);
  snprintf(body, sizeof body, contract, session);
  ask(line, body, 201, 200, "");
}

// Makes the contract of a number, then sends a request to it.
static void turn(int number) {
  char line[80], body[sizeof contract + 32], text[16], path[24];
  snprintf(path, sizeof path, "/made/%d", number);
  snprintf(body, sizeof body, contract, number);
  char *place = strstr(body, "/made");
  memmove(place + strlen(path), place + strlen("/made"), strlen(place + strlen("/made")) + 1);
  memcpy(place, path, strlen(path));
  snprintf(line, sizeof line, "PUT /__understudy/contracts/shop/made-%d", number);
  ask(line, body, 201, 200, "");
  snprintf(line, sizeof line, "GET /shop%s", path);
  snprintf(text, sizeof text, "\"s%d\"", number);
  ask(line, "", 200, 200, text);
}

static void drop(int number) {
  char line[80];
  snprintf(line, sizeof line, "DELETE /__understudy/contracts/shop/made-%d", number);
  ask(line, "", 204, 204, "");
  ask("GET /shop/items/0", "", 200, 200, "");
}

int main(int count, char **arguments) {
  if (count < 4) return 2;
  port = atoi(arguments[1]);
  int session_count = atoi(arguments[2]), first = count > 4 ? atoi(arguments[4]) : 0, on = 1;
  const char *mode = arguments[3];
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  server = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(server, (struct sockaddr *)&address, sizeof address)) fail("cannot connect", "");
  setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  signal(SIGTERM, end);
  if (!strcmp(mode, "reset")) {
    ask("POST /__understudy/reset", "", 204, 200, "");
  } else if (!strcmp(mode, "make")) {
    for (int session = 1; session <= session_count; session++) make(session);
  } else if (!strcmp(mode, "ask")) {
    for (int session = 1; session <= session_count; session++) {
      char line[80], text[16];
      snprintf(line, sizeof line, "GET /~s%d/shop/made", session);
      snprintf(text, sizeof text, "\"s%d\"", session);
      ask(line, "", 200, 200, text);
    }
  } else if (!strcmp(mode, "turn")) {
    for (int number = first; number < first + session_count; number++) turn(number);
  } else if (!strcmp(mode, "drop")) {
    for (int number = first; number < first + session_count; number++) drop(number);
  } else if (!strcmp(mode, "pace")) {
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (int session = 0; !is_ended; session = (session + 1) % session_count) {
      make(session + 1);
      next.tv_nsec += pause_ns;
      if (next.tv_nsec >= 1000000000) next.tv_sec++, next.tv_nsec -= 1000000000;
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
  } else {
    return 2;
  }
}
