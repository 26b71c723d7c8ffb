import UnderstudyCore

/// The names of credentials, ignoring case, hyphens and underscores.
///
/// `X-Api-Key`, `x_api_key` and `xApiKey` are one name; in `user[password]` and `user.password`
/// each part is also a name. Some names carry credentials only sometimes: then the value decides.
package struct SecretNames: Sendable {
  /// Where a name occurs.
  package enum Location: Hashable, Sendable {
    /// A header, a member of JSON, an element or attribute of XML.
    case field
    /// A query parameter or form field, where `key` and `sig` are credentials too.
    case parameter
  }

  /// Which part of a value is hidden.
  enum Rule: Hashable, Sendable {
    /// All texts and numbers in it.
    case whole
    /// All texts in it, since `tokens` may be a count.
    case texts
    /// A text without whitespace: not `"session": "Opening keynote"`.
    case word
    /// A text that looks random: not `"code": "E42"`.
    case random
    /// Four to eight digits: not `"pin": "on the map"`.
    case digits
  }

  /// Names of credentials, alone or at the end of longer names: `X-Vault-Token`, `client_secret`.
  private static let endings: [String: Rule] = [
    "authorization": .whole, "token": .whole, "secret": .whole, "password": .whole,
    "passwd": .whole, "pwd": .whole, "passphrase": .whole, "passcode": .whole, "jwt": .whole,
    "otp": .whole, "credential": .whole, "apikey": .whole, "accesskey": .whole,
    "accesskeyid": .whole, "secretkey": .whole, "privatekey": .whole, "authkey": .whole,
    "appkey": .whole, "applicationkey": .whole, "subscriptionkey": .whole, "functionskey": .whole,
    "masterkey": .whole, "signingkey": .whole, "encryptionkey": .whole, "accountkey": .whole,
    "sharedkey": .whole, "sessionkey": .whole, "sessionid": .whole, "sessid": .whole,
    "session": .word, "signature": .word,
  ]

  private static let exact: [String: Rule] = [
    "cookies": .texts, "tokens": .texts, "secrets": .texts, "passwords": .texts,
    "credentials": .texts, "apikeys": .texts, "recoverycodes": .texts, "backupcodes": .texts,
    "cookie": .whole, "setcookie": .whole, "cvv": .whole, "cvc": .whole,
    "bearer": .whole, "csrf": .whole, "xsrf": .whole, "passwordhash": .whole,
    "passwordconfirmation": .whole, "clientassertion": .whole, "samlresponse": .whole,
    "codeverifier": .whole, "xamzsignature": .whole, "devicecode": .whole, "authcode": .whole,
    "authorizationcode": .whole,
    "verificationcode": .whole, "securitycode": .whole, "onetimecode": .whole, "mfacode": .whole,
    "otpcode": .whole, "recoverycode": .whole,
    "pass": .word, "pw": .word, "xauth": .word, "auth": .random, "code": .random, "sig": .random,
    "pin": .digits,
  ]

  private static let ofParameters: [String: Rule] = [
    "key": .whole, "sig": .whole, "sid": .whole, "pass": .whole, "pw": .whole, "session": .whole,
    "signature": .whole, "state": .random, "nonce": .random,
  ]

  /// Endings of names that only look like credentials: positions in a list, and special tokens of
  /// language models.
  private static let harmless = [
    "pagetoken", "nexttoken", "prevtoken", "previoustoken", "continuationtoken", "cursortoken",
    "synctoken", "eostoken", "bostoken", "padtoken", "unktoken", "septoken", "clstoken",
    "masktoken", "stoptoken", "designtoken",
  ].map { Array($0.utf8) }

  private static let parameterRules = bytes(ofParameters)
  /// By the last byte of the name.
  private static let endingRules: [[(name: [UInt8], rule: Rule)]] = {
    var rules = [[(name: [UInt8], rule: Rule)]](repeating: [], count: 256)
    for (ending, rule) in endings {
      let name = Array(ending.utf8)
      if let last = name.last { rules[Int(last)].append((name, rule)) }
    }
    return rules
  }()

  private static func bytes(_ rules: [String: Rule]) -> [ArraySlice<UInt8>: Rule] {
    Dictionary(rules.map { (Array($0.key.utf8)[...], $0.value) }, uniquingKeysWith: { $1 })
  }

  package static let standard = SecretNames()

  private let rules: [ArraySlice<UInt8>: Rule]

  /// - Parameter names: additional names.
  package init(adding names: some Sequence<String> = []) {
    let added = names.map { (Self.plain(Array($0.utf8)[...])[...], Rule.whole) }
    rules = Self.bytes(Self.exact).merging(added) { $1 }
  }

  /// Whether every header or member with this name is a credential.
  package func hides(_ name: some StringProtocol) -> Bool {
    let rule = rule(of: Array(name.utf8)[...], in: .field)
    return rule == .whole || rule == .texts || rule == .word
  }

  /// Whether this value under this name is a credential.
  package func hides(_ name: some StringProtocol, _ value: String, in place: Location) -> Bool {
    rule(of: Array(name.utf8)[...], in: place)?.hides(Array(value.utf8)[...]) ?? false
  }

  func rule(of name: ArraySlice<UInt8>, in place: Location) -> Rule? {
    // Charts have an `xKey`, so here the hyphen counts.
    if name.count == Self.xKey.count, zip(name, Self.xKey).allSatisfy({ $0.lowercased == $1 }) {
      return .whole
    }
    if let rule = rule(ofPart: name, place) { return rule }
    guard name.contains(where: Self.isJoint) else { return nil }
    return name.split(whereSeparator: Self.isJoint).lazy
      .compactMap { rule(ofPart: $0, place) }.first
  }

  private static let xKey = Array("x-key".utf8)

  /// Longer texts are not real names.
  private static let nameBytesMax = 80

  private func rule(ofPart name: ArraySlice<UInt8>, _ place: Location) -> Rule? {
    guard 2...Self.nameBytesMax ~= name.count else { return nil }
    let plain = Self.plain(name)[...]
    if let rule = rule(ofPlain: plain, place) { return rule }
    // `password2`, `X-Hub-Signature-256`.
    let stem = plain.dropLast(plain.reversed().prefix { $0.isDigit }.count)
    return stem.count < plain.count ? rule(ofPlain: stem, place) : nil
  }

  private func rule(ofPlain name: ArraySlice<UInt8>, _ place: Location) -> Rule? {
    if place == .parameter, let rule = Self.parameterRules[name] { return rule }
    if let rule = rules[name] { return rule }
    guard let last = name.last else { return nil }
    let found = Self.endingRules[Int(last)].first { name.ends(with: $0.name) }
    guard let found, !Self.harmless.contains(where: { name.ends(with: $0) }) else { return nil }
    return found.rule
  }

  private static func isJoint(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: ".")
  }

  private static func plain(_ name: ArraySlice<UInt8>) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(name.count)
    for byte in name where byte != UInt8(ascii: "-") && byte != UInt8(ascii: "_") {
      plain.append(byte.isUppercase ? byte | 0x20 : byte)
    }
    return plain
  }
}

extension SecretNames.Rule {
  func hides(_ value: ArraySlice<UInt8>) -> Bool {
    switch self {
    case .whole: !value.isEmpty
    case .texts: !value.allSatisfy(\.isDigit)
    case .word: !value.isEmpty && !value.contains { $0 <= .space }
    case .random: Self.looksRandom(value)
    case .digits: 4...8 ~= value.count && value.allSatisfy(\.isDigit)
    }
  }

  private static let randomBytesMin = 16

  /// Long, without whitespace, and with digits among letters: words, dates, constants and addresses
  /// alternate between them less often.
  private static func looksRandom(_ value: ArraySlice<UInt8>) -> Bool {
    guard value.count >= randomBytesMin else { return false }
    var (changeCount, digitCount, last) = (0, 0, UInt8(0))
    for byte in value {
      if byte <= .space { return false }
      guard byte.isLetterOrDigit else { continue }
      if byte.isDigit { digitCount += 1 }
      // A capital letter starts a word.
      let isChange = byte.isDigit != last.isDigit || byte.isUppercase && !last.isUppercase
      if last != 0, isChange { changeCount += 1 }
      last = byte
    }
    return changeCount >= 4 && digitCount > 0
  }
}

extension Collection where Element == UInt8, Self: BidirectionalCollection {
  fileprivate func ends(with other: [UInt8]) -> Bool {
    count >= other.count && suffix(other.count).elementsEqual(other)
  }
}

/// The bytes of credentials and their names.
extension UInt8 {
  var isUppercase: Bool { self &- UInt8(ascii: "A") < 26 }
}
