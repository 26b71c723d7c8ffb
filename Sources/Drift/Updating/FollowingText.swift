import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON
import UnderstudySchema

/// Writes the example of a case that is `like` one whose example has changed, and that no response
/// shows: it gains and loses the same members, and takes the new value where a kind of value is
/// gone.
struct FollowingText {
  private(set) var bytes: [UInt8] = []

  /// - Parameters:
  ///   - old: the example that has changed, as it was.
  ///   - found: as it is now.
  init(of value: JSONValue, from old: Shape, to found: Shape) {
    append(value, old, found)
  }

  /// The nesting limit bounds the recursion.
  private mutating func append(_ value: JSONValue, _ old: Shape?, _ found: Shape?) {
    // Where it is null now, it may also be what it was.
    if let found, found.first(value.kind) == nil, old?.first(value.kind) != nil,
      let new = found.kinds.first(where: { $0.kind != .null })?.first, !new.holdsUnknown
    {
      bytes += new.lineText.utf8
      return
    }
    switch value.kind {
    case .object where value.count > 0 || found != nil:
      bytes.append(.openBrace)
      for member in value.members {
        let (oldMember, newMember) = (old?.child(member.key), found?.child(member.key))
        if newMember == nil, oldMember != nil, isGone(member.key, old, found) { continue }
        append(key: member.key)
        append(member.value, oldMember, newMember)
      }
      for (name, new) in added(to: value, old, found) {
        append(key: name)
        bytes += new.lineText.utf8
      }
      bytes.append(.closeBrace)
    case .array where value.count > 0:
      bytes.append(.openBracket)
      for (place, element) in value.elements.enumerated() {
        if place > 0 { bytes.append(.comma) }
        append(element, old?.element(place), found?.element(place))
      }
      bytes.append(.closeBracket)
    default: bytes += value.compact
    }
  }

  private mutating func append(key: String) {
    if bytes.last != .openBrace { bytes.append(.comma) }
    bytes += key.quoted.utf8
    bytes.append(.colon)
  }

  private func isGone(_ name: String, _ old: Shape?, _ found: Shape?) -> Bool {
    guard let old, let found, found.count(.object) > 0, found.entry == nil else { return false }
    return !old.view.allows(missing: name)
  }

  /// What the changed example has everywhere now, and had nowhere before.
  private func added(
    to value: JSONValue, _ old: Shape?, _ found: Shape?
  ) -> [(String, JSONValue)] {
    guard let found, old?.count(.object) ?? 0 > 0 else { return [] }
    return found.names.compactMap { name in
      guard let member = found.member(name), member.count == found.count(.object),
        old?.member(name) == nil, value[name] == nil, let new = member.first, !new.holdsUnknown
      else { return nil }
      return (name, new)
    }
  }
}

extension Shape {
  /// The shape of a member, or of an entry whose key is data.
  fileprivate func child(_ key: String) -> Shape? { entry ?? member(key) }

  fileprivate func element(_ place: Int) -> Shape? { slots[place] ?? element }
}
