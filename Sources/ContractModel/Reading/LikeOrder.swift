import UnderstudyFindings
import UnderstudyJSON

/// Puts things that take from one another, as cases do by `like`, into an order in which whatever
/// is taken from comes first.
///
/// It walks without recursion: a chain is as long as the author of a file makes it.
struct LikeOrder {
  /// A name, and what its `like` says.
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
  /// The links that close a circle or lead nowhere, to be complained about and not followed.
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

  /// Says what is wrong with the links, and gives the names whose link must not be followed.
  func report(to complaints: Complaints, noun: String) -> Set<String> {
    let known = dangling.isEmpty ? [] : names.sorted()
    for link in dangling {
      complaints.add(
        .unknownCase, at: link.source, "found like \"\(link.target)\", which is no \(noun)",
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
