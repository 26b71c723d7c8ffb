import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON
import UnderstudySchema

/// Writes the body of a response as the example of a case.
///
/// It is the body that was sent, but for masked values and templates, which stay as the example has
/// them, and for long bodies, whose arrays are cut to as many elements as the example has, or more
/// where only these show each member and each kind of value.
struct ResponseText {
  private static let longBytesMin = 4000
  private static let bytesMax = 256 << 10

  private let isTemplated: Bool
  private let isMasked: Bool
  private let isCut: Bool
  private var bytes: [UInt8] = []

  /// - Parameter example: as it was.
  static func document(
    of found: JSONValue, insteadOf example: JSONValue?, isTemplated: Bool
  ) throws(Refusal) -> JSONDocument {
    let oldCount = example?.byteRange.count ?? 0
    var text = ResponseText(
      isTemplated: isTemplated, isMasked: found.holdsMask,
      isCut: found.byteRange.count > max(longBytesMin, 2 * oldCount))
    try text.append(found, insteadOf: example)
    guard text.bytes.count <= bytesMax, let document = JSONDocument(valid: text.bytes) else {
      throw Refusal("its body is too long for an example: record it again")
    }
    return document
  }

  private init(isTemplated: Bool, isMasked: Bool, isCut: Bool) {
    self.isTemplated = isTemplated
    self.isMasked = isMasked
    self.isCut = isCut
  }

  /// The nesting limit bounds the recursion.
  private mutating func append(
    _ found: JSONValue, insteadOf old: JSONValue?
  ) throws(Refusal) {
    switch found.kind {
    case .object:
      bytes.append(.openBrace)
      let members = Array(found.members)
      var places: [ExactText: Int] = [:]
      // The last of duplicate keys counts.
      for (place, member) in members.enumerated() { places[ExactText(member.key)] = place }
      for place in places.values.sorted() {
        let member = members[place]
        if bytes.last != .openBrace { bytes.append(.comma) }
        bytes += member.key.quoted.utf8
        bytes.append(.colon)
        try append(member.value, insteadOf: old?[member.key])
      }
      bytes.append(.closeBrace)
    case .array:
      bytes.append(.openBracket)
      let elements = Array(found.elements)
      let olds = old?.kind == .array ? old.map { Array($0.elements) } ?? [] : []
      for (place, element) in kept(elements, atLeast: max(1, olds.count)).enumerated() {
        if place > 0 { bytes.append(.comma) }
        try append(element, insteadOf: place < olds.count ? olds[place] : nil)
      }
      bytes.append(.closeBracket)
    default: try append(scalar: found, insteadOf: old)
    }
  }

  private mutating func append(
    scalar found: JSONValue, insteadOf old: JSONValue?
  ) throws(Refusal) {
    if isTemplated, let old, old.isTemplate {
      bytes += old.compact
    } else if isMasked, found.holdsUnknown {
      guard let old, old.kind == found.kind else {
        throw Refusal(Refusal.secret, at: found.pointer)
      }
      bytes += old.compact
    } else if isTemplated, found.isTemplate {
      throw Refusal("its text would be taken for a template", at: found.pointer)
    } else {
      bytes += String(decoding: found.compact, as: UTF8.self).escapingUnseen.utf8
    }
  }

  private func kept(_ elements: [JSONValue], atLeast countMin: Int) -> [JSONValue] {
    guard isCut, elements.count > countMin else { return elements }
    var seen: Set<String> = []
    return elements.enumerated().filter { place, element in
      let count = seen.count
      element.addTraits(to: &seen, at: "")
      return place < countMin || seen.count > count
    }.map(\.element)
  }
}

extension JSONValue {
  /// Each member and each kind of value, by its path. The nesting limit bounds the recursion.
  fileprivate func addTraits(to traits: inout Set<String>, at path: String) {
    traits.insert("\(path) \(schemaType)")
    switch kind {
    case .object:
      for member in members { member.value.addTraits(to: &traits, at: "\(path)/\(member.key)") }
    case .array:
      for element in elements { element.addTraits(to: &traits, at: "\(path)/*") }
    default: break
    }
  }
}
