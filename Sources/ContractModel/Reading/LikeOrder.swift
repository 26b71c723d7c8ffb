import UnderstudyFindings
import UnderstudyJSON

/// Orders items that copy from one another, such as cases with `like`, so that sources come first.
///
/// It works without recursion, since chains can have any length.
struct LikeOrder {
  /// A name, and the target of its `like`.
  struct Link {
    let name: String
    let target: String
    let source: JSONValue
  }

  private enum Mark {
    case underWay
    case done
  }

  /// All names once, each after the one it is like.
  let names: [String]
  /// Links that form a cycle or have no target; they are reported and not followed.
  private(set) var circular: [Link] = []
  private(set) var dangling: [Link] = []

  init(of names: [String], links: [String: Link]) {
    let known = Set(names)
    var ordered: [String] = []
    var marks: [String: Mark] = [:]
    for name in names where marks[name] == nil {
      var chain: [String] = []
      var next: String? = name
      while let current = next, marks[current] == nil {
        marks[current] = .underWay
        chain.append(current)
        next = nil
        guard let link = links[current] else { break }
        if !known.contains(link.target) {
          dangling.append(link)
        } else if marks[link.target] == .underWay {
          circular.append(link)
        } else {
          next = link.target
        }
      }
      for current in chain.reversed() {
        marks[current] = .done
        ordered.append(current)
      }
    }
    self.names = ordered
  }

  /// Reports invalid links, and returns the names whose link must not be followed.
  func report(to complaints: Complaints, noun: String) -> Set<String> {
    let known = dangling.isEmpty ? [] : names.sorted()
    for link in dangling {
      complaints.add(
        .unknownCase, at: link.source, "found like \"\(link.target)\", which is not a \(noun)",
        fix: spellingSuggestion(for: link.target, among: known, noun: "the cases"))
    }
    for link in circular {
      complaints.add(
        .circularLike, at: link.source,
        link.name == link.target
          ? "found \"\(link.name)\" like itself"
          : "found \"\(link.name)\" like \"\(link.target)\", which leads back to \"\(link.name)\"",
        fix: "remove \"like\" from one of them")
    }
    return Set((dangling + circular).map(\.name))
  }
}
