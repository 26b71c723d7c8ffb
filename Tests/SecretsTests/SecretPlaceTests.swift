import Testing
import UnderstudyCore
import UnderstudyTestSupport

@testable import UnderstudySecrets

/// Secrets whose names stand elsewhere, or that are recognised among digits, in Base64 and in
/// paths.
@Suite struct SecretPlaceTests {
  private let mask: SecretMask = .standard

  private func masked(_ text: String, _ type: String = "") -> String {
    String(
      decoding: mask.masked(Array(text.utf8), of: type, namedNumber: SecretMask.quotedMark),
      as: UTF8.self)
  }

  @Test(
    "a value is hidden by the label beside it",
    arguments: [
      #"[{"name":"password","value":"hush"}]"#, #"[{"value":"hush","name":"password"}]"#,
      #"{"key":"Authorization","type":"text","value":"hush"}"#,
      #"{"Name": "DB_PASSWORD", "Value": "hush"}"#, #"{"name":"X-Key","value":"hush"}"#,
      #"{"header":"X-Api-Key","values":["hush","hush"]}"#,
      #"{"value":{"a":["hush"]},"x":{"name":"a","b":[1]},"field":"client_secret"}"#,
      #"{"body":"{\"name\":\"password\",\"value\":\"hush\"}"}"#,
      "<p><name>password</name><value>hush</value></p>",
      "<member><name>token</name><value><string>hush</string></value></member>",
      "<dict><key>password</key>\n<string>hush</string></dict>",
      "env:\n  - name: DB_PASSWORD\n    value: hush\n", "- name: \"password\"\n  value: \"hush\"\n",
    ])
  func labels(text: String) {
    #expect(!masked(text).contains("hush"), "\(masked(text))")
    #expect(masked(text).contains(SecretMask.mark))
    #expect(masked(masked(text)) == masked(text))
  }

  @Test(
    "an argument is hidden by its name, as in GraphQL",
    arguments: [
      (#"login(user: "a", password: "hush")"#, #"login(user: "a", password: "[redacted]")"#),
      (#"login(password:"hush")"#, #"login(password:"[redacted]")"#),
      (#"m(input: {password: "hu\"sh", a: 1})"#, #"m(input: {password: "[redacted]", a: 1})"#),
      (#"m(token: """hush""")"#, #"m(token: """[redacted]""")"#),
      ("m(a: 1, otp: 123456)", "m(a: 1, otp: [redacted])"),
      ("{password: 'hush'}", "{password: '[redacted]'}"),
      (
        #"{"query":"mutation { login(password: \"hush\") { id } }","variables":{"password":"x"}}"#,
        #"{"query":"mutation { login(password: \"[redacted]\") { id } }","variables":{"password":"[redacted]"}}"#
      ),
    ])
  func graphQL(text: String, expected: String) { #expect(masked(text) == expected) }

  @Test(
    "JSON in Base64 is hidden if something in it is to be hidden",
    arguments: [
      #"{"password":"hush42"}"#, #"{ "a": 1, "token": "hush42" }"#,
      "{\n  \"password\": \"hush42\"\n}",
      #"[{"name":"password","value":"hush42"}]"#, #"{"a":"https://u:hush42@h.example"}"#,
    ])
  func encoded(json: String) {
    let text = Base64.encode(Array(json.utf8))
    for form in [text, text.filter { $0 != "=" }, text.replacing("+", with: "-")] {
      #expect(masked("{\"a\":\"\(form)\"}") == #"{"a":"[redacted]"}"#)
      #expect(mask.masked("see \(form), or") == "see [redacted], or")
      #expect(mask.masked(target: "/a?x=\(form)") == "/a?x=[redacted]")
    }
    let harmless = Base64.encode(Array(#"{"page":2,"after":"2024-01-05","sort":"name"}"#.utf8))
    #expect(masked("{\"a\":\"\(harmless)\"}") == "{\"a\":\"\(harmless)\"}")
  }

  @Test(
    "what is like a JSON Web Token is one",
    arguments: [
      "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0NTY3ODkwIn0", "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0In0.",
      "eyJhbGciOiJkaXIifQ.abcdefgh.q8ZrT3bK9wXy2LmN",
      "eyJ1c2VyIjoxfQaaaa.ZabcdE.q8ZrT3bK9wXy2LmN5v",
    ])
  func webTokens(token: String) {
    #expect(mask.masked("see \(token) there") == "see [redacted] there")
    #expect(SecretMask.looksSecret(Array(token.utf8)))
  }

  /// Numbers for tests, by their issuers.
  static let cards = [
    "4111111111111111", "4111 1111 1111 1111", "4012-8888-8888-1881", "5555555555554444",
    "5105 1051 0510 5100", "2223003122003222", "378282246310005", "3714 496353 98431",
    "6011111111111117", "3530111333300000", "30569309025904", "3056 930902 5904",
    "6200000000000005", "6212345678900000003",
  ]

  @Test("the number of a card is hidden", arguments: SecretPlaceTests.cards)
  func card(number: String) {
    #expect(masked("{\"n\":\"\(number)\"}") == #"{"n":"[redacted]"}"#)
    #expect(mask.masked("pay with \(number).") == "pay with [redacted].")
    #expect(mask.masked(target: "/pay?n=\(number.filter(\.isNumber))") == "/pay?n=[redacted]")
    guard number.allSatisfy(\.isNumber) else { return }
    #expect(masked("{\"n\":\(number),\"a\":1}") == #"{"n":"[redacted]","a":1}"#)
    #expect(masked("[1, \(number) ]") == #"[1, "[redacted]" ]"#)
  }

  @Test(
    "other numbers stay",
    arguments: [
      "4111111111111112", "1732406400000000", "1732406400123", "20241124003519123",
      "0.4111111111111111",
      "-4111111111111111", "41111111111111111", "9007199254740993", "1234567890123452",
      "4111 11111111 1111", "4111 1111-1111 1111", "a4111111111111111", "4111111111111111a",
      "550e8400-e29b-41d4-a716-446655440000", "2024-11-24 00:35:19", "4111/1111/1111/1111",
      "5000000000000009", "4000000000000000", "5555 5555 55", "123 4111111111111111234",
      "1310000000000000000", "192.168.4111111111111111", "6200 0000", "2720992593319364x",
    ])
  func numbers(text: String) {
    for text in [text, "{\"n\":\"\(text)\"}", "a \(text) b"] { #expect(masked(text) == text) }
  }

  @Test("the token in a link is hidden")
  func links() {
    let tokens = [
      "q8ZrT3bK9wXy2LmN", "550e8400-e29b-41d4-a716-446655440000", "MQ/c7x9w2-3f0a4b5c6d7e8f90a1b2",
      "a1b2c3d4e5f6a7b8c9d0?x=1",
    ]
    for place in ["reset", "password-reset", "verify-email", "verify", "confirm", "magic-link"] {
      for token in tokens {
        let rest = token.contains("?") ? "?x=1" : ""
        #expect(mask.masked(target: "/a/\(place)/\(token)") == "/a/\(place)/[redacted]\(rest)")
        #expect(
          masked("{\"u\":\"https://h.example/\(place)/\(token)\"}")
            == "{\"u\":\"https://h.example/\(place)/[redacted]\(rest)\"}")
      }
      for path in ["", "/", "/done", "/a-long-word-of-letters", "/{token}", "/1234567890123456789"]
      {
        #expect(mask.masked(target: "/\(place)\(path)") == "/\(place)\(path)")
      }
    }
  }

  @Test(
    "OAuth's state and code are hidden in a query when they look random",
    arguments: [
      (
        "/cb?code=a1b2c3d4e5f6a7b8c9d0&state=q8ZrT3bK9wXy2LmN",
        "/cb?code=[redacted]&state=[redacted]"
      ),
      ("/a?nonce=q8ZrT3bK9wXy2LmN", "/a?nonce=[redacted]"), ("/a?state=open", "/a?state=open"),
      ("/a?state=New+South+Wales", "/a?state=New+South+Wales"),
      ("/#state=q8ZrT3bK9wXy2LmN", "/#state=[redacted]"),
    ])
  func oauth(target: String, expected: String) { #expect(mask.masked(target: target) == expected) }

  @Test("a part of a form has its name in any notation")
  func parts() {
    for name in ["name*=UTF-8''password", "name*=utf-8'en'pass%77ord", "name=password"] {
      let text = "--B\r\nContent-Disposition: form-data; \(name)\r\n\r\nhush\r\n--B--\r\n"
      #expect(
        masked(text, "multipart/form-data; boundary=B")
          == text.replacing("hush", with: SecretMask.mark))
    }
  }

  @Test("UTF-16 is read, and left out if it has a secret", arguments: [true, false])
  func utf16(isLittle: Bool) {
    func body(_ text: String, hasMark: Bool) -> [UInt8] {
      ((hasMark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit in
        let bytes = [UInt8(unit >> 8), UInt8(unit & 255)]
        return isLittle ? bytes.reversed() : bytes
      }
    }
    let mark = Array(SecretMask.mark.utf8)
    for hasMark in [true, false] {
      let secret = body(#"{"password":"hush"}"#, hasMark: hasMark)
      #expect(mask.masked(secret, of: "application/json") == mark)
      let sent = body(#"{"a":"hush42"}"#, hasMark: hasMark)
      #expect(SecretMask(secrets: ["hush42"]).masked(sent, of: "application/json") == mark)
      #expect(mask.masked(sent, of: "application/json") == sent)
    }
    let named = body("é password=hush", hasMark: false)
    #expect(
      mask.masked(named, of: "text/plain; charset=utf-16\(isLittle ? "le" : "be")") == mark)
  }

  @Test("only a header with a hyphen is a key")
  func key() {
    #expect(mask.masked("hush", of: "X-Key") == SecretMask.mark)
    #expect(
      masked(#"{"xKey":"date","x_key":"a","key":"b"}"#) == #"{"xKey":"date","x_key":"a","key":"b"}"#
    )
  }

  @Test(
    "what looks alike stays",
    arguments: [
      #"{"name":"password","type":"string","required":true}"#, #"{"name":"title","value":"x"}"#,
      #"{"name":"password","value":""}"#, #"[{"name":"password"},{"value":"x"}]"#,
      #"{"value":"x","fields":[{"name":"password"}]}"#, #"{"key":"value","value":"key"}"#,
      "f(token: string, password: String!)", "login(password: $password)", "(tokens: 5)",
      #"{"a":"see password: none"}"#, "<name>password</name><title>x</title>",
      "- name: page\n  value: 2\n", "eyJ", "eyJhbGciOiJub25lIn0.b", "W3siYSI6MX1d",
      "/reset/reset/reset/",
      #"{"charts":{"xKey":"date"}}"#, "4111", "4 4 4 4",
    ])
  func alike(text: String) { #expect(masked(text) == text) }
}
