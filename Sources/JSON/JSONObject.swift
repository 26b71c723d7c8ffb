/// The members of an object that is made, in the order in which they were first set.
package struct JSONObject: Sendable {
  package private(set) var all: [(key: String, value: JSONText)] = []

  package init(_ members: [(key: String, value: JSONText?)] = []) {
    for (key, value) in members { self[key] = value }
  }

  /// Those of a value; none for what is not an object.
  package init(of value: JSONValue?) {
    all = (value ?? .null).members.map { ($0.key, .value($0.value)) }
  }

  /// A member that is there keeps its place; `nil` removes it.
  package subscript(key: String) -> JSONText? {
    get { all.first { $0.key == key }?.value }
    set {
      guard let place = all.firstIndex(where: { $0.key == key }) else {
        if let newValue { all.append((key, newValue)) }
        return
      }
      if let newValue { all[place].value = newValue } else { all.remove(at: place) }
    }
  }

  package var isEmpty: Bool { all.isEmpty }

  /// As an object.
  package var text: JSONText { .object(all.map { ($0.key, $0.value) }) }

  package static func + (left: Self, right: Self) -> Self {
    right.all.reduce(into: left) { $0[$1.key] = $1.value }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral members: (String, JSONText?)...) { self.init(members) }
}
