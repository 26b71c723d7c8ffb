import UnderstudyFindings
import UnderstudyJSON

/// Orders items that copy from one another, such as cases with `like`, so that sources come first.
///
/// It works without recursion, since chains can have any length. Of items with one name the last
/// counts.
struct LikeOrder {
  /// What an item says with its `like`.
  struct Link {
    let target: String
    let source: JSONValue
  }

  private enum Mark {
    case underWay
    case done
  }

  private let names: [String]
  /// By item: the one that counts for its name.
  private let counted: [Int]
  /// Each name's item once, after the one it is like.
  let order: [Int]
  /// The item that each one copies from, if its link can be followed.
  let bases: [Int?]
  /// By item: whether it has a link that must not be followed.
  let isBroken: [Bool]
  /// Links that form a cycle or have no target; they are reported and not followed.
  private var circular: [(name: String, link: Link)] = []
  private var dangling: [(name: String, link: Link)] = []

  init(of names: [String], links: (Int) -> Link?) {
    self.names = names
    let places = Places(names)
    let counted = names.indices.map { places.place(of: names[$0]) ?? $0 }
    var bases = [Int?](repeating: nil, count: names.count)
    var given = [Link?](repeating: nil, count: names.count)
    for item in names.indices {
      if let link = links(item) { given[counted[item]] = link }
    }
    var order: [Int] = []
    order.reserveCapacity(names.count)
    var marks = [Mark?](repeating: nil, count: names.count)
    var chain: [Int] = []
    for item in counted {
      var next: Int? = item
      while let current = next, marks[current] == nil {
        marks[current] = .underWay
        chain.append(current)
        next = nil
        guard let link = given[current] else { break }
        if let target = places.place(of: link.target) {
          if marks[target] == .underWay {
            circular.append((names[current], link))
          } else {
            bases[current] = target
            next = target
          }
        } else {
          dangling.append((names[current], link))
        }
      }
      for current in chain.reversed() {
        marks[current] = .done
        order.append(current)
      }
      chain.removeAll(keepingCapacity: true)
    }
    self.order = order
    self.counted = counted
    self.bases = bases
    isBroken = zip(given, bases).map { $0 != nil && $1 == nil }
  }

  var hasRepeatedNames: Bool { names.indices.contains { counted[$0] != $0 } }

  /// The item that counts for the name of this one.
  func item(of item: Int) -> Int { counted[item] }

  /// Finds items by name; a few are compared one by one.
  private struct Places {
    let names: [String]
    private let table: [String: Int]

    init(_ names: [String]) {
      self.names = names
      table =
        names.count <= 16
        ? [:] : Dictionary(zip(names, names.indices), uniquingKeysWith: { $1 })
    }

    func place(of name: String) -> Int? {
      table.isEmpty ? names.lastIndex(of: name) : table[name]
    }
  }

  /// Reports invalid links.
  func report(to complaints: Complaints, noun: @autoclosure () -> String) {
    let known = dangling.isEmpty ? [] : Set(names).sorted()
    for (_, link) in dangling {
      complaints.add(
        .unknownCase, at: link.source, "\"\(link.target)\" is not a \(noun())",
        fix: spellingSuggestion(for: link.target, among: known, noun: "the cases"))
    }
    for (name, link) in circular {
      complaints.add(
        .circularLike, at: link.source,
        name == link.target
          ? "\"\(name)\" is like itself"
          : "\"\(name)\" is like \"\(link.target)\", which leads back to \"\(name)\"",
        fix: "remove \"like\" from one of them")
    }
  }
}

extension Fields {
  /// What `like` names.
  var link: LikeOrder.Link? {
    guard let target = string("like"), let source = self["like"] else { return nil }
    return LikeOrder.Link(target: target, source: source)
  }
}
