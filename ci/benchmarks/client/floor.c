// `floor <URL> <requests> <concurrency> [fresh]` does the work of client-benchmark in C, with
// curl's multi interface over epoll and the same settings, and prints the same two numbers. With
// `fresh` each request has its own connection.
#define _GNU_SOURCE
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>

struct transfer {
  CURL *easy;
  char *body;
  size_t length, capacity;
  int header_count;
};

static CURLM *multi;
static int poller;
static long long timer = -1;

static long long nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static double used(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
         (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *data) {
  struct transfer *transfer = data;
  size_t length = size * count;
  if (transfer->length + length > transfer->capacity) {
    transfer->capacity = (transfer->length + length) * 2;
    transfer->body = realloc(transfer->body, transfer->capacity);
  }
  memcpy(transfer->body + transfer->length, bytes, length);
  transfer->length += length;
  return length;
}

static size_t on_header(char *bytes, size_t size, size_t count, void *data) {
  struct transfer *transfer = data;
  transfer->header_count += memchr(bytes, ':', size * count) != NULL;
  return size * count;
}

static int on_socket(CURL *easy, curl_socket_t socket, int what, void *data, void *mark) {
  (void)easy, (void)data;
  struct epoll_event event = {.data.fd = socket};
  if (what == CURL_POLL_REMOVE) return epoll_ctl(poller, EPOLL_CTL_DEL, socket, &event), 0;
  if (what & CURL_POLL_IN) event.events |= EPOLLIN;
  if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
  epoll_ctl(poller, mark ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
  curl_multi_assign(multi, socket, &poller);
  return 0;
}

static int on_timer(CURLM *handle, long milliseconds, void *data) {
  (void)handle, (void)data;
  timer = milliseconds < 0 ? -1 : nanoseconds() + milliseconds * 1000000LL;
  return 0;
}

static int remaining, running;

static void start(struct transfer *transfer, const char *url) {
  transfer->length = 0;
  remaining--, running++;
  curl_easy_setopt(transfer->easy, CURLOPT_URL, url);
  curl_easy_setopt(transfer->easy, CURLOPT_HTTPGET, 1L);
  curl_easy_setopt(transfer->easy, CURLOPT_TIMEOUT_MS, 60000L);
  curl_easy_setopt(transfer->easy, CURLOPT_CONNECTTIMEOUT_MS, 10000L);
  curl_multi_add_handle(multi, transfer->easy);
}

static void act(curl_socket_t socket, int actions, const char *url) {
  int count;
  CURLMsg *message;
  curl_multi_socket_action(multi, socket, actions, &count);
  while ((message = curl_multi_info_read(multi, &count))) {
    struct transfer *transfer;
    long status;
    if (message->data.result != CURLE_OK) exit(1);
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200) exit(1);
    curl_multi_remove_handle(multi, transfer->easy);
    running--;
    if (remaining > 0) start(transfer, url);
  }
}

static void ask(struct transfer *transfers, const char *url, int count, int concurrency) {
  remaining = count;
  for (int k = 0; k < concurrency; k++) start(&transfers[k], url);
  while (running > 0) {
    struct epoll_event events[128];
    long long wait = timer < 0 ? 1000 : (timer - nanoseconds() + 999999) / 1000000;
    int ready = epoll_wait(poller, events, 128, wait < 0 ? 0 : (int)wait);
    for (int k = 0; k < ready; k++) {
      int actions = 0;
      if (events[k].events & EPOLLIN) actions |= CURL_CSELECT_IN;
      if (events[k].events & EPOLLOUT) actions |= CURL_CSELECT_OUT;
      if (events[k].events & (EPOLLERR | EPOLLHUP)) actions |= CURL_CSELECT_ERR;
      act(events[k].data.fd, actions, url);
    }
    if (timer >= 0 && timer <= nanoseconds()) {
      timer = -1;
      act(CURL_SOCKET_TIMEOUT, 0, url);
    }
  }
}

int main(int argc, char **argv) {
  if (argc != 4 && argc != 5) return 2;
  int count = atoi(argv[2]), concurrency = atoi(argv[3]);
  curl_global_init(CURL_GLOBAL_ALL);
  multi = curl_multi_init();
  poller = epoll_create1(EPOLL_CLOEXEC);
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
  curl_multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, 256L);
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 256L);
  struct transfer *transfers = calloc(concurrency, sizeof *transfers);
  for (int k = 0; k < concurrency; k++) {
    CURL *easy = transfers[k].easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_PRIVATE, &transfers[k]);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfers[k]);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, &transfers[k]);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, argc == 5 ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, argc == 5 ? 1L : 0L);
  }
  ask(transfers, argv[1], concurrency * 10, concurrency);
  long long began = nanoseconds();
  double used_before = used();
  ask(transfers, argv[1], count, concurrency);
  printf("%f %f\n", (nanoseconds() - began) / 1e9, used() - used_before);
}
