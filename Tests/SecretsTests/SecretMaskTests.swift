import Testing
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudySecrets

/// Every secret at every place it can stand.
@Suite struct SecretMaskTests {
  private let mask = SecretMask.standard

  private func masked(_ body: String, _ type: String) -> String {
    String(
      decoding: mask.masked(
        Array(body.utf8), of: type, namedNumber: SecretMask.quotedMark), as: UTF8.self)
  }

  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func multipart(_ name: String, _ value: String) -> String {
    "--B\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n--B--\r\n"
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      byte.isLetterOrDigit
        ? String(Unicode.Scalar(byte)) : "%" + String(Int(byte) + 256, radix: 16).dropFirst()
    }.joined()
  }

  @Test("a secret is masked under its name, wherever it is", arguments: SecretTable.names)
  func named(name: String) {
    let json = "{\"a\":1,\"\(name)\":\"hush42\",\"b\":2}"
    let bodies = [
      (json, "application/json"), (json, "text/plain"), (json, "application/x-www-form-urlencoded"),
      ("log: \(json) end", "text/plain"), ("{\"a\":1}\n\(json)\n", "application/x-ndjson"),
      ("{\"body\":\(Self.quoted(json))}", "application/json"),
      ("{\"a\":\(Self.quoted("{\"b\":\(Self.quoted(json))}"))}", "application/json"),
      ("{\"\(name)\":\"hush42", "application/json"), ("{\"\(name)\":{\"a\":[\"hush42\"]}}", ""),
      ("a=1&\(name)=hush42&b=2", "application/x-www-form-urlencoded"),
      ("filter=\(Self.encoded(json))", "application/x-www-form-urlencoded"),
      (Self.multipart(name, "hush42"), "multipart/form-data; boundary=B"),
      (Self.multipart("json", json), "multipart/form-data; boundary=B"),
      ("<a><\(name)>hush42</\(name)></a>", "application/xml"),
      ("<a><x:\(name) y=\"1\"><![CDATA[hush42]]></x:\(name)></a>", "text/xml"),
      ("<a \(name)=\"hush42\" b='1'/>", "text/xml"), ("<\(name)>hush42", "text/xml"),
      ("{\"xml\":\"<\(name)>hush42</\(name)>\"}", "application/json"),
      ("{\"next\":\"https://h.example/x?page=2&\(name)=hush42&y=1\"}", "application/json"),
      ("{\"next\":\"https:\\/\\/h.example\\/x?\(name)=hush42\"}", "application/json"),
      ("<\(name)><a>hush42</a><b x=\"1\">\n hush43</b></\(name)>", "text/xml"),
      ("<\(name)>\n <![CDATA[hush<b>42]]></\(name)>", "text/xml"),
      ("<\(name)><q><![CDATA[hush]]></q></\(name)>", "text/xml"),
      ("<\(name)><\(name)s>a</\(name)s><b c=\"hush\">hush</b></\(name)>", "text/xml"),
      ("<\(name)><\(name)>a</\(name)><b>hush</b></\(name)>", "text/xml"),
      ("<string name=\"\(name)\"><![CDATA[hush42]]></string>", "text/xml"),
      ("<input name=\"\(name)\" value=\"\(String(repeating: "hush", count: 500))\">", "text/html"),
      ("\(name): \"ab\\\"hush42\"\n", "text/yaml"), ("\(name): 'it''hush42'\n", "text/yaml"),
      ("<p><input type=\"hidden\" name=\"\(name)\" value=\"hush42\"></p>", "text/html"),
      ("<meta content='hush42' name='\(name)'>", "text/html"),
      ("<string name=\"\(name)\">hush42</string>", "text/xml"),
      ("<add key=\"\(name)\" value=\"hush42\" />", "text/xml"),
      ("a: 1\n\(name): hush42\nb: 2", "application/yaml"), ("\(name): hush42", "text/yaml"),
      ("list:\n  - \(name): \"hush 42\" # it\n", "text/yaml"), ("\(name):  'hush42'\r\n", ""),
      ("[x]\n\(name) = \"hush42\"\n", "application/toml"), ("\(name) = hush42\n", "text/plain"),
      ("Server=h;\(name)=hush42;Timeout=3", "text/plain"), ("\(name)=hush42\nA=1\n", "text/plain"),
    ]
    for (body, type) in bodies {
      let masked = masked(body, type)
      #expect(!masked.contains("hush"), "\(type) \(body)")
      #expect(masked.contains(SecretMask.mark), "\(type) \(body)")
      #expect(self.masked(masked, type) == masked, "masked again: \(type) \(body)")
    }
    #expect(mask.masked("hush42", of: name) == SecretMask.mark)
    #expect(mask.masked(target: "/a?b=1&\(name)=hush42") == "/a?b=1&\(name)=[redacted]")
    #expect(
      mask.masked("</x?\(name)=hush42>; rel=\"next\"") == "</x?\(name)=[redacted]>; rel=\"next\"")
    #expect(
      mask.masked("https://h.example/#\(name)=hush42") == "https://h.example/#\(name)=[redacted]")
  }

  /// Each place for a text that is a secret by itself: a header of any name, a body of any kind.
  private func places(_ text: String) -> [(text: String, masked: String)] {
    let bodies = [
      ("{\"note\":\(Self.quoted(text))}", "application/json"),
      ("{\"note\":\(Self.quoted("see \(text) there"))}", "application/json"),
      ("{\"note\":\(Self.quoted("{\"a\":\(Self.quoted(text))}"))}", "application/json"),
      ("note=\(Self.encoded(text))", "application/x-www-form-urlencoded"),
      (Self.multipart("note", text), "multipart/form-data; boundary=B"),
      ("<note>\(text)</note>", "application/xml"), ("<a note=\"\(text)\"/>", "application/xml"),
      (text, "text/plain"), ("see \(text) there", "text/plain"), ("# h\n\(text)\n", ""),
    ]
    return bodies.map { ($0.0, masked($0.0, $0.1)) } + [
      (text, mask.masked(text, of: "X-Note")), ("<\(text)>", mask.masked("<\(text)>; rel=next")),
      ("/a?note=", mask.masked(target: "/a?note=\(Self.encoded(text))")),
    ]
  }

  @Test("a token is hidden by its form under any name", arguments: SecretTable.tokens)
  func formed(token: String) {
    for (text, masked) in places(token) + places("Bearer \(token)") + places("token \(token)") {
      #expect(!masked.contains(token.suffix(10)), "\(text)")
      #expect(masked.contains(SecretMask.mark), "\(text)")
    }
    for target in ["/a/\(token)/b", "/a?x=\(token)"] {
      #expect(!mask.masked(target: target).contains(token.suffix(10)))
    }
    #expect(SecretMask.looksSecret(Array("see \(token)".utf8)))
    let cut =
      "found string \"\(token.prefix(token.hasPrefix("github") ? 16 : 13))…, expected integer"
    #expect(mask.masked(cut) == "found string \"[redacted]…, expected integer")
    let quoted = cut.replacing("…", with: "\"…")
    #expect(mask.masked(quoted) == "found string \"[redacted]\"…, expected integer")
  }

  @Test("the secret in an address is hidden", arguments: SecretTable.addresses)
  func addressed(address: String, secret: String) {
    for (text, masked) in places(address) {
      #expect(!masked.contains(secret), "\(text)")
      #expect(masked.contains(SecretMask.mark), "\(text)")
    }
    #expect(!mask.masked(target: address).contains(secret))
    #expect(!mask.masked(address, of: "Location").contains(secret))
  }

  @Test("a private key is hidden with its lines, also where it is cut off")
  func privateKey() {
    let key = SecretTable.privateKey
    for (text, masked) in places(key) {
      #expect(!masked.contains("hush42") && !masked.contains("MIIE"), "\(text)")
    }
    #expect(mask.masked("a \(key) b") == "a [redacted] b")
    #expect(mask.masked(String(key.prefix(50))) == "[redacted]")
    #expect(mask.masked("found string \"-----BEGIN PRIVATE KEY…") == "found string \"[redacted]…")
    #expect(mask.masked("string \"-----BEGIN PRIVATE\"…, but") == "string \"[redacted]\"…, but")
  }

  @Test(
    "what follows a scheme is hidden",
    arguments: [
      ("Basic dXNlcjpodXNo", "Basic [redacted]"), ("basic dTpw", "basic [redacted]"),
      ("x Basic dXNlcjpodXNo, y", "x Basic [redacted], y"),
      ("Bearer abcdefghijklmnopqrstuvwxyz", "Bearer [redacted]"),
    ])
  func schemes(text: String, expected: String) { #expect(mask.masked(text) == expected) }

  @Test(
    "shows whatever is not the secret",
    arguments: [
      ("https://token:p4ss@h.example/x", "https://[redacted]@h.example/x"),
      (
        "https://hooks.slack.com/services/T0ABCDEFG/B0ABCDEFG/q8ZrT3bK9wXy2LmN?x=1",
        "https://hooks.slack.com/services/[redacted]?x=1"
      ),
      (
        "https://h.example/cb?code=SplxlOBeZQQYbYS6WxSbIA&state=1#token=x&y=2",
        "https://h.example/cb?code=[redacted]&state=1#token=[redacted]&y=2"
      ),
      (
        "no response from https://h.example/x?token=hidden: cannot resolve the host",
        "no response from https://h.example/x?token=[redacted]: cannot resolve the host"
      ),
      (
        "Server=h;Password=hush;Database=d", "Server=h;Password=[redacted];Database=d"
      ),
      (
        "<login><password type='x'>hush</password><user>a</user></login>",
        "<login><password type='x'>[redacted]</password><user>a</user></login>"
      ),
      (
        #"{"body":"{\"password\":\"hush\",\"a\":1}"}"#,
        #"{"body":"{\"password\":\"[redacted]\",\"a\":1}"}"#
      ),
      (
        "see https://h.example/?token=hush, or (a=1&pw=hush).",
        "see https://h.example/?token=[redacted], or (a=1&pw=[redacted])."
      ),
      (
        "to ftp://[redacted]@h/?token=[redacted], expected",
        "to ftp://[redacted]@h/?token=[redacted], expected"
      ),
      (#"{"pin": 4711, "code": 200}"#, #"{"pin": "[redacted]", "code": 200}"#),
      (
        #"<meta id="password" value="hush"><p id="user" value="me">"#,
        #"<meta id="password" value="[redacted]"><p id="user" value="me">"#
      ),
      // Single quotes have no escapes but their own, and double ones have.
      (#"password: 'hush\' # it"#, "password: '[redacted]' # it"),
      (#"password: 'hu''sh' # it"#, "password: '[redacted]' # it"),
      (#"password: "hu\"sh" # it"#, #"password: "[redacted]" # it"#),
      ("card 4111111111111111. Next", "card [redacted]. Next"),
      ("card 4111 1111 1111 1111.", "card [redacted]."),
      ("4111111111111111.5", "4111111111111111.5"),
      (
        "?a=1&next=https://u:hush@h.example/x&b=2", "?a=1&next=https://[redacted]@h.example/x&b=2"
      ),
      ("?a=1&next=https%3A%2F%2Fu%3Ahush%40h.example&b=2", "?a=1&next=[redacted]&b=2"),
    ])
  func rest(text: String, expected: String) { #expect(masked(text, "") == expected) }

  @Test("harmless text stays as it is", arguments: SecretTable.harmless)
  func harmless(text: String) {
    for type in ["", "application/json", "text/xml", "multipart/form-data"] {
      #expect(masked(text, type) == text, "\(type)")
    }
    #expect(mask.masked(text) == text)
    let inJSON = "{\"note\":\(Self.quoted(text))}"
    #expect(masked(inJSON, "application/json") == inJSON)
    #expect(!SecretMask.looksSecret(Array(text.utf8)))
  }

  @Test(
    "harmless targets stay as they are",
    arguments: [
      "/", "/a?code=404&tokens=8", "/users/1?page=2&sort=key", "/a%20b/c?x=%7B%22a%22%3A1%7D", "*",
      "/api/webhooks", "/services/status", "/bot", "/a?q=the+password", "/?q=token", "/keys/1",
    ])
  func harmlessTargets(target: String) { #expect(mask.masked(target: target) == target) }

  @Test("a number stays one where types count")
  func numbers() {
    let body = Array(#"{"password":4711,"tokens":812,"cvv":123}"#.utf8)
    #expect(
      String(decoding: mask.masked(body, of: "application/json"), as: UTF8.self)
        == #"{"password":0,"tokens":812,"cvv":0}"#)
  }

  @Test("the table has the documented size")
  func counts() {
    #expect(SecretTable.names.count + SecretTable.tokens.count + SecretTable.addresses.count >= 90)
    #expect(SecretTable.harmless.count >= 60)
  }
}
