import UnderstudyCore

/// The members of an object that is made, in the order in which they were first set.
package struct JSONObject: Sendable {
  package private(set) var all: [(key: String, value: JSONText)] = []

  private static let searchedCountMax = 16

  /// If several members have one key, the last value counts, in the place of the first.
  package init(_ members: [(key: String, value: JSONText?)] = []) {
    guard members.count > Self.searchedCountMax else {
      for case (let key, let value?) in members { self[key] = value }
      return
    }
    var places: [ExactText: Int] = [:]
    for case (let key, let value?) in members {
      if let place = places[ExactText(key)] {
        all[place].value = value
      } else {
        places[ExactText(key)] = all.count
        all.append((key, value))
      }
    }
  }

  /// The members of a value; none for what is not an object.
  package init(of value: JSONValue?) {
    self.init((value ?? .null).members.map { ($0.key, .value($0.value)) })
  }

  /// A member that is there keeps its place; `nil` removes it.
  package subscript(key: String) -> JSONText? {
    get { place(of: key).map { all[$0].value } }
    set {
      guard let place = place(of: key) else {
        if let newValue { all.append((key, newValue)) }
        return
      }
      if let newValue { all[place].value = newValue } else { all.remove(at: place) }
    }
  }

  private func place(of key: String) -> Int? {
    all.firstIndex { ExactText($0.key) == ExactText(key) }
  }

  package var isEmpty: Bool { all.isEmpty }

  /// As an object.
  package var text: JSONText { .object(all.map { ($0.key, $0.value) }) }

  package static func + (left: Self, right: Self) -> Self {
    Self((left.all + right.all).map { ($0.key, $0.value) })
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral members: (String, JSONText?)...) { self.init(members) }
}
