import Synchronization

/// Every path that decoders have read, with all elements of an array as one: `/items/*/name`.
///
/// Any number of decoders and threads may share it; their reads add up.
package final class ReadPaths: Sendable {
  /// One step on a path.
  package enum Step: Hashable, Sendable {
    case key(String)
    /// Any element of an array, or any member of an object whose keys are data.
    case element
  }

  /// What was found at a path, over all values read.
  package struct Finding: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let present = Finding(rawValue: 1)
    package static let absent = Finding(rawValue: 2)
    package static let null = Finding(rawValue: 4)
  }

  /// What decoders did with the values at a path.
  package struct Use: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Checked only for presence or `null`.
    package static let tested = Use(rawValue: 1)
    /// Read as a string, number or boolean.
    package static let taken = Use(rawValue: 2)
    /// Opened; what was read inside has its own paths.
    package static let opened = Use(rawValue: 4)
    /// All its keys were read, as by dictionaries: any new key would be read too.
    package static let listed = Use(rawValue: 8)
    /// Opened as an array, empty or not: any new element would be read too.
    package static let iterated = Use(rawValue: 16)
  }

  /// One path and how it was read.
  package struct Path: Hashable, Sendable, CustomStringConvertible {
    package let steps: [Step]
    package let finding: Finding
    package let use: Use

    /// As a JSON pointer, with `*` for array elements.
    package var description: String {
      JSONPointer(
        steps.map {
          switch $0 {
          case .key(let key): key
          case .element: "*"
          }
        }
      ).description
    }
  }

  private struct Node {
    let step: Step?
    let parent: Int
    var children: [Step: Int] = [:]
    var finding: Finding = []
    var use: Use = []
  }

  private let nodes = Mutex([Node(step: nil, parent: 0)])

  package init() {}

  /// All paths sorted by their descriptions, the root first.
  package var paths: [Path] {
    nodes.withLock { nodes in
      nodes.indices.filter { !nodes[$0].finding.isEmpty }.map { Self.path(to: $0, in: nodes) }
    }.sorted { $0.description < $1.description }
  }

  /// How the value at a pointer was read; `nil` if it was not.
  package subscript(_ pointer: JSONPointer) -> Path? {
    nodes.withLock { nodes in
      var node = 0
      for token in pointer.tokens {
        guard let next = Self.child(token, of: nodes[node]) else { return nil }
        node = next
      }
      return nodes[node].finding.isEmpty ? nil : Self.path(to: node, in: nodes)
    }
  }

  /// Whether a change at this place could be noticed: it was read itself, or it is a key of an
  /// object whose keys were all read, or an element of an array that was iterated, or lies within
  /// such a key or element that did not exist before.
  package func isRead(_ pointer: JSONPointer) -> Bool {
    nodes.withLock { nodes in
      var node = 0
      for token in pointer.tokens {
        guard let next = Self.child(token, of: nodes[node]) else {
          let use = nodes[node].use
          return use.contains(.listed)
            || use.contains(.iterated) && JSONPointer.index(of: token) != nil
        }
        node = next
      }
      return !nodes[node].finding.isEmpty
    }
  }

  private static func child(_ token: String, of node: Node) -> Int? {
    if let child = node.children[.key(token)] { return child }
    let isElement = JSONPointer.index(of: token) != nil || node.use.contains(.listed)
    return isElement ? node.children[.element] : nil
  }

  private static func path(to index: Int, in nodes: [Node]) -> Path {
    var steps: [Step] = []
    var node = index
    while let step = nodes[node].step {
      steps.append(step)
      node = nodes[node].parent
    }
    return Path(
      steps: steps.reversed(), finding: nodes[index].finding, use: nodes[index].use)
  }
}

// MARK: - Recording

extension ReadPaths {
  /// A place in the tree of paths, which a decoder carries along.
  struct Trail {
    fileprivate let paths: ReadPaths
    fileprivate let node: Int

    func note(_ use: Use) {
      paths.nodes.withLock { $0[node].use.formUnion(use) }
    }

    /// `nil` means the key is missing.
    func stepping(to step: Step, finding value: JSONValue?) -> Trail {
      Trail(paths: paths, node: paths.child(step, of: node, Self.finding(value)))
    }

    /// Records the use of a value one step further, which will not be opened.
    func note(_ use: Use, at step: Step, finding value: JSONValue?) {
      stepping(to: step, finding: value).note(use)
    }

    fileprivate static func finding(_ value: JSONValue?) -> Finding {
      value.map { $0.isNull ? .null : .present } ?? .absent
    }
  }

  func beginning(with value: JSONValue) -> Trail {
    nodes.withLock { $0[0].finding.formUnion(Trail.finding(value)) }
    return Trail(paths: self, node: 0)
  }

  /// Adds a path that was found to be read in another way than by a decoder.
  package func add(_ steps: [Step], _ use: Use) {
    var node = 0
    nodes.withLock { $0[0].finding.formUnion(.present) }
    for step in steps { node = child(step, of: node, .present) }
    nodes.withLock { $0[node].use.formUnion(use) }
  }

  private func child(_ step: Step, of parent: Int, _ finding: Finding) -> Int {
    nodes.withLock { nodes in
      let child: Int
      if let known = nodes[parent].children[step] {
        child = known
      } else {
        child = nodes.count
        nodes[parent].children[step] = child
        nodes.append(Node(step: step, parent: parent))
      }
      nodes[child].finding.formUnion(finding)
      return child
    }
  }
}
