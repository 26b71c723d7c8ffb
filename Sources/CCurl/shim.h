#ifndef UNDERSTUDY_CCURL_SHIM_H
#define UNDERSTUDY_CCURL_SHIM_H

// Typed wrappers for libcurl's variadic functions, which Swift cannot call.
#include <curl/curl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}
// libcurl keeps a copy; NULL resets the option.
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
// libcurl keeps the pointer.
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}
typedef size_t (*ccurl_bytes_callback)(char *bytes, size_t size, size_t count, void *data);
static inline CURLcode ccurl_set_callback(CURL *easy, CURLoption option,
                                          ccurl_bytes_callback value) {
  return curl_easy_setopt(easy, option, value);
}

// Also sets the option that enables the callback, and the callback's data.
static inline CURLcode ccurl_set_progress(CURL *easy, curl_xferinfo_callback value, void *data) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, value);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_XFERINFODATA, data);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
  return code;
}

// Makes the callback open the sockets; NULL resets the option.
static inline CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback value,
                                             void *data) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, data);
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

// Allows no other protocol, whatever the URL.
static inline CURLcode ccurl_allow_http_alone(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}
// Abandons a pending name lookup to its thread, where libcurl would wait for that thread.
static inline CURLcode ccurl_abandon_lookups(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
  return CURLE_OK;
#endif
}

static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode ccurl_get_pointer(CURL *easy, CURLINFO info, void **value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode ccurl_multi_set_callbacks(CURLM *multi, curl_socket_callback on_socket,
                                                  curl_multi_timer_callback on_timer,
                                                  void *data) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, data);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, data);
  return code;
}

// `data` of a message is a union.
static inline CURLcode ccurl_result(const CURLMsg *message) { return message->data.result; }

#endif
