import UnderstudyContractModel
import UnderstudyJSON
import UnderstudySchema

/// The objects of a case's response whose keys are data, so that who reads one member reads any.
///
/// They are maps by their schema, or good responses of the same status have objects there that
/// share no key. The response itself is one only by its schema.
struct MapPlaces: Sendable {
  private var places: Set<[ReadPaths.Step]> = []

  init(of served: Case, in contract: Contract) {
    let cases = contract.cases.filter { $0.kind == .good && $0.status == served.status }
    let bodies = cases.compactMap { (try? JSONDocument(parsing: $0.bodyBytes))?.root }
    find(in: bodies, SchemaView(served.response?.schema?.source), at: [])
  }

  func contain(_ steps: [ReadPaths.Step]) -> Bool { places.contains(steps) }

  /// The nesting limit of documents bounds the recursion.
  private mutating func find(
    in values: [JSONValue], _ view: SchemaView, at steps: [ReadPaths.Step]
  ) {
    let objects = values.filter { $0.kind == .object && $0.count > 0 }
    if !objects.isEmpty {
      if view.isMap || !steps.isEmpty && Self.shareNoKey(objects) {
        places.insert(steps)
        let entries = objects.flatMap { $0.members.map(\.value) }
        find(in: entries, view.entries, at: steps + [.element])
      } else {
        var byKey: [(key: String, values: [JSONValue])] = []
        var numbers: [String: Int] = [:]
        for member in objects.flatMap(\.members) {
          if let number = numbers[member.key] {
            byKey[number].values.append(member.value)
          } else {
            numbers[member.key] = byKey.count
            byKey.append((member.key, [member.value]))
          }
        }
        for (key, values) in byKey { find(in: values, view.member(key), at: steps + [.key(key)]) }
      }
    }
    let elements = values.filter { $0.kind == .array }.flatMap(\.elements)
    if !elements.isEmpty { find(in: elements, view.elements, at: steps + [.element]) }
  }

  private static func shareNoKey(_ objects: [JSONValue]) -> Bool {
    guard let first = objects.first else { return false }
    var shared = Set(first.members.map(\.key))
    for object in objects.dropFirst() { shared.formIntersection(object.members.map(\.key)) }
    return shared.isEmpty
  }
}
