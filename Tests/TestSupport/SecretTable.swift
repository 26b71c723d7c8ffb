/// Secrets that are not to be seen anywhere, and texts that are to be seen as they are.
public enum SecretTable {
  private static let random = "q8ZrT3bK9wXy2LmN5vHd7sGf4jPc1aQe6uTi"

  /// Put together, so that nobody who looks for tokens in this file finds one.
  public static let tokens: [String] = [
    "ghp_" + random, "gho_" + random, "ghu_" + random, "ghs_" + random, "ghr_" + random,
    "github_pat_" + random, "glpat-" + random.prefix(20), "npm_" + random,
    "pypi-AgE" + random + "abcd", "dckr_pat_" + random, "hf_" + random, "AKIA" + "IOSFODNN7ABCDEFG",
    "ASIA" + "IOSFODNN7ABCDEFG", "AIza" + random.prefix(35), "ya29." + random, "GOCSPX-" + random,
    "dop_v1_" + random + "abcd", "hvs." + random, "xoxb-" + random, "xoxp-123456789-" + random,
    "xapp-1-" + random, "sk_live_" + random, "rk_live_" + random, "whsec_" + random,
    "shpat_" + random, "SG." + random.prefix(22) + "." + random, "ATATT3" + random,
    "sntrys_" + random, "figd_" + random, "lin_api_" + random, "PMAK-" + random,
    "sk-proj-" + random, "sk-ant-" + random, "sk-" + random + random,
    "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + random,
  ]

  /// Names under which anything is a secret, wherever they stand.
  public static let names = [
    "Authorization", "api_key", "X-Api-Key", "access_token", "refresh_token", "id_token",
    "client_secret", "password", "passwd", "pwd", "new-password", "passphrase", "otp", "totp",
    "cvv",
    "cvc", "jwt", "X-JWT", "csrf_token", "X-CSRF-Token", "PRIVATE-TOKEN", "X-Goog-Api-Key",
    "X-Vault-Token", "DD-API-KEY", "X-Amz-Security-Token", "X-Amz-Signature", "X-Amz-Credential",
    "sessionid", "session_token", "JSESSIONID", "secretKey", "privateKey", "AWSAccessKeyId",
    "subscription-key", "code_verifier", "device_code", "authorization_code",
  ]

  /// Addresses with a secret in them, and the secret.
  public static let addresses: [(address: String, secret: String)] = [
    ("https://token:p4ss@h.example/x", "p4ss"), ("https://u:hush%20x@h.example", "hush%20x"),
    ("postgres://user:pw-hush@db.example:5432/app", "pw-hush"),
    ("postgres://user:aB3/x+Y9@db.example/app", "aB3/x+Y9"),
    ("redis://:hush42@cache.example:6379/0", "hush42"),
    ("mongodb+srv://app:hush42@cluster.example/?w=majority", "hush42"),
    ("amqp://guest:hush42@mq.example", "hush42"),
    ("https://9f86d081884c7d659a2feaa0c55ad015@o1.ingest.example/2", "9f86d081"),
    ("https://hooks.slack.example/services/T0ABCDEFG/B0ABCDEFG/" + random, random),
    ("https://hooks.slack.example/workflows/T0ABCDEFG/A0ABCDEFG/123456/" + random, random),
    ("https://discord.example/api/webhooks/123456789012345678/" + random, random),
    ("https://api.telegram.example/bot123456789:" + random + "/sendMessage", random),
    ("https://x.webhook.example/webhookb2/" + random + "@" + random + "/IncomingWebhook/a", random),
    ("https://outlook.example/webhook/a@b/IncomingWebhook/" + random + "/" + random, random),
    ("https://hooks.zapier.example/hooks/catch/123456/zq7Kx2/", "zq7Kx2"),
    ("https://maker.ifttt.example/trigger/x/with/key/" + random, random),
    ("https://open.feishu.example/open-apis/bot/v2/hook/" + random, random),
    ("https://chat.example/hooks/abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz"),
    ("https://h.example/cb?code=SplxlOBeZQQYbYS6WxSbIA&state=1", "SplxlOBeZQQYbYS6WxSbIA"),
    ("https://h.example/x?sig=hush42&se=2024", "hush42"),
    ("https://h.example/x?a=1&X-Amz-Signature=hush42", "hush42"),
    ("https://h.example/#access_token=hush42&x=1", "hush42"),
    ("https://h.example/x?next=https%3A%2F%2Fu%3Ahush42%40i.example%2F", "hush42"),
  ]

  public static let privateKey =
    "-----BEGIN " + "RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nhush42\n-----END RSA PRIVATE KEY-----"

  /// Texts with a secret in them, and what of it must not be seen.
  public static let texts: [(text: String, secret: String)] =
    tokens.map { ("see \($0) there", String($0.suffix(10))) } + addresses.map { ($0, $1) }
    + names.map { ("{\"a\":1,\"\($0)\":\"hush42\"}", "hush42") }
    + names.map { ("https://h.example/x?a=1&\($0)=hush42", "hush42") }
    + names.map { ("<x><\($0)>hush42</\($0)></x>", "hush42") }
    + names.map { ("<input name=\"\($0)\" value=\"hush42\">", "hush42") }
    + [(privateKey, "hush42")]

  /// Texts that stay as they are, whatever kind of body they are in.
  public static let harmless = [
    #"{"tokens": 812}"#, #"{"max_tokens": 100, "total_tokens": 812}"#, #"{"code": "E42"}"#,
    #"{"code": 404}"#, #"{"code": "invalid_request_error"}"#, #"{"countryCode": "DE"}"#,
    #"{"zip code": "10115", "zipCode": "10115"}"#, #"{"error": {"code": "ERR_2024_OUT_OF_RANGE"}}"#,
    #"{"nextPageToken": "CAUQAA"}"#, #"{"next_token": "abc"}"#, #"{"token": null, "secret": true}"#,
    #"{"password": ""}"#, #"{"hasPassword": false, "passwordRequired": "yes"}"#,
    #"{"message": "The password must have eight characters"}"#,
    #"{"message": "wrong password: try again"}"#, #"{"title": "The secret token of my heart"}"#,
    #"{"session": "Opening keynote"}"#, #"{"session": {"title": "Swift", "id": 3}}"#,
    #"{"signature": "Best regards, Bob"}"#, #"{"pin": true, "pins": ["a", "b"]}"#,
    #"{"key": "value", "keys": ["a"]}"#, #"{"sort_key": "name", "primaryKey": "id"}"#,
    #"{"auth": "none"}"#, #"{"pass": 12, "fail": 3}"#, #"{"sid": "abc"}"#, #"{"hash": "9f86d081"}"#,
    #"{"url": "https://github.com/apple/swift?tab=readme#install"}"#,
    #"{"url": "https://h.example:8080/a?code=404&page=2"}"#,
    #"{"url": "ssh://git@github.com/a/b.git"}"#, #"{"url": "https://medium.example/@user/post"}"#,
    #"{"mail": "mailto:a@b.example", "who": "a@b.example"}"#,
    #"{"url": "https://h.example/services/list", "hook": "/hooks/12345678"}"#,
    #"{"url": "/api/webhooks/12345678", "bot": "/bot/status"}"#,
    #"{"text": "Basic authentication is not Bearer authentication"}"#,
    #"{"text": "a basic understanding of the bearer tokens"}"#,
    #"{"id": "550e8400-e29b-41d4-a716-446655440000"}"#,
    #"{"sha": "da39a3ee5e6b4b0d3255bfef95601890afd80709"}"#,
    #"{"image": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}"#,
    #"{"risk-assessment": "risk-abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"}"#,
    #"{"text": "quote \" and backslash \\ and {\"a\": 1}"}"#, #"{"a": "C:\\Users\\token"}"#,
    "WWW-Authenticate: Bearer realm=\"example\", Basic realm=\"x\"",
    "<p>Send the <b>token</b> with each request</p>", "<tokens>812</tokens>",
    "<a href=\"/login?next=/home\">password</a>", "<token/><password></password>",
    "Use <token> in the header, and <password> for the rest",
    "<input name=\"page\" value=\"3\"><meta name=\"author\" content=\"us\">",
    "<input name=\"password\" value=\"\">", "<string name=\"title\">token</string>",
    "<h2 id=\"password\">Your password</h2>", "a: 1\npassword: null\ntokens: 812\n",
    "token: it is missing\n", "see password: abc", "password: |\n", "secret: ${SECRET} or none",
    "let token = next(); if (token == secret) { password = ask() }",
    "x?y:z&&a=b", "a=1&b=2&country_code=DE&code=404", "page=2&sort=name&tokens=812",
    "no \"json\" at all \\", "", "{", "\"", "=", "&=", "?token", "://", "https://", "<", "</",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "{\"Authorization\": \"Bearer {UNDERSTUDY_TOKEN}\"}",
  ]
}
