#ifndef UNDERSTUDY_CCURL_SHIM_H
#define UNDERSTUDY_CCURL_SHIM_H

// libcurl, loaded when it is first needed, and typed wrappers for its variadic functions, which
// Swift cannot call.
#include <curl/curl.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>

// Every function that is called, typed by libcurl's own header.
#define CCURL_FUNCTIONS(FUNCTION)                                                              \
  FUNCTION(global_init) FUNCTION(version_info) FUNCTION(free)                                  \
  FUNCTION(easy_init) FUNCTION(easy_setopt) FUNCTION(easy_getinfo) FUNCTION(easy_cleanup)      \
  FUNCTION(easy_strerror) FUNCTION(slist_append) FUNCTION(slist_free_all)                      \
  FUNCTION(multi_init) FUNCTION(multi_setopt) FUNCTION(multi_cleanup) FUNCTION(multi_assign)   \
  FUNCTION(multi_add_handle) FUNCTION(multi_remove_handle) FUNCTION(multi_socket_action)       \
  FUNCTION(multi_info_read) FUNCTION(url) FUNCTION(url_cleanup) FUNCTION(url_set) FUNCTION(url_get)

struct ccurl_functions {
#define CCURL_MEMBER(name) __typeof__(&curl_##name) name;
  CCURL_FUNCTIONS(CCURL_MEMBER)
#undef CCURL_MEMBER
};

#ifdef __APPLE__
#define CCURL_LIBRARY "/usr/lib/libcurl.4.dylib"
#else
#define CCURL_LIBRARY "libcurl.so.4"
#endif

// Fills in the table. Returns NULL, or the system's reason why the library or a function is missing.
static inline const char *ccurl_load(struct ccurl_functions *functions) {
  void *handle = dlopen(CCURL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
#define CCURL_FIND(name)                                                              \
  functions->name = (__typeof__(functions->name))dlsym(handle, "curl_" #name);        \
  if (!functions->name) return dlerror();
  CCURL_FUNCTIONS(CCURL_FIND)
#undef CCURL_FIND
  return NULL;
}

typedef const struct ccurl_functions *ccurl;

static inline CURLcode ccurl_set_long(ccurl curl, CURL *easy, CURLoption option, long value) {
  return curl->easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_offset(ccurl curl, CURL *easy, CURLoption option, curl_off_t value) {
  return curl->easy_setopt(easy, option, value);
}
// libcurl keeps a copy; NULL resets the option.
static inline CURLcode ccurl_set_string(ccurl curl, CURL *easy, CURLoption option, const char *value) {
  return curl->easy_setopt(easy, option, value);
}
// libcurl keeps the pointer.
static inline CURLcode ccurl_set_pointer(ccurl curl, CURL *easy, CURLoption option, const void *value) {
  return curl->easy_setopt(easy, option, value);
}
typedef size_t (*ccurl_bytes_callback)(char *bytes, size_t size, size_t count, void *data);
static inline CURLcode ccurl_set_callback(ccurl curl, CURL *easy, CURLoption option,
                                          ccurl_bytes_callback value) {
  return curl->easy_setopt(easy, option, value);
}

// Also sets the option that enables the callback, and the callback's data.
static inline CURLcode ccurl_set_progress(ccurl curl, CURL *easy, curl_xferinfo_callback value, void *data) {
  CURLcode code = curl->easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, value);
  if (code == CURLE_OK) code = curl->easy_setopt(easy, CURLOPT_XFERINFODATA, data);
  if (code == CURLE_OK) code = curl->easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
  return code;
}

// Makes the callback open the sockets; NULL resets the option.
static inline CURLcode ccurl_set_open_socket(ccurl curl, CURL *easy, curl_opensocket_callback value,
                                             void *data) {
  CURLcode code = curl->easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
  if (code == CURLE_OK) code = curl->easy_setopt(easy, CURLOPT_OPENSOCKETDATA, data);
  return code;
}
// The address as the four words of its IPv6 form in this machine's byte order, IPv4 mapped; 0 for
// an address of another family.
static inline int ccurl_address_words(const struct curl_sockaddr *address, uint32_t words[4]) {
  if (address->family == AF_INET) {
    const struct sockaddr_in *ipv4 = (const struct sockaddr_in *)&address->addr;
    words[0] = words[1] = 0;
    words[2] = 0xFFFF;
    words[3] = ntohl(ipv4->sin_addr.s_addr);
    return 1;
  }
  if (address->family != AF_INET6) return 0;
  const struct sockaddr_in6 *ipv6 = (const struct sockaddr_in6 *)&address->addr;
  memcpy(words, &ipv6->sin6_addr, sizeof(uint32_t) * 4);
  for (int index = 0; index < 4; index++) words[index] = ntohl(words[index]);
  return 1;
}

static inline int ccurl_count_request(void *count, char *address, char *own_address, int port, int own_port) {
  (void)address, (void)own_address, (void)port, (void)own_port;
  ++*(int *)count;
  return 0;
}
// Counts each time that a request goes out: more than once if an open connection turned out to be
// gone. Before 7.80, libcurl does not say.
static inline CURLcode ccurl_count_requests(ccurl curl, CURL *easy, int *count) {
#if LIBCURL_VERSION_NUM >= 0x075000
  CURLcode code = curl->easy_setopt(easy, CURLOPT_PREREQFUNCTION, ccurl_count_request);
  return code == CURLE_OK ? curl->easy_setopt(easy, CURLOPT_PREREQDATA, count) : code;
#else
  (void)curl, (void)easy, (void)count;
  return CURLE_OK;
#endif
}

// Allows no other protocol, whatever the URL.
static inline CURLcode ccurl_allow_http_alone(ccurl curl, CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl->easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return curl->easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}
// Abandons a pending name lookup to its thread, where libcurl would wait for that thread.
static inline CURLcode ccurl_abandon_lookups(ccurl curl, CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return curl->easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
  return CURLE_OK;
#endif
}

static inline CURLcode ccurl_get_long(ccurl curl, CURL *easy, CURLINFO info, long *value) {
  return curl->easy_getinfo(easy, info, value);
}
static inline CURLcode ccurl_get_offset(ccurl curl, CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl->easy_getinfo(easy, info, value);
}
static inline CURLcode ccurl_get_pointer(ccurl curl, CURL *easy, CURLINFO info, void **value) {
  return curl->easy_getinfo(easy, info, value);
}

static inline CURLMcode ccurl_multi_set_long(ccurl curl, CURLM *multi, CURLMoption option, long value) {
  return curl->multi_setopt(multi, option, value);
}
static inline CURLMcode ccurl_multi_set_callbacks(ccurl curl, CURLM *multi, curl_socket_callback on_socket,
                                                  curl_multi_timer_callback on_timer,
                                                  void *data) {
  CURLMcode code = curl->multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
  if (code == CURLM_OK) code = curl->multi_setopt(multi, CURLMOPT_SOCKETDATA, data);
  if (code == CURLM_OK) code = curl->multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
  if (code == CURLM_OK) code = curl->multi_setopt(multi, CURLMOPT_TIMERDATA, data);
  return code;
}

// `data` of a message is a union.
static inline CURLcode ccurl_result(const CURLMsg *message) { return message->data.result; }

#endif
