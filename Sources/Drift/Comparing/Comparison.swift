package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyDrafting
package import UnderstudyFindings

/// The differences between live responses to one request and their case.
///
/// The folder finds what differs between a response and its case, and how severe that is. Read
/// `ExpectedResponse`, which is the case as a response, with its extensions in `HeaderComparison`
/// and `BodyComparison`; `SchemaComparison` and `ShapeComparison`, which compare JSON by the schema
/// and then by the `Shape` of the example; `ConsumerReads`, which gives a difference its severity;
/// this file, which joins the differences of several responses; then `Difference`, which becomes a
/// finding.
///
/// Comparing sends nothing and reads no clock. Two responses that differ from their case in the
/// same way give differences of equal `identity`, by which they are counted. Values with secret
/// names never reach a message.
package struct Comparison {
  /// Each has the severity for the consumer that it affects most.
  let differences: [Difference]
  private let contract: Contract

  package var findings: [Finding] { differences.map { $0.finding(in: contract) } }

  /// The differences of one response, with a severity by the consumers that received it.
  ///
  /// - Parameter now: the current time, for checks of dates.
  package init(
    _ live: LiveResponse, to liveCase: Case, of contract: Contract, readers: [ConsumerReads],
    now: Moment
  ) {
    let expectation = ExpectedResponse(of: liveCase, in: contract, now: now)
    self.init([(expectation.differences(from: live), readers)], from: contract)
  }

  /// Values that differ between responses are volatile, and not a difference unless a consumer
  /// broke; other differences seen in only some responses are intermittent.
  ///
  /// - Parameter samples: what is different in each response, and the consumers that received it.
  init(_ samples: [(differences: [Difference], readers: [ConsumerReads])], from contract: Contract)
  {
    self.contract = contract
    var found: [Difference] = []
    var places: [Difference.Identity: Int] = [:]
    /// The responses that show each difference.
    var showing: [Set<Int>] = []
    for (number, sample) in samples.enumerated() {
      for difference in sample.differences {
        let place = places[difference.identity] ?? found.count
        if place == found.count {
          places[difference.identity] = place
          found.append(difference)
          showing.append([])
        }
        let severity = sample.readers.severity(of: difference, in: contract)
        found[place].severity = min(found[place].severity, severity)
        found[place].readers += sample.readers.names(of: difference).filter {
          !found[place].readers.contains($0)
        }
        showing[place].insert(number)
      }
    }
    for (place, numbers) in showing.enumerated() {
      found[place].frequency = Finding.Frequency(numbers.count, of: samples.count)
    }
    found.removeAll { $0.frequency != nil && $0.isVolatile && $0.severity > .error }
    let additions = Dictionary(grouping: found.filter(\.readers.isEmpty), by: \.addition)
    var folded: Set<Difference.Addition> = []
    differences = found.compactMap { difference in
      guard difference.readers.isEmpty, let addition = difference.addition,
        let group = additions[addition], group.count > 1
      else { return difference }
      return folded.insert(addition).inserted
        ? Difference(folding: group, addedTo: addition) : nil
    }
  }
}

extension LiveResponse {
  /// Whether a value differs from the one in the case.
  package func differs(from served: Case, in contract: Contract) -> Bool {
    let expected = ExpectedResponse(of: served, in: contract, now: BodySchema.moment)
    return !expected.differences(from: self).isEmpty
  }
}
