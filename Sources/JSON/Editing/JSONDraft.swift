import UnderstudyCore

/// A value that is changed many times and then written once, without whitespace between tokens.
///
/// Each change applies to the result of the changes before it. Its cost depends on the length of
/// its pointer, and each container on the path is read only once.
package struct JSONDraft: ~Copyable {
  private var root: DraftNode
  private let sourceCount: Int
  private let depthMax: Int

  package init(of value: JSONValue) {
    root = .value(value)
    sourceCount = value.byteRange.count
    depthMax = min(value.storage.limits.depthMax, JSONLimits.depthCeiling)
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(sourceCount)
    root.write(to: &bytes)
    return bytes
  }

  /// Replaces the value at the pointer; a missing member is added to its object, last.
  package mutating func set(
    _ pointer: JSONPointer, to value: JSONValue
  ) throws(JSONEditError) {
    let depth = pointer.tokens.count + value.levels
    guard depth <= depthMax else {
      throw JSONEditError(
        .notJSON, at: pointer, "found \(depth) levels, expected at most \(depthMax)")
    }
    guard let token = pointer.tokens.last else {
      root = .value(value)
      return
    }
    let container = try container(of: pointer)
    guard container.set(token, to: .value(value)) else {
      throw .noPlace(in: container.summary, at: pointer)
    }
  }

  /// Removes a member or an element; for a duplicate key all members.
  package mutating func remove(_ pointer: JSONPointer) throws(JSONEditError) {
    guard let token = pointer.tokens.last else { throw .rootRemoval }
    guard let container = try? container(of: pointer), container.remove(token) else {
      throw .nothingToRemove(at: pointer)
    }
  }

  private mutating func container(of pointer: JSONPointer) throws(JSONEditError) -> DraftNode {
    root.open()
    var node = root
    for token in pointer.tokens.dropLast() {
      guard let next = node.openedChild(token) else { throw .noContainer(of: pointer) }
      node = next
    }
    return node
  }
}

/// A value of a draft: unchanged in its document, or opened so that its entries can change.
private enum DraftNode {
  case value(JSONValue)
  case array(DraftArray)
  case object(DraftObject)

  mutating func open() {
    guard case .value(let value) = self else { return }
    switch value.kind {
    case .array: self = .array(DraftArray(value))
    case .object: self = .object(DraftObject(value))
    default: return
    }
  }

  /// Opens the child, also in its container, and returns it.
  func openedChild(_ token: String) -> DraftNode? {
    switch self {
    case .value: return nil
    case .array(let array):
      guard let place = array.place(of: token) else { return nil }
      array.elements[place]?.open()
      return array.elements[place]
    case .object(let object):
      guard let place = object.place(of: token) else { return nil }
      object.members[place]?.node.open()
      return object.members[place]?.node
    }
  }

  /// Returns false if it has no such place.
  func set(_ token: String, to new: DraftNode) -> Bool {
    switch self {
    case .value: return false
    case .array(let array):
      guard let place = array.place(of: token) else { return false }
      array.elements[place] = new
    case .object(let object):
      if let place = object.place(of: token) {
        object.members[place]?.node = new
      } else {
        object.add(token, new)
      }
    }
    return true
  }

  /// Returns false if nothing is there.
  func remove(_ token: String) -> Bool {
    switch self {
    case .value: return false
    case .array(let array):
      guard let place = array.place(of: token) else { return false }
      array.elements[place] = nil
      array.ranks.remove(place)
    case .object(let object): return object.removeAll(token)
    }
    return true
  }

  var summary: String {
    switch self {
    case .value(let value): value.summary
    case .array(let array): JSONValue.arraySummary(count: array.ranks.count)
    case .object(let object): JSONValue.objectSummary(count: object.count)
    }
  }

  /// Recurses as deep as the draft, which has a limit.
  func write(to bytes: inout [UInt8]) {
    var isFirst = true
    func separate() {
      if !isFirst { bytes.append(.comma) }
      isFirst = false
    }
    switch self {
    case .value(let value): value.writeCompact(to: &bytes)
    case .array(let array):
      bytes.append(.openBracket)
      for case let element? in array.elements {
        separate()
        element.write(to: &bytes)
      }
      bytes.append(.closeBracket)
    case .object(let object):
      bytes.append(.openBrace)
      for case let (key, node)? in object.members {
        separate()
        bytes += key.quoted
        bytes.append(.colon)
        node.write(to: &bytes)
      }
      bytes.append(.closeBrace)
    }
  }
}

/// The elements of an array; removed ones leave holes.
private final class DraftArray {
  var elements: [DraftNode?]
  var ranks: Ranks

  init(_ value: JSONValue) {
    elements = value.elements.map { .value($0) }
    ranks = Ranks(count: elements.count)
  }

  func place(of token: String) -> Int? {
    JSONPointer.index(of: token).flatMap { ranks.place(of: $0) }
  }
}

/// The members of an object; removed ones leave holes.
private final class DraftObject {
  /// A key that was in the source, or was added.
  enum Key {
    case read(JSONMember)
    case added(String)

    func isText(_ text: String) -> Bool {
      switch self {
      case .read(let member): member.hasKey(text)
      case .added(let own): ExactText(own) == ExactText(text)
      }
    }

    /// Without quotes, escapes resolved.
    var text: [UInt8] {
      switch self {
      case .read(let member): member.storage.withBytes(ofString: member.keyIndex) { Array($0) }
      case .added(let text): Array(text.utf8)
      }
    }

    var quoted: ArraySlice<UInt8> {
      switch self {
      case .read(let member): member.storage.source[member.keyRange]
      case .added(let text): Array(JSONWriter.quoted(text).utf8)[...]
      }
    }
  }

  private static let scanCountMax = 16

  var members: [(key: Key, node: DraftNode)?]
  private(set) var count: Int
  /// By the bytes of a key, since `==` treats different spellings of `é` as equal; `nil` while
  /// there are few, which are searched.
  private var places: [[UInt8]: [Int]]?

  init(_ value: JSONValue) {
    members = value.members.map { (.read($0), .value($0.value)) }
    count = members.count
    indexIfMany()
  }

  private func indexIfMany() {
    guard places == nil, members.count > Self.scanCountMax else { return }
    var places: [[UInt8]: [Int]] = [:]
    for case (let place, let (key, _)?) in members.enumerated() {
      places[key.text, default: []].append(place)
    }
    self.places = places
  }

  /// The place of a member; of duplicate keys that of the last.
  func place(of key: String) -> Int? {
    guard let places else { return members.lastIndex { $0?.key.isText(key) ?? false } }
    return places[Array(key.utf8)]?.last
  }

  func add(_ key: String, _ node: DraftNode) {
    places?[Array(key.utf8)] = [members.count]
    members.append((.added(key), node))
    count += 1
    indexIfMany()
  }

  /// Returns false if there is none.
  func removeAll(_ key: String) -> Bool {
    let found =
      places.map { $0[Array(key.utf8)] ?? [] }
      ?? members.indices.filter { members[$0]?.key.isText(key) ?? false }
    places?[Array(key.utf8)] = nil
    for place in found { members[place] = nil }
    count -= found.count
    return !found.isEmpty
  }
}

extension JSONValue {
  /// How deeply containers are nested here.
  fileprivate var levels: Int {
    var ends: [Int] = []
    var levels = 0
    var next = index
    let end = storage.tape.index(after: index)
    while next < end {
      while let last = ends.last, last <= next { ends.removeLast() }
      if storage.tape[next].isContainer {
        ends.append(storage.tape.index(after: next))
        levels = max(levels, ends.count)
        next += 2
      } else {
        next += 1
      }
    }
    return levels
  }
}
