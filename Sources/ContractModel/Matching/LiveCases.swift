import UnderstudyCore

/// The cases of a contract by their live requests, so the fake responds to these as the live API
/// does.
///
/// A case with a `when` is not included, since `when` already selects its requests.
package struct LiveCases: Sendable {
  /// A case, and the conditions of its live request besides the path.
  private struct Entry: Sendable {
    let caseIndex: Int
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []

    var count: Int { query.count + headers.count }

    func isMet(by parts: any RequestFields) -> Bool {
      query.allSatisfy { parts.queryValues($0.name).has($0.value) }
        && headers.allSatisfy { parts.headerValues($0.name).has($0.value) }
    }
  }

  /// The parameters of the contract's first path.
  private let names: [String]
  /// By the values of these parameters; the entry with the most conditions comes first.
  private let entries: [[ExactText]: [Entry]]
  /// The path values of the cases other than the default.
  private let otherValues: [[ExactText]]

  /// `nil` when every live request gets the default case anyway.
  init?(of contract: Contract) {
    // A live default case alone needs no table.
    let hasOthers = contract.cases.indices.contains { index in
      let served = contract.cases[index]
      return index != contract.defaultCaseIndex && served.live != nil && served.when == nil
    }
    guard hasOthers, let path = contract.request.paths.first else { return nil }
    names = path.parameterNames
    // The values of headers, which may be secrets, do not matter here.
    let headers = contract.request.parameters.filter { $0.part == .header }.map(\.name)
    var entries: [[ExactText]: [Entry]] = [:]
    var otherValues: Set<[ExactText]> = []
    for (index, served) in contract.cases.enumerated() where served.when == nil {
      guard let live = served.live,
        let example = try? ExampleRequest(of: served, in: contract.request, besides: headers)
      else { continue }
      let values = example.path
      var entry = Entry(caseIndex: index)
      for parameter in live.parameters {
        if let name = Condition.Part.query.name(in: parameter.key) {
          entry.query.append((name, parameter.value))
        } else if let name = Condition.Part.header.name(in: parameter.key) {
          entry.headers.append((name.lowercased(), parameter.value))
        }
      }
      entries[values, default: []].append(entry)
      if index != contract.defaultCaseIndex { otherValues.insert(values) }
    }
    guard !otherValues.isEmpty else { return nil }
    for values in otherValues {
      // Ties keep file order: the sort need not be stable.
      entries[values]?.sort { ($1.count, $0.caseIndex) < ($0.count, $1.caseIndex) }
    }
    self.entries = entries
    self.otherValues = Array(otherValues)
  }

  /// The case that has this live request.
  package func caseIndex(for parts: any RequestFields, in template: PathTemplate) -> Int? {
    var values: [ExactText] = []
    for name in names {
      guard let value = parts.pathValue(name, in: template) else { return nil }
      values.append(ExactText(value))
    }
    return entries[values]?.first { $0.isMet(by: parts) }?.caseIndex
  }

  /// The decoded paths at which a request may serve a case other than the default.
  func otherPaths(by template: PathTemplate) -> [String] {
    let places = template.segments.map { segment -> Int? in
      if case .parameter(let name) = segment { names.firstIndex(of: name) } else { nil }
    }
    return otherValues.map { values in
      let segments = zip(template.segments, places).map { segment, place in
        if case .literal(let text) = segment { text } else { place.map { values[$0].text } ?? "" }
      }
      let tail = template.tail.flatMap(names.firstIndex).map { values[$0].text } ?? ""
      return "/" + (segments + (tail.isEmpty ? [] : [tail])).joined(separator: "/")
    }
  }
}

extension Contract {
  /// The first case whose `when` holds.
  ///
  /// - Parameters:
  ///   - count: of the requests to the contract, with this one.
  ///   - draw: a number from 0 to below 1, drawn at most once, which decides between cases that
  ///     have a share of the requests.
  package func caseIndexByWhen(
    count: Int, draw: () -> Double, holds: (When) -> Bool
  ) -> Int? {
    var drawn: Double?
    var taken = 0.0
    return whenIndices.first { index in
      guard let when = cases[index].when, when.countAbove.map({ count > $0 }) ?? true, holds(when)
      else { return false }
      guard let share = when.share else { return true }
      let number = drawn ?? draw()
      drawn = number
      taken += share
      return number < taken
    }
  }

  /// The first case whose `when` holds for a first request while no state is set; cases that are
  /// drawn are left out.
  package func caseIndexByWhen(
    for parts: any RequestFields, in template: PathTemplate
  ) -> Int? {
    caseIndexByWhen(count: 1, draw: { 1 }) { when in
      when.share == nil && when.state.allSatisfy { $0.value.acceptsAbsence }
        && parts.meets(when, in: template)
    }
  }
}

extension [String] {
  fileprivate func has(_ value: String) -> Bool {
    contains { ExactText($0) == ExactText(value) }
  }
}
