import UnderstudyCore
import UnderstudyJSON

extension Format {
  static func isIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy(isOctet)
  }

  /// 0 to 255, without a leading zero: some programs read that as octal.
  private static func isOctet(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard 1...3 ~= bytes.count, bytes.allSatisfy(\.isDigit) else { return false }
    guard bytes.count == 1 || bytes.first != UInt8(ascii: "0") else { return false }
    return bytes.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 255
  }

  /// RFC 4291, section 2.2, without a zone.
  static func isIPv6(_ bytes: ArraySlice<UInt8>) -> Bool {
    let colon = UInt8(ascii: ":")
    var groupsLeft = 8
    var isCompressed = false
    var rest = bytes
    if rest.starts(with: [colon, colon]) {
      isCompressed = true
      rest = rest.dropFirst(2)
      if rest.isEmpty { return true }
    }
    while true {
      let group = rest.prefix { $0 != colon }
      if group.endIndex == bytes.endIndex, group.contains(UInt8(ascii: ".")) {
        guard isIPv4(group) else { return false }
        groupsLeft -= 2
        break
      }
      guard 1...4 ~= group.count, group.allSatisfy({ $0.hexadecimalValue != nil }) else {
        return false
      }
      groupsLeft -= 1
      rest = rest[group.endIndex...]
      guard rest.popFirst() != nil else { break }
      if rest.first == colon {
        guard !isCompressed else { return false }
        isCompressed = true
        rest = rest.dropFirst()
        if rest.isEmpty { break }
      }
    }
    // `::` stands for at least one group.
    return isCompressed ? groupsLeft >= 1 : groupsLeft == 0
  }

  /// RFC 5321's `Mailbox`.
  static func isEmail(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
    let local = bytes[..<at]
    let domain = bytes[(at + 1)...]
    guard local.count <= 64, isAtoms(local) || isQuoted(local) else { return false }
    if domain.first == UInt8(ascii: "["), domain.last == UInt8(ascii: "]") {
      let address = domain.dropFirst().dropLast()
      let prefix = "IPv6:".utf8
      return address.starts(with: prefix)
        ? isIPv6(address.dropFirst(prefix.count)) : isIPv4(address)
    }
    return isHostname(domain)
  }

  private static func isAtoms(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty
        && $0.allSatisfy {
          $0.isLetter || $0.isDigit || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0)
        }
    }
  }

  private static func isQuoted(_ bytes: ArraySlice<UInt8>) -> Bool {
    let quote = UInt8(ascii: "\"")
    guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else { return false }
    var rest = bytes.dropFirst().dropLast()
    while let byte = rest.popFirst() {
      guard 0x20...0x7E ~= byte, byte != quote else { return false }
      if byte == UInt8(ascii: "\\") {
        guard let escaped = rest.popFirst(), 0x20...0x7E ~= escaped else { return false }
      }
    }
    return true
  }

  /// RFC 1123, section 2.1; a label in Punycode must decode to a name that RFC 5892 allows.
  static func isHostname(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count <= 253 else { return false }
    return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy(isLabel)
  }

  private static func isLabel(_ bytes: ArraySlice<UInt8>) -> Bool {
    let hyphen = UInt8(ascii: "-")
    guard 1...63 ~= bytes.count, bytes.first != hyphen, bytes.last != hyphen,
      bytes.allSatisfy({ $0.isLetter || $0.isDigit || $0 == hyphen })
    else { return false }
    let prefix = bytes.prefix(4).map { $0 == hyphen ? $0 : $0 | 0x20 }
    guard prefix.elementsEqual("xn--".utf8) else { return true }
    guard let scalars = Punycode.decode(bytes.dropFirst(4)) else { return false }
    return InternationalLabel(scalars: scalars).isAllowed
  }
}
