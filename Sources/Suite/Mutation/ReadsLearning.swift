import UnderstudyConsumers
package import UnderstudyContractModel
import UnderstudyFakeServer
package import UnderstudyFindings
import UnderstudyJSON
import UnderstudySystem

/// Finds what a command reads: each part of a good answer is left out in turn, and is read if the
/// command then ends in another way.
package struct ReadsLearning: Sendable {
  /// More would take minutes: the command runs once for each.
  private static let partCountMax = 500

  private let library: ContractLibrary

  package init(_ library: ContractLibrary) { self.library = library }

  package struct Results: Sendable {
    package fileprivate(set) var entries: [LearnedReads.Entry] = []
    /// What could not be learned, and why.
    package fileprivate(set) var failures: [(check: Check.Identity, reason: String)] = []
  }

  /// Whether a check has a good JSON answer that a command reads.
  package static func canLearn(_ check: PlannedCheck) -> Bool {
    check.command != nil && check.isMutable
  }

  /// `learned` receives the number of checks done. When the task is cancelled, the results are of
  /// those done before.
  package func results(of checks: [PlannedCheck], learned: (Int) -> Void) async -> Results {
    var results = Results()
    for (index, check) in checks.enumerated() {
      guard let command = check.command, !Task.isCancelled else { continue }
      do {
        let entry = try await entry(of: check, command)
        if !Task.isCancelled { results.entries.append(entry) }
      } catch let error as MutationUnavailable {
        results.failures.append((check.identity, error.reason))
      } catch {
        results.failures.append((check.identity, "\(error)"))
      }
      learned(index + 1)
    }
    return results
  }

  private func entry(
    of check: PlannedCheck, _ command: CommandConsumer
  ) async throws -> LearnedReads.Entry {
    let stage = try await CheckStage.start(library, SuiteConfiguration())
    let usual: CommandTarget
    do {
      usual = try await CommandTarget(
        running: command, for: check, on: stage, session: "usual", in: library)
    } catch {
      await stage.close()
      throw error
    }
    await stage.close()
    return LearnedReads.Entry(
      contract: check.contract.id, caseName: check.played.name, consumer: command.name,
      fingerprint: check.contract.fingerprint,
      paths: try await paths(of: check, command, usual).map(\.description))
  }

  /// Level by level: what is in a part that is not read is not read either.
  private func paths(
    of check: PlannedCheck, _ command: CommandConsumer, _ usual: CommandTarget
  ) async throws -> [BodyPath] {
    guard let body = try? JSONDocument(parsing: check.played.bodyBytes) else { return [] }
    var read: [BodyPath] = []
    var level = BodyPath([]).children(in: body)
    var partCount = 0
    while !level.isEmpty {
      partCount += level.count
      guard partCount <= Self.partCountMax else {
        throw MutationUnavailable(reason: "its answer has more than \(Self.partCountMax) parts")
      }
      let indices = try await readIndices(among: level, of: check, command, body, usual)
      let found = indices.sorted().map { level[$0] }
      read += found
      level = found.flatMap { $0.children(in: body) }
    }
    return read
  }

  /// The indices of the paths without which the command ends in another way.
  private func readIndices(
    among paths: [BodyPath], of check: PlannedCheck, _ command: CommandConsumer,
    _ body: JSONDocument, _ usual: CommandTarget
  ) async throws(SystemError) -> Set<Int> {
    let library = ContractLibrary(
      library.upstreams,
      adding: paths.enumerated().map { index, path in
        AddedCase(
          contractID: check.contract.id, name: "understudy-part-\(index)", like: check.played.name,
          headers: [], body: path.removed(from: body))
      })
    let stage = try await CheckStage.start(library, SuiteConfiguration())
    var found: Set<Int> = []
    await withTaskGroup(of: Int?.self) { group in
      var waiting = paths.indices[...]
      func startNext() {
        guard let index = waiting.popFirst() else { return }
        group.addTask {
          let session = "part-\(index)"
          stage.prepare(check, session)
          stage.server.use("understudy-part-\(index)", for: check.contract.id, session: session)
          let outcome = await stage.run(
            command, for: check, session, within: CommandTarget.timeMax)
          await stage.server.forget(session: session)
          if case .ended(let ending) = outcome, usual.isSame(ending) { return nil }
          return index
        }
      }
      for _ in 0..<SuiteConfiguration().commandCountMax { startNext() }
      while let index = await group.next() {
        if let index { found.insert(index) }
        startNext()
      }
    }
    await stage.close()
    return found
  }
}

/// A part of a body: the same member of all elements of an array counts as one.
private struct BodyPath: CustomStringConvertible {
  private let steps: [ReadPaths.Step]

  init(_ steps: [ReadPaths.Step]) { self.steps = steps }

  var description: String {
    JSONPointer(
      steps.map { step in
        switch step {
        case .key(let key): key
        case .element: "*"
        }
      }
    ).description
  }

  private func values(in body: JSONDocument) -> [JSONValue] {
    steps.reduce([body.root]) { values, step in
      switch step {
      case .key(let key): values.compactMap { $0[key] }
      case .element: values.flatMap(\.elements)
      }
    }
  }

  /// Its members, or its elements as one.
  func children(in body: JSONDocument) -> [BodyPath] {
    var found: [ReadPaths.Step] = []
    for value in values(in: body) {
      let own =
        value.count > 0 && value.kind == .array
        ? [ReadPaths.Step.element] : value.members.map { .key($0.key) }
      for step in own where !found.contains(step) { found.append(step) }
    }
    return found.map { BodyPath(steps + [$0]) }
  }

  func removed(from body: JSONDocument) -> [UInt8] {
    // The last first, so that the indices of the others stay the same.
    var document = body
    for pointer in values(in: body).map(\.pointer).reversed() {
      document = (try? document.removing(pointer)) ?? document
    }
    return document.bytes
  }
}
