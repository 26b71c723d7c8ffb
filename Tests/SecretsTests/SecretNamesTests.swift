import Testing

@testable import UnderstudySecrets

@Suite struct SecretNamesTests {
  @Test(
    "a name is known in any spelling, with a prefix and as part of another",
    arguments: [
      "Authorization", "proxy-authorization", "X-Api-Key", "x_api_key", "xApiKey", "apikey",
      "PRIVATE-TOKEN", "X-Vault-Token", "X-Goog-Api-Key", "DD-API-KEY", "DD-APPLICATION-KEY",
      "X-Amz-Security-Token", "X-JWT", "X-CSRF-Token", "X-XSRF-TOKEN", "X-Hub-Signature-256",
      "Ocp-Apim-Subscription-Key", "X-Functions-Key", "Cookie", "Set-Cookie", "password2",
      "user[password]", "user.access_token", "old_pwd", "otp", "cvv", "CVV2", "client_secret",
      "sessionId", "PHPSESSID", "JSESSIONID", "refreshToken", "passwordConfirmation",
    ])
  func hidden(name: String) { #expect(SecretNames.standard.hides(name)) }

  @Test(
    "a name that only looks like one is not",
    arguments: [
      "tokenCount", "max_tokens", "tokenizer", "nextPageToken", "next_token", "keyboard", "monkey",
      "publicKey", "keys", "key", "code", "countryCode", "zip_code", "statusCode",
      "Idempotency-Key",
      "Sec-WebSocket-Key", "Surrogate-Key", "WWW-Authenticate", "author", "sessions", "secretary",
      "passenger", "compass", "passwordless", "cookieConsent", "signatures", "pin", "design", "",
      "a", "x",
    ])
  func shown(name: String) { #expect(!SecretNames.standard.hides(name)) }

  @Test(
    "for some names the value decides",
    arguments: [
      ("code", "SplxlOBeZQQYbYS6WxSbIA", true), ("code", "4/0AX4XfWh7Zq9Kb2LmN8pQ", true),
      ("code", "a1b2c3d4e5f6a7b8c9d0", true), ("code", "404", false), ("code", "E42", false),
      ("code", "invalid_request_error", false), ("code", "ERR_2024_OUT_OF_RANGE", false),
      ("code", "2024-01-05T10:00:00Z", false), ("code", "SUMMER2024", false),
      ("session", "Opening keynote", false), ("session", "abc123", true),
      ("signature", "Best regards, Bob", false), ("signature", "MEUCIQDx", true),
      ("pin", "4711", true), ("pin", "on the map", false), ("auth", "none", false),
      ("auth", "q8ZrT3bK9wXy2LmN", true),
    ])
  func values(name: String, value: String, isHidden: Bool) {
    #expect(SecretNames.standard.hides(name, value, in: .field) == isHidden)
  }

  @Test("a query has names that a body has not")
  func places() {
    for name in ["key", "sig", "sid"] {
      #expect(SecretNames.standard.hides(name, "abc", in: .parameter))
      #expect(!SecretNames.standard.hides(name, "abc", in: .field))
    }
  }

  @Test("names can be added")
  func added() {
    let names = SecretNames(adding: ["X-Room"])
    #expect(names.hides("x_room"))
    #expect(!SecretNames.standard.hides("x_room"))
  }
}
