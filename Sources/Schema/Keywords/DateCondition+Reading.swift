package import UnderstudyCore
package import UnderstudyJSON

extension DateCondition {
  package static let relationNames = Relation.allCases.map(\.rawValue)
  package static let names = relationNames + ["format", "steps"]

  /// Reads `{ "after": "now -1d", "before": "now", "format": "dd.MM.yyyy", "steps": "/d" }`, where
  /// other members may be; `nil`, with what is wrong, for a malformed one.
  package init?(reading value: JSONValue, _ complain: (JSONValue, Failure) -> Void) {
    var isRead = true
    func read<Value>(
      _ key: String, _ parse: (String) throws(Failure) -> Value
    ) -> Value? {
      guard let member = value[key] else { return nil }
      do throws(Failure) {
        guard let text = member.string else {
          throw Failure(message: "found \(member.summary), expected string")
        }
        return try parse(text)
      } catch {
        complain(member, error)
        isRead = false
        return nil
      }
    }
    let bounds = Relation.allCases.compactMap { relation in
      read(relation.rawValue) { text throws(Failure) in try Bound(relation, text) }
    }
    let form = read("format") { text throws(Failure) in try Form(text) }
    let steps = read("steps") { text throws(Failure) in try Self.steps(text) }
    if isRead, bounds.isEmpty {
      let names = Self.relationNames.joined(separator: ", ")
      complain(
        value,
        Failure(
          message: "no date to compare with, expected one of \(names)",
          fix: "write { \"before\": \"now\" }"))
      isRead = false
    }
    guard isRead else { return nil }
    self.init(bounds, form: form ?? .usual, steps: steps ?? [])
  }
}
