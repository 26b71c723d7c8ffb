import UnderstudyConsumers
import UnderstudyContractModel
package import UnderstudyDrafting
package import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

/// The result of a live case, with its captured responses.
package struct LiveCaseResult: Sendable {
  package let liveCase: PlannedCase
  /// The check of the response first, then one for each consumer.
  package let checks: [Check]
  /// Whether the response has readers, and the reads of all of them are known.
  package let knowsReaders: Bool
  /// What is different in its responses, the worst first, without secrets.
  private(set) var differences: [Difference] = []
  private let checked: LiveResponse?
  private let mask: SecretMask
  package let exchanges: [LiveCaseExchange]
  /// Whether the run was interrupted before the result was known.
  package let isCut: Bool
  /// Whether it had no turn in this run: the rate allows no more requests, or the run was
  /// interrupted.
  package let isLeftOut: Bool

  /// How many elements the longest array of the response has, and how many pages each consumer
  /// requested.
  package var sizes: [Check.Identity: Int] {
    var sizes: [Check.Identity: Int] = [:]
    if let checked, checked.cutFromByteCount == nil,
      let root = try? JSONDocument(parsing: checked.body).root
    {
      sizes[liveCase.identity] = root.elementCountMax
    }
    for exchange in exchanges {
      guard let consumer = exchange.consumer else { continue }
      let identity = Check.Identity(liveCase.contract.id, liveCase.served.name, consumer: consumer)
      sizes[identity] = max(sizes[identity] ?? 0, exchange.page)
    }
    return sizes
  }

  /// The first response that shows a change, or else the first, with secrets masked; `nil` when
  /// there was none.
  package var response: LiveResponse? { checked.map { mask.masked($0) } }
}

/// An exchange of a run, with its sender and round.
package struct LiveCaseExchange: Sendable {
  /// `nil` for the request of the contract itself.
  package let consumer: String?
  /// From 1 on.
  package let round: Int
  package let exchange: LiveExchange
  /// From 1 on, among the requests of this sender by the same method to the same path.
  let page: Int
  /// Whether it was the last one before its sender broke.
  let isBreaking: Bool
}

extension LiveCaseResult {
  init(
    _ comparison: LiveCaseComparison, _ ending: LiveCaseComparison.Ending, _ mask: SecretMask
  ) {
    var isCut = false
    if case .cut = ending { isCut = true }
    let differences = comparison.differences
    self.init(
      comparison.liveCase, comparison.attempts, comparison.checks(differences, ending),
      response: comparison.response, mask, isCut: isCut)
    self.differences = differences.sorted { $0.severity < $1.severity }.map {
      $0.mapText(mask.withoutSent)
    }
  }

  init(
    _ liveCase: PlannedCase, _ attempts: [LiveCaseAttempt], _ checks: [Check],
    response: LiveResponse?,
    _ mask: SecretMask, isCut: Bool
  ) {
    self.init(
      liveCase: liveCase, checks: checks.map { mask.withoutSent($0) },
      knowsReaders: liveCase.knowsReaders(attempts.flatMap(\.readings)),
      checked: response, mask: mask,
      exchanges: zip(1..., attempts).flatMap { round, attempt in
        attempt.exchanges(of: liveCase, inRound: round)
      }, isCut: isCut, isLeftOut: attempts.isEmpty)
  }

  /// The result of a case against a document; there is no response to store.
  init(_ liveCase: PlannedCase, _ checks: [Check], knowsReaders: Bool) {
    self.init(
      liveCase: liveCase, checks: checks, knowsReaders: knowsReaders, checked: nil,
      mask: SecretMask(secrets: []), exchanges: [], isCut: false, isLeftOut: false)
  }

  /// The result of a case that the rate left out: it has its turn in another run.
  ///
  /// - Parameter mustBeChecked: whether it could not be checked instead, because its upstream got no
  ///   request at all in this run, or because the case has drifted.
  init(
    leftOut liveCase: PlannedCase, because reason: String, mustBeChecked: Bool, _ mask: SecretMask
  ) {
    self.init(
      liveCase: liveCase,
      checks: mustBeChecked
        ? liveCase.unchecked(because: reason, .limited)
        : liveCase.leftOut(because: "its turn comes in a later run: \(reason)"),
      knowsReaders: false, checked: nil, mask: mask, exchanges: [], isCut: false, isLeftOut: true)
  }
}

extension JSONValue {
  /// How many elements its longest array has; `nil` without one. The nesting limit bounds the
  /// recursion.
  fileprivate var elementCountMax: Int? {
    switch kind {
    case .array: max(count, elements.lazy.compactMap(\.elementCountMax).max() ?? 0)
    case .object: members.lazy.compactMap(\.value.elementCountMax).max()
    default: nil
    }
  }
}

extension LiveCaseAttempt {
  fileprivate func exchanges(of liveCase: PlannedCase, inRound round: Int) -> [LiveCaseExchange] {
    func noted(
      _ exchanges: [LiveExchange], of consumer: String?, isBroken: Bool = false
    ) -> [LiveCaseExchange] {
      exchanges.indices.map { index in
        LiveCaseExchange(
          consumer: consumer, round: round, exchange: exchanges[index],
          page: exchanges.page(at: index),
          isBreaking: isBroken && index == exchanges.count - 1)
      }
    }
    return zip(liveCase.readers, readings).flatMap { reader, reading in
      noted(reading.exchanges, of: reader.consumer.name, isBroken: reading.isBroken)
    } + noted(exchanges, of: nil)
  }
}

extension PlannedCase {
  /// Whether the response has readers, and the reads of all of them are known.
  func knowsReaders(_ readings: [LiveCaseAttempt.ConsumerResult]) -> Bool {
    !readings.isEmpty && strangers.isEmpty && readings.allSatisfy { $0.paths != nil }
  }

  func unchecked(because reason: String, _ cause: Check.Cause? = nil) -> [Check] {
    [.couldNotCheck(identity, at: place, because: reason, cause)]
      + readers.map { reader in
        .couldNotCheck(identity(of: reader), at: place(of: reader), because: reason, cause)
      }
  }

  fileprivate func leftOut(because reason: String) -> [Check] {
    [.notExercised(identity, at: place, because: reason)]
      + readers.map { reader in
        .notExercised(identity(of: reader), at: place(of: reader), because: reason)
      }
  }
}
