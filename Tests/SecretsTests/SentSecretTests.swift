import Testing
import UnderstudyCore
import UnderstudyJSON

@testable import UnderstudySecrets

/// A secret that was sent, in every spelling in which a response may repeat it.
@Suite struct SentSecretTests {
  private static let secrets = [
    "hush&<42>/\"x\"+y", "q8ZrT3bK9wXy2LmN", "hush 42%25=é", "secret", "a\\b\\u0063d'e",
  ]

  private static func hex(_ text: String, isUpper: Bool = false) -> String {
    text.utf8.map { String(String(Int($0) + 256, radix: 16, uppercase: isUpper).dropFirst()) }
      .joined()
  }

  private static func each(_ text: String, _ spell: (UInt8) -> String) -> String {
    text.utf8.map(spell).joined()
  }

  private static func spellings(_ secret: String) -> [String: String] {
    func twoDigits(_ byte: UInt8) -> String {
      String(String(Int(byte) + 256, radix: 16, uppercase: true).dropFirst())
    }
    var quoted = JSONWriter()
    quoted.string(secret)
    let json = String(decoding: quoted.bytes.dropFirst().dropLast(), as: UTF8.self)
    var again = JSONWriter()
    again.string(json)
    let named = secret.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("\"", with: "&quot;").replacing("'", with: "&apos;")
    let units = secret.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    let wrapped = { (text: String) in
      text.enumerated().map { $0 % 5 == 4 ? "\($1)\r\n" : "\($1)" }.joined()
    }
    let base64 = Base64.encode(Array(secret.utf8))
    var spellings: [String: String] = [
      "as it is": secret, "JSON": json,
      "JSON in JSON": String(decoding: again.bytes, as: UTF8.self),
      "UTF-16 escapes": units.joined(),
      "percent": each(secret) { "%\(twoDigits($0))" },
      "percent in percent": each(secret) { "%25\(twoDigits($0))" },
      "named entities": named, "entities of entities": named.replacing("&", with: "&amp;"),
      "all named": named.replacing("/", with: "&sol;").replacing("+", with: "&plus;"),
      "decimal": secret.unicodeScalars.map { "&#\($0.value);" }.joined(),
      "padded decimal": secret.unicodeScalars.map { "&#0\($0.value);" }.joined(),
      "hexadecimal entities": secret.unicodeScalars.map { "&#x\(String($0.value, radix: 16));" }
        .joined(),
      "capital hexadecimal entities": secret.unicodeScalars
        .map { "&#X\(String($0.value, radix: 16, uppercase: true));" }.joined(),
      "quoted-printable": each(secret) { "=\(twoDigits($0))" },
      "quoted-printable, wrapped": each(secret) { "=\(twoDigits($0))=\r\n" },
      "hex": hex(secret), "HEX": hex(secret, isUpper: true), "hex, wrapped": wrapped(hex(secret)),
      "Base64 with line ends in JSON": wrapped(base64).replacing("\r\n", with: "\\n"),
      "Base64 in a URL": base64.replacing("+", with: "%2B").replacing("/", with: "%2F"),
      "Base64 in HTML": base64.replacing("+", with: "&#43;").replacing("/", with: "&#x2f;"),
      "\\x escapes": each(secret) { "\\x\(twoDigits($0))" },
    ]
    for (before, after) in [("", ""), ("a", "b"), ("ab", "cd"), ("abc", "def"), ("user:", "\n")] {
      let text = Base64.encode(Array((before + secret + after).utf8))
      spellings["Base64 \(before)"] = text
      spellings["Base64 without padding \(before)"] = text.filter { $0 != "=" }
      spellings["URL's Base64 \(before)"] =
        text.replacing("+", with: "-").replacing("/", with: "_")
      spellings["Base64 in lines \(before)"] = wrapped(text)
    }
    return spellings
  }

  @Test("a sent secret is hidden in every spelling", arguments: secrets)
  func spellings(secret: String) {
    let mask = SecretMask(secrets: [secret])
    for (name, spelled) in Self.spellings(secret) {
      for text in ["see \(spelled) there", "<\(spelled)>", spelled, "x=\(spelled)&y=1"] {
        let masked = mask.withoutSent(text)
        #expect(masked.contains(SecretMask.mark), "\(name): \(text)")
        // What is left of it around the mark is at most a letter of Base64 with bits of others.
        #expect(masked.count < 40, "\(name): \(masked)")
      }
      var writer = JSONWriter()
      writer.object { $0.member("a", spelled) }
      for type in ["application/json", "text/plain", ""] {
        let body = String(decoding: mask.masked(writer.bytes, of: type), as: UTF8.self)
        #expect(body.contains(SecretMask.mark), "\(name), \(type): \(body)")
        #expect(JSONDocument(valid: Array(body.utf8)) != nil, "\(name), \(type): \(body)")
      }
      #expect(mask.masked(spelled, of: "X-Echo").contains(SecretMask.mark), "\(name)")
    }
  }

  @Test("what Basic stands for is a secret as well")
  func basic() {
    let mask = SecretMask(secrets: SecretMask.parts(of: "Basic dXNlcjpodXNoNDI="))
    #expect(
      mask.withoutSent("hush42, user:hush42, dXNlcjpodXNoNDI=")
        == "[redacted], [redacted], [redacted]")
  }

  @Test("a short secret is not searched for in Base64, where it would be found in anything")
  func short() {
    let mask = SecretMask(secrets: ["abcd"])
    #expect(mask.withoutSent("YWJjZA== 61626364 abcd") == "YWJjZA== 61626364 [redacted]")
  }

  @Test("the number of forms is bounded, and most places of a text have none to look at")
  func cost() {
    #expect(SecretText.forms(of: String(repeating: "x", count: 10_000)).count == 5)
    let texts = SecretTexts(SecretText.forms(of: "q8ZrT3bK9wXy2LmN"))
    #expect(texts.mayBegin.count { $0 } <= 9)
  }

  @Test("a run of backslashes is read once, not once from each of them")
  func backslashes() {
    let text = String(repeating: "\\", count: 1 << 20)
    #expect(SecretMask(secrets: ["\nhush42"]).withoutSent(text) == text)
  }

  @Test(
    "other text stays",
    arguments: [
      "a=3D b &amp; c %20 d \\n e", "hush", "Q8ZRT3BK9WXY2LMN", "aHVzaA", "&#104;&#117;",
      "&;&#;&#x;",
      "=\r\n=", "%", "%2", "%25", "%2525", "\\", "\\u00", "&amp;amp;", "=4",
    ])
  func others(text: String) {
    #expect(SecretMask(secrets: Self.secrets).withoutSent(text) == text)
  }

  @Test(
    "of cookies, only credentials are secrets elsewhere",
    arguments: [
      ("Cookie", "theme=dark; lang=en-US; year=2024; welcome=high-contrast", []),
      ("cookie", "a=4f9d0c1b7a2e4d55; b=dark", ["4f9d0c1b7a2e4d55"]),
      ("Cookie", "a=8421937401928374; b=84219374", ["8421937401928374"]),
      ("Cookie", "session=short; flag", ["short"]),
      ("Set-Cookie", "session=short; Path=/4f9d0c1b7a2e4d55", ["short"]),
      ("X-Api-Key", "dark", ["dark"]),
    ] as [(String, String, [String])])
  func cookies(name: String, value: String, expected: [String]) {
    #expect(Set(SecretMask.parts(of: value, inHeader: name)) == Set(expected))
  }

  @Test(
    "what an escape means is known, and what is none means nothing",
    arguments: [
      ("\u{8}", "\\b", true), ("\t", "\\t", true), ("\n", "\\n", true), ("\u{C}", "\\f", true),
      ("\r", "\\r", true), ("\"", "\\\"", true), ("/", "\\/", true), ("'", "\\'", true),
      ("\\", "\\\\", true), ("a", "\\a", false), ("v", "\\v", false), ("A", "\\u0041", true),
      ("A", "\\u041", false), ("A", "\\x41", true), ("A", "\\x4", false), ("A", "\\X41", false),
      ("é", "\\u00E9", true), ("é", "\\xc3\\xa9", true), ("😀", "\\ud83d\\ude00", true),
      ("😀", "\\uD83D\\\\uDE00", true), ("😀", "\\ud83d", false), ("😀", "\\ud83d\\x41", false),
      ("😀", "\\ude00\\ud83d", false), ("😀", "\\ud83d\\ud83d", false),
      ("😀", "\\ud83d\\ue000", false),
      ("\u{10000}", "\\ud800\\udc00", true), ("\u{10FFFF}", "\\udbff\\udfff", true),
      ("A", "%41", true), ("A", "%2541", true), ("A", "%25252541", true),
      ("A", "%2525252541", false),
      ("A", "%4", false), ("A", "=41", true), ("A", "=\n=41", true), ("A", "=\r\n=41", true),
      ("A", "=\r=41", false), ("A", "&#65;", true), ("A", "&#65", true), ("A", "&#x41;", true),
      ("A", "&#X41;", true), ("A", "&#x0000041;", true), ("A", "&#x00000041;", true),
      ("A", "&#x000000041;", false), ("A", "&amp;#65;", true), ("A", "&amp;amp;amp;#65;", true),
      ("A", "&amp;amp;amp;amp;#65;", false), ("A", "&#;", false), ("A", "&#x;", false),
      ("<", "&lt;", true), ("<", "&lt", false), ("<", "&Lt;", false), ("<", "&amp;lt;", true),
    ])
  func escapes(character: String, spelled: String, isKnown: Bool) {
    let mask = SecretMask(secrets: ["hush\(character)-42+x"])
    let text = "<hush\(spelled)-42+x>"
    #expect(mask.withoutSent(text) == (isKnown ? "<[redacted]>" : text))
  }

  @Test("each name that HTML has for a character of ASCII is known")
  func entities() {
    let names = """
      & amp AMP < lt LT > gt GT " quot QUOT ' apos ! excl # num $ dollar % percnt ( lpar ) rpar * ast midast \
      + plus , comma . period / sol : colon ; semi = equals ? quest @ commat [ lsqb lbrack \\ bsol \
      ] rsqb rbrack ^ Hat _ lowbar UnderBar ` grave { lcub lbrace | verbar vert } rcub rbrace
      """
    var character = ""
    for word in names.split(separator: " ").map(String.init) {
      if word.count == 1 {
        character = word
        continue
      }
      let mask = SecretMask(secrets: ["hush\(character)42x"])
      #expect(mask.withoutSent("hush&\(word);42x") == "[redacted]", "\(word)")
    }
    for (name, character) in [("Tab", "\t"), ("NewLine", "\n")] {
      let mask = SecretMask(secrets: ["hush\(character)42x"])
      #expect(mask.withoutSent("hush&\(name);42x") == "[redacted]")
    }
  }

  @Test(
    "short secrets are not searched for, and short values that were seen only as words",
    arguments: [
      ("abc", false, "abc xabcx 1", "abc xabcx 1"),
      ("abcd", false, "abcd xabcdx", "[redacted] x[redacted]x"),
      ("abc", true, "abc xabcx", "abc xabcx"), ("abcd", true, "abcd xabcdx", "[redacted] xabcdx"),
      ("seen-12", true, "seen-12 xseen-12x", "[redacted] xseen-12x"),
      ("seen-123", true, "seen-123 xseen-123x", "[redacted] x[redacted]x"),
    ])
  func lengths(secret: String, isSeen: Bool, text: String, shown: String) {
    let mask = isSeen ? SecretMask(seen: [secret]) : SecretMask(secrets: [secret])
    #expect(mask.withoutSent(text) == shown)
    #expect(
      SecretMask().adding(seen: [secret]).withoutSent(text)
        == SecretMask(seen: [secret]).withoutSent(text))
  }
}
