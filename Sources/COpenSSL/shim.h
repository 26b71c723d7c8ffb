#ifndef UNDERSTUDY_COPENSSL_SHIM_H
#define UNDERSTUDY_COPENSSL_SHIM_H

// OpenSSL 3, loaded when it is first needed. The declarations are our own, so that nothing has to be
// installed to build; the version in the libraries' names fixes what they mean.
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

typedef struct ssl_ctx_st SSL_CTX;
typedef struct ssl_st SSL;
typedef struct bio_st BIO;
typedef struct evp_pkey_st EVP_PKEY;
typedef struct evp_pkey_ctx_st EVP_PKEY_CTX;
typedef struct x509_st X509;

typedef int (*copenssl_hello_callback)(SSL *ssl, int *alert, void *data);
typedef int (*copenssl_protocol_callback)(SSL *ssl, const unsigned char **chosen, unsigned char *chosen_length,
                                          const unsigned char *offered, unsigned int offered_length,
                                          void *data);

typedef int (*copenssl_password_callback)(char *room, int length, int writes, void *data);

// Every function that is called: result, name, parameters. What OpenSSL's headers define as macros
// are calls of the functions named `ctrl`. None is variadic.
#define COPENSSL_FUNCTIONS(FUNCTION)                                                                     \
  FUNCTION(const void *, TLS_server_method, (void))                                                      \
  FUNCTION(SSL_CTX *, SSL_CTX_new, (const void *method))                                                 \
  FUNCTION(void, SSL_CTX_free, (SSL_CTX *))                                                              \
  FUNCTION(long, SSL_CTX_ctrl, (SSL_CTX *, int command, long number, void *data))                        \
  FUNCTION(uint64_t, SSL_CTX_set_options, (SSL_CTX *, uint64_t options))                                 \
  FUNCTION(int, SSL_CTX_set_cipher_list, (SSL_CTX *, const char *names))                                 \
  FUNCTION(int, SSL_CTX_set_num_tickets, (SSL_CTX *, size_t count))                                      \
  FUNCTION(int, SSL_CTX_use_certificate, (SSL_CTX *, X509 *))                                            \
  FUNCTION(int, SSL_CTX_use_PrivateKey, (SSL_CTX *, EVP_PKEY *))                                         \
  FUNCTION(void, SSL_CTX_set_client_hello_cb, (SSL_CTX *, copenssl_hello_callback, void *data))          \
  FUNCTION(void, SSL_CTX_set_alpn_select_cb, (SSL_CTX *, copenssl_protocol_callback, void *data))        \
  FUNCTION(SSL *, SSL_new, (SSL_CTX *))                                                                  \
  FUNCTION(void, SSL_free, (SSL *))                                                                      \
  FUNCTION(int, SSL_set_ex_data, (SSL *, int index, void *data))                                         \
  FUNCTION(void *, SSL_get_ex_data, (const SSL *, int index))                                            \
  FUNCTION(void, SSL_set_bio, (SSL *, BIO *input, BIO *output))                                          \
  FUNCTION(void, SSL_set_accept_state, (SSL *))                                                          \
  FUNCTION(uint64_t, SSL_set_options, (SSL *, uint64_t options))                                         \
  FUNCTION(int, SSL_use_certificate, (SSL *, X509 *))                                                    \
  FUNCTION(int, SSL_use_PrivateKey, (SSL *, EVP_PKEY *))                                                 \
  FUNCTION(int, SSL_client_hello_get0_ext,                                                               \
           (SSL *, unsigned int kind, const unsigned char **bytes, size_t *length))                      \
  FUNCTION(int, SSL_do_handshake, (SSL *))                                                               \
  FUNCTION(int, SSL_read, (SSL *, void *room, int length))                                               \
  FUNCTION(int, SSL_write, (SSL *, const void *bytes, int length))                                       \
  FUNCTION(int, SSL_shutdown, (SSL *))                                                                   \
  FUNCTION(int, SSL_get_error, (const SSL *, int result))                                                \
  FUNCTION(const void *, BIO_s_mem, (void))                                                              \
  FUNCTION(BIO *, BIO_new, (const void *kind))                                                           \
  FUNCTION(BIO *, BIO_new_mem_buf, (const void *bytes, int length))                                      \
  FUNCTION(int, BIO_up_ref, (BIO *))                                                                     \
  FUNCTION(int, BIO_free, (BIO *))                                                                       \
  FUNCTION(int, BIO_read, (BIO *, void *room, int length))                                               \
  FUNCTION(int, BIO_write, (BIO *, const void *bytes, int length))                                       \
  FUNCTION(long, BIO_ctrl, (BIO *, int command, long number, void *data))                                \
  FUNCTION(unsigned long, ERR_get_error, (void))                                                         \
  FUNCTION(void, ERR_clear_error, (void))                                                                \
  FUNCTION(const char *, ERR_reason_error_string, (unsigned long error))                                 \
  FUNCTION(EVP_PKEY_CTX *, EVP_PKEY_CTX_new_id, (int kind, void *engine))                                \
  FUNCTION(void, EVP_PKEY_CTX_free, (EVP_PKEY_CTX *))                                                    \
  FUNCTION(int, EVP_PKEY_keygen_init, (EVP_PKEY_CTX *))                                                  \
  FUNCTION(int, EVP_PKEY_CTX_set_ec_paramgen_curve_nid, (EVP_PKEY_CTX *, int curve))                     \
  FUNCTION(int, EVP_PKEY_keygen, (EVP_PKEY_CTX *, EVP_PKEY **key))                                       \
  FUNCTION(void, EVP_PKEY_free, (EVP_PKEY *))                                                            \
  FUNCTION(const void *, EVP_sha256, (void))                                                             \
  FUNCTION(unsigned char *, SHA1, (const unsigned char *bytes, size_t length, unsigned char *digest))    \
  FUNCTION(X509 *, X509_new, (void))                                                                     \
  FUNCTION(void, X509_free, (X509 *))                                                                    \
  FUNCTION(int, X509_set_version, (X509 *, long version))                                                \
  FUNCTION(void *, X509_get_serialNumber, (X509 *))                                                      \
  FUNCTION(int, ASN1_INTEGER_set_uint64, (void *integer, uint64_t value))                                \
  FUNCTION(void *, X509_getm_notBefore, (const X509 *))                                                  \
  FUNCTION(void *, X509_getm_notAfter, (const X509 *))                                                   \
  FUNCTION(void *, ASN1_TIME_set, (void *target, time_t seconds))                                        \
  FUNCTION(int, ASN1_TIME_to_tm, (const void *source, struct tm *target))                                \
  FUNCTION(int, X509_set_pubkey, (X509 *, EVP_PKEY *))                                                   \
  FUNCTION(void *, X509_get_subject_name, (const X509 *))                                                \
  FUNCTION(int, X509_set_issuer_name, (X509 *, void *name))                                              \
  FUNCTION(int, X509_NAME_add_entry_by_txt,                                                              \
           (void *name, const char *field, int encoding, const unsigned char *bytes, int length,         \
            int place, int set))                                                                         \
  FUNCTION(void, X509V3_set_ctx,                                                                         \
           (void *context, X509 *issuer, X509 *subject, void *request, void *revocations, int flags))    \
  FUNCTION(void *, X509V3_EXT_nconf_nid, (void *configuration, void *context, int kind, const char *text)) \
  FUNCTION(int, X509_add_ext, (X509 *, void *extension, int place))                                      \
  FUNCTION(void, X509_EXTENSION_free, (void *extension))                                                 \
  FUNCTION(void *, X509_get_ext_d2i, (const X509 *, int kind, int *critical, int *place))                \
  FUNCTION(int, X509_check_purpose, (X509 *, int purpose, int is_authority))                             \
  FUNCTION(int, NAME_CONSTRAINTS_check, (X509 *, void *constraints))                                     \
  FUNCTION(void, NAME_CONSTRAINTS_free, (void *constraints))                                             \
  FUNCTION(int, X509_sign, (X509 *, EVP_PKEY *, const void *digest))                                     \
  FUNCTION(int, X509_check_private_key, (const X509 *, const EVP_PKEY *))                                \
  FUNCTION(int, PEM_write_bio_X509, (BIO *, X509 *))                                                     \
  FUNCTION(X509 *, PEM_read_bio_X509, (BIO *, X509 **, copenssl_password_callback callback, void *data)) \
  FUNCTION(int, PEM_write_bio_PrivateKey,                                                                \
           (BIO *, EVP_PKEY *, const void *cipher, const unsigned char *password, int length,            \
            void *callback, void *data))                                                                 \
  FUNCTION(EVP_PKEY *, PEM_read_bio_PrivateKey,                                                          \
           (BIO *, EVP_PKEY **, copenssl_password_callback callback, void *data))

struct copenssl_functions {
#define COPENSSL_MEMBER(result, name, parameters) result(*name) parameters;
  COPENSSL_FUNCTIONS(COPENSSL_MEMBER)
#undef COPENSSL_MEMBER
};

typedef const struct copenssl_functions *copenssl;

// Fills in the table from two open libraries. Returns NULL, or the system's reason why a function is
// missing.
static inline const char *copenssl_find(struct copenssl_functions *functions, void *ssl, void *crypto) {
  void *found;
#define COPENSSL_FIND(result, name, parameters)              \
  found = dlsym(ssl, #name);                                 \
  if (!found) found = dlsym(crypto, #name);                  \
  if (!found) return dlerror();                              \
  functions->name = (__typeof__(functions->name))found;
  COPENSSL_FUNCTIONS(COPENSSL_FIND)
#undef COPENSSL_FIND
  return NULL;
}

// Fills in the table. Returns NULL, or the system's reason why a library or a function is missing.
static inline const char *copenssl_load(struct copenssl_functions *functions) {
#ifdef __APPLE__
  // macOS ends a process that opens its own, which have no version in their names.
  static const char *const pairs[][2] = {
    {"/opt/homebrew/opt/openssl@3/lib/libssl.3.dylib", "/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib"},
    {"/usr/local/opt/openssl@3/lib/libssl.3.dylib", "/usr/local/opt/openssl@3/lib/libcrypto.3.dylib"},
  };
#else
  static const char *const pairs[][2] = {{"libssl.so.3", "libcrypto.so.3"}};
#endif
  for (size_t index = 0; index < sizeof pairs / sizeof *pairs; index++) {
    void *crypto = dlopen(pairs[index][1], RTLD_NOW | RTLD_LOCAL);
    void *ssl = crypto ? dlopen(pairs[index][0], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (ssl) return copenssl_find(functions, ssl, crypto);
  }
  return dlerror();
}

#endif
