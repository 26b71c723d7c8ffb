import UnderstudyCore

/// Credentials recognized by their form, whatever their name: keys and tokens by issuer, private
/// keys, and webhook URLs, which are secrets themselves.
struct SecretForm: Sendable {
  /// The text that the credential must contain.
  let needle: [UInt8]
  /// How many bytes of it are not secret.
  let shownCount: Int
  let steps: [Step]
  /// The bytes that may continue it.
  let rest: ByteKinds
  /// Whether what follows in the path is a credential only if it looks random.
  var isOfLink = false

  enum Step: Sendable {
    case run(ByteKinds, min: Int)
    case text([UInt8])
  }

  private init(
    _ needle: String, shown shownCount: Int = 0, _ steps: [Step], rest: ByteKinds = []
  ) {
    self.needle = Array(needle.utf8)
    self.shownCount = shownCount
    self.steps = steps
    self.rest = rest
  }

  private init(_ needle: String, _ min: Int, _ kinds: ByteKinds = .alphanumeric) {
    self.init(needle, [.run(kinds, min: min)])
  }

  /// After a path component, up to the end of the path.
  private init(path needle: String, _ steps: Step...) {
    self.init(needle, shown: needle.utf8.count, steps, rest: .path)
  }

  /// The path of a link that is sent by mail.
  private init(link needle: String) {
    self.init(needle, shown: needle.utf8.count, [])
    isOfLink = true
  }

  private static let slash = Step.text([.slash])

  private static let known: [SecretForm] = [
    // GitHub, GitLab, npm, PyPI, Docker, Hugging Face
    Self("ghp_", 36), Self("gho_", 36), Self("ghu_", 36), Self("ghs_", 36), Self("ghr_", 36),
    Self("github_pat_", 22, .word), Self("glpat-", 20, .word), Self("npm_", 36),
    Self("pypi-AgE", 40, .word), Self("dckr_pat_", 20, .word), Self("hf_", 30),
    // Amazon, Google, DigitalOcean, HashiCorp
    Self("AKIA", 16, [.upper, .digit]), Self("ASIA", 16, [.upper, .digit]),
    Self("AIza", 35, .word), Self("ya29.", 20, .word), Self("GOCSPX-", 20, .word),
    Self("dop_v1_", 40), Self("hvs.", 20, .word),
    // Slack, Stripe, Shopify, SendGrid, Atlassian, Sentry, Figma, Linear, Postman
    Self("xoxa-", 10, .word), Self("xoxb-", 10, .word), Self("xoxp-", 10, .word),
    Self("xoxr-", 10, .word), Self("xoxs-", 10, .word), Self("xoxe-", 10, .word),
    Self("xapp-", 10, .word), Self("rk_live_", 16), Self("sk_live_", 16), Self("whsec_", 24),
    Self("shpat_", 32), Self("SG.", 40, [.alphanumeric, .dash, .underscore, .dot]),
    Self("ATATT3", 20, .word), Self("sntrys_", 20, .word), Self("figd_", 20, .word),
    Self("lin_api_", 30), Self("PMAK-", 20, .word),
    // OpenAI, Anthropic, age
    Self("sk-proj-", 20, .word), Self("sk-ant-", 20, .word), Self("sk-", 40),
    Self("AGE-SECRET-KEY-1", 40, [.upper, .digit]),
    // JSON Web Tokens, and what follows an HTTP authentication scheme
    Self(
      "eyJ", [.run(.word, min: 10), .text(Array(".eyJ".utf8)), .run(.word, min: 10)],
      rest: [.word, .dot]),
    Self(
      "eyJ",
      [
        .run(.word, min: 10), .text([.period]), .run(.word, min: 6), .text([.period]),
        .run(.word, min: 10),
      ], rest: [.word, .dot]),
    Self("earer ", shown: 6, [.run(.token, min: 20)], rest: .token),
    // Slack, Discord, Telegram, Teams, Zapier, IFTTT, Feishu, Mattermost, PagerDuty
    Self(
      path: "/services/", .run([.upper, .digit], min: 7), slash, .run(.word, min: 6), slash,
      .run(.word, min: 10)),
    Self(path: "/workflows/", .run([.upper, .digit], min: 7), slash, .run(.word, min: 6), slash),
    Self(path: "/triggers/", .run([.upper, .digit], min: 7), slash, .run(.digit, min: 6), slash),
    Self(path: "/api/webhooks/", .run(.digit, min: 8), slash, .run(.word, min: 20)),
    Self(path: "/bot", .run(.digit, min: 6), .text([.colon]), .run(.word, min: 20)),
    Self(path: "/webhookb2/", .run([.word, .at], min: 30)),
    Self(path: "/IncomingWebhook/", .run(.word, min: 16)),
    Self(path: "/hooks/catch/", .run(.digit, min: 3), slash, .run(.word, min: 5)),
    Self(path: "/with/key/", .run(.word, min: 10)),
    Self(path: "/bot/v2/hook/", .run(.word, min: 20)),
    Self(path: "/hooks/", .run([.lower, .digit], min: 26)),
    Self(path: "/integration/", .run([.lower, .digit], min: 32)),
  ]

  private static let links: [SecretForm] =
    [
      "reset", "reset-email", "reset-password", "reset_password", "password", "password-reset",
      "password_reset", "forgot-password", "verify", "verify-email", "verification", "confirm",
      "confirm-email", "confirmation", "activate", "activation", "invite", "invitation", "magic",
      "magic-link", "magiclink", "unsubscribe",
    ].map { SecretForm(link: "/\($0)/") }

  private static let all = known + links

  /// What forms can start with: at least two bytes.
  static var beginnings: [[UInt8]] { all.map(\.needle) + [privateKey, basic] }

  /// Whether a form can have two bytes in its first three, with the first multiplied by 256.
  private static let pairs: ContiguousArray = {
    var pairs = ContiguousArray(repeating: false, count: 1 << 16)
    for needle in all.map(\.needle) + [privateKey] {
      for place in 0...1 { pairs[Int(needle[place]) << 8 | Int(needle[place + 1])] = true }
    }
    return pairs
  }()

  /// By a hash of three bytes: the number of the group that can start with them; 0 for none.
  private static let starts = grouped.starts
  /// Forms that start alike, by the numbers above: most groups have one.
  private static let groups = grouped.groups

  private static let grouped: (starts: ContiguousArray<UInt8>, groups: [[SecretForm]]) = {
    var starts = ContiguousArray<UInt8>(repeating: 0, count: 1 << 14)
    var groups: [[SecretForm]] = [[]]
    func group(of needle: [UInt8]) -> Int {
      let place = place(of: needle[0], needle[1], needle[2])
      if starts[place] == 0 {
        starts[place] = UInt8(groups.count)
        groups.append([])
      }
      return Int(starts[place])
    }
    for form in all { groups[group(of: form.needle)].append(form) }
    // A private key has no form of its own here.
    _ = group(of: privateKey)
    return (starts, groups)
  }()

  /// The forms that may start at a place.
  static func candidates(in bytes: [UInt8], at offset: Int) -> [SecretForm] {
    guard offset + 2 < bytes.count else { return [] }
    return groups[Int(starts[place(of: bytes[offset], bytes[offset + 1], bytes[offset + 2])])]
  }

  private static func place(of first: UInt8, _ second: UInt8, _ third: UInt8) -> Int {
    let three = UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third)
    return Int(truncatingIfNeeded: (three &* 0x9E37_79B1) >> 18)
  }

  /// The next place at which a form may start.
  ///
  /// Looks at every second pair: a form has one of them in its first three bytes.
  static func nextStart(in bytes: [UInt8], from start: Int) -> Int? {
    let bytes = bytes[...]
    let (text, pairs, starts) = (bytes.span, pairs.span, starts.span)
    var next = start
    while next &+ 2 < text.count {
      let (second, third) = (text[next &+ 1], text[next &+ 2])
      if pairs[Int(second) << 8 | Int(third)] {
        if starts[place(of: text[next], second, third)] != 0 { return next }
        if next &+ 3 < text.count, starts[place(of: second, third, text[next &+ 3])] != 0 {
          return next + 1
        }
      }
      next &+= 2
    }
    return nil
  }

  private static let privateKey = Array("-----BEGIN ".utf8)
  private static let keyEnd = Array("-----END ".utf8)
  private static let basic = Array("asic ".utf8)

  /// Messages cut long texts with an ellipsis: the beginning of a token is a secret too.
  fileprivate static let ellipsis = Array("…".utf8)
  private static let cutBytesMin = 4

  enum Match {
    case found(Range<Int>)
    /// No form with several steps can start before this place either.
    case deadEnd(Int)
    case none
  }

  /// The form that starts at a place.
  func match(_ bytes: [UInt8], at offset: Int) -> Match {
    guard bytes.holds(needle, at: offset) else { return .none }
    // `sk-` is in `risk-`.
    if needle.count < 4, offset > 0, bytes[offset - 1].isLetterOrDigit { return .none }
    var end = offset + needle.count
    if isOfLink { return link(bytes, from: end) }
    var firstEnd: Int?
    for step in steps {
      switch step {
      case .run(let kinds, let min):
        let start = end
        end = bytes.endOfRun(of: kinds, from: start)
        if bytes.isCut(at: end), end - start >= Self.cutBytesMin {
          return .found(offset + shownCount..<end)
        }
        guard end - start >= min else { return firstEnd.map(Match.deadEnd) ?? .none }
        firstEnd = firstEnd ?? end
      case .text(let text):
        guard bytes.holds(text, at: end) else { return firstEnd.map(Match.deadEnd) ?? .none }
        end += text.count
      }
    }
    return .found(offset + shownCount..<bytes.endOfRun(of: rest, from: end))
  }

  private static let linkBytesMax = 512

  /// The rest of a path whose first or second component looks random.
  private func link(_ bytes: [UInt8], from start: Int) -> Match {
    let limit = min(bytes.count, start + Self.linkBytesMax)
    let end =
      bytes[start..<limit].firstIndex {
        ByteKinds.table[Int($0)].isDisjoint(with: .path) || $0 == .colon
      } ?? limit
    let isRandom = bytes[start..<end].split(separator: .slash).prefix(2)
      .contains(where: SecretNames.Rule.random.hides)
    return isRandom ? .found(start..<end) : .none
  }

  /// A private key, including its first and last line: to the end of the text if it is cut off.
  static func privateKey(_ bytes: [UInt8], at offset: Int) -> Range<Int>? {
    guard bytes.holds(privateKey, at: offset) else { return nil }
    let start = offset + privateKey.count
    let end = bytes.endOfRun(of: [.upper, .space], from: start)
    let words = bytes[start..<end]
    let names = ["PRIVATE KEY", "PRIVATE KEY BLOCK"].map { $0.utf8.reversed() }
    let isCut = bytes.isCut(at: end)
    guard isCut || names.contains(where: { words.reversed().starts(with: $0) }) else { return nil }
    var last = isCut ? end : start
    while !isCut, last < bytes.count, bytes[last] != .quote {
      if bytes.holds(keyEnd, at: last) {
        let dashes = bytes.endOfRun(of: [.upper, .space], from: last + keyEnd.count)
        return offset..<bytes.endOfRun(of: .dash, from: dashes)
      }
      last += 1
    }
    return offset..<last
  }

  /// What follows `Basic` in `Authorization`: `user:password` in Base64.
  static func basic(_ bytes: [UInt8], at offset: Int) -> Range<Int>? {
    guard bytes.holds(basic, at: offset), offset > 0, bytes[offset - 1] | 0x20 == UInt8(ascii: "b")
    else { return nil }
    let start = offset + basic.count
    let end = bytes.endOfRun(of: .token, from: start)
    guard end - start >= 4 else { return nil }
    // All bytes are printable, and one is a colon; ordinary words after "basic" are not like this.
    guard let decoded = bytes[start..<end].decodedBase64(), decoded.contains(.colon),
      decoded.allSatisfy({ 0x20..<0x7F ~= $0 })
    else { return nil }
    return start..<end
  }
}

/// Kinds of bytes.
struct ByteKinds: OptionSet, Sendable {
  let rawValue: UInt16
  static let upper = Self(rawValue: 1)
  static let lower = Self(rawValue: 2)
  static let digit = Self(rawValue: 4)
  static let dash = Self(rawValue: 8)
  static let underscore = Self(rawValue: 16)
  static let dot = Self(rawValue: 32)
  static let at = Self(rawValue: 64)
  static let space = Self(rawValue: 128)
  /// Further characters of Base64 and its variants.
  static let base64 = Self(rawValue: 256)
  /// Further characters of paths.
  static let slash = Self(rawValue: 512)

  static let alphanumeric: Self = [.upper, .lower, .digit]
  static let word: Self = [.alphanumeric, .dash, .underscore]
  static let token: Self = [.word, .dot, .base64]
  static let path: Self = [.token, .at, .slash]

  static let table: [ByteKinds] = (UInt8.min...UInt8.max).map { byte in
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): .upper
    case UInt8(ascii: "a")...UInt8(ascii: "z"): .lower
    case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
    case UInt8(ascii: "-"): .dash
    case UInt8(ascii: "_"): .underscore
    case UInt8(ascii: "."): .dot
    case .at: .at
    case .space: .space
    case UInt8(ascii: "+"), UInt8(ascii: "~"), .equals: .base64
    case .slash: [.slash, .base64]
    case .percent, .colon: .slash
    default: []
    }
  }
}

extension [UInt8] {
  func holds(_ other: [UInt8], at offset: Int) -> Bool {
    guard other.count <= count - offset else { return false }
    var index = 0
    while index < other.count, self[offset + index] == other[index] { index += 1 }
    return index == other.count
  }

  /// Whether a text was cut here: `ghp_0123…` or `"ghp_0123"…`.
  func isCut(at offset: Int) -> Bool {
    let end = offset < count && self[offset] == .quote ? offset + 1 : offset
    return holds(SecretForm.ellipsis, at: end)
  }

  func endOfRun(of kinds: ByteKinds, from start: Int) -> Int {
    let table = ByteKinds.table
    var end = start
    while end < count, !table[Int(self[end])].isDisjoint(with: kinds) { end += 1 }
    return end
  }
}

extension UInt8 {
  /// In either alphabet.
  var base64Value: UInt8? {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): self - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): self - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case .slash, UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
