/// The anchor and the tag before a node.
struct Properties {
  /// The number of the anchor, or -1.
  var anchor = -1
  var tag = Tag.none
  /// Where the tag is in the source, for complaints.
  var tagOffset = 0
  var offset = 0

  var isEmpty: Bool { anchor < 0 && tag == .none }
}

/// The tags that mean something here.
enum Tag: String, CaseIterable {
  case none = ""
  /// `!`, which makes any scalar a string.
  case nonSpecific = "!"
  case str, int, float, bool, null, map, seq

  static let prefix = "tag:yaml.org,2002:"

  var isOfSchema: Bool { self != .none && self != .nonSpecific }

  /// As people write it.
  var name: String { isOfSchema ? "!!\(rawValue)" : rawValue }
}

/// The prefixes of tags in a document.
struct TagHandles {
  private var prefixes: [String: String] = [:]

  /// `false` if the handle has been declared before.
  mutating func declare(_ handle: String, _ prefix: String) -> Bool {
    prefixes.updateValue(prefix, forKey: handle) == nil
  }

  func prefix(of handle: String) -> String? {
    if let prefix = prefixes[handle] { return prefix }
    switch handle {
    case "!": return "!"
    case "!!": return Tag.prefix
    default: return nil
    }
  }
}

/// The nodes of a document that have names.
struct Anchors {
  struct Node {
    enum Content {
      /// Its end has not been read yet.
      case open
      /// Where it is in the output, and its notes.
      case collection(Range<Int>, notes: Range<Int>)
      /// A scalar as JSON, and its text as a string.
      case scalar([UInt8], key: [UInt8])
    }

    let origin: Int
    var content = Content.open
    fileprivate var start = (offset: 0, note: 0)
  }

  private(set) var nodes: [Node] = []
  private var numbers: [[UInt8]: Int] = [:]

  /// The number of the anchor; a later node takes over the name of an earlier one.
  mutating func add(_ name: [UInt8], origin: Int) -> Int {
    nodes.append(Node(origin: origin))
    numbers[name] = nodes.count - 1
    return nodes.count - 1
  }

  func node(_ name: [UInt8]) -> Node? { numbers[name].map { nodes[$0] } }

  var names: [String] { numbers.keys.map { String(decoding: $0, as: UTF8.self) }.sorted() }

  mutating func begin(_ number: Int, at offset: Int, note: Int) {
    nodes[number].start = (offset, note)
  }

  mutating func end(_ number: Int, at offset: Int, note: Int) {
    let start = nodes[number].start
    nodes[number].content = .collection(
      start.offset..<offset, notes: start.note..<note)
  }

  mutating func set(_ number: Int, _ content: Node.Content) { nodes[number].content = content }
}
