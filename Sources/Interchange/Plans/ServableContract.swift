import UnderstudyCore
import UnderstudyJSON

extension UpstreamPlan.Made {
  /// Removes expectations of consumers that are not declared, and live cases without a live API;
  /// returns the reasons.
  mutating func dropUnservable(isLive: Bool, _ consumers: Set<String>) -> [String] {
    let mayHave = { [bytes] (key: String) in bytes.contains(bytes: "\"\(key)\"".utf8) }
    guard mayHave("expect") || !isLive && mayHave("live"),
      let root = try? JSONDocument(parsing: bytes).root
    else { return [] }
    var draft = JSONDraft(of: root)
    var reasons: [String] = []
    for served in (root["cases"] ?? .null).members {
      let place = ["cases", served.key]
      if !isLive, served.value["live"] != nil {
        try? draft.remove(JSONPointer(place + ["live"]))
        reasons.append("upstream.json has no \"baseURL\": the contract comes without \"live\"")
      }
      let expected = (served.value["expect"] ?? .null).members.map(\.key)
      let unknown = expected.filter { !consumers.contains($0) }
      if unknown.count == expected.count, !unknown.isEmpty {
        try? draft.remove(JSONPointer(place + ["expect"]))
      } else {
        for name in unknown { try? draft.remove(JSONPointer(place + ["expect", name])) }
      }
      reasons += unknown.map {
        "consumers.json does not declare \($0): the contract comes without what it expects"
      }
    }
    guard !reasons.isEmpty, let rest = try? JSONDocument(parsing: draft.bytes) else { return [] }
    bytes = JSONText.value(rest.root).fileBytes
    var seen: Set<String> = []
    return reasons.filter { seen.insert($0).inserted }
  }
}
