import UnderstudyConsumers
package import UnderstudyContractModel
import UnderstudyFakeServer
package import UnderstudyFindings
import UnderstudyJSON
import UnderstudySystem

/// Finds what a command reads: each part of a good response is left out in turn, and is read if the
/// command then ends in another way.
package struct ReadsLearning: Sendable {
  /// More would take minutes: the command runs once for each.
  fileprivate static let partCountMax = 500

  private let library: ContractLibrary
  private let programs: [String: String]

  /// - Parameter programs: the fingerprints of the commands, by name.
  package init(_ library: ContractLibrary, programs: [String: String]) {
    self.library = library
    self.programs = programs
  }

  /// What was learned, to be kept, and what could not be.
  package struct Results: Sendable {
    package fileprivate(set) var entries: [LearnedReads.Entry] = []
    /// What could not be learned, and why.
    package fileprivate(set) var failures: [(check: Check.Identity, reason: String)] = []
  }

  /// Whether a check has a good JSON response that a command reads.
  package static func canLearn(_ check: PlannedCheck) -> Bool {
    check.command != nil && check.isMutable
  }

  /// `learned` receives the number of checks done. When the task is cancelled or the time is over, the
  /// results are of those done before.
  package func results(
    of checks: [PlannedCheck], within limit: Duration? = nil,
    learned: @escaping @Sendable (Int) -> Void
  ) async -> Results {
    guard let limit else { return await learn(checks, learned) }
    return await withTaskGroup(of: Results?.self) { group in
      group.addTask { await learn(checks, learned) }
      group.addTask {
        try? await Task.sleep(for: limit)
        return nil
      }
      var results = Results()
      // The commands end with their tasks.
      for await found in group {
        if let found { results = found }
        group.cancelAll()
      }
      return results
    }
  }

  private func learn(_ checks: [PlannedCheck], _ learned: (Int) -> Void) async -> Results {
    var results = Results()
    for (index, check) in checks.enumerated() {
      guard let command = check.command, !Task.isCancelled else { continue }
      let entry: LearnedReads.Entry?
      let reason: String
      do {
        (entry, reason) = (try await self.entry(of: check, command), "")
      } catch let error as MutationUnavailable {
        (entry, reason) = (nil, error.reason)
      } catch {
        (entry, reason) = (nil, "\(error)")
      }
      // Commands that were ended by a signal show nothing.
      if Task.isCancelled { break }
      if let entry {
        results.entries.append(entry)
      } else {
        results.failures.append((check.identity, reason))
      }
      learned(index + 1)
    }
    return results
  }

  private func entry(
    of check: PlannedCheck, _ command: CommandConsumer
  ) async throws -> LearnedReads.Entry {
    let fake = try await SharedFake.start(library, SuiteConfiguration())
    let usual: CommandTarget
    do {
      usual = try await CommandTarget(
        running: command, for: check, on: fake, session: "usual", in: library)
    } catch {
      await fake.close()
      throw error
    }
    await fake.close()
    guard !usual.isSilent else {
      throw MutationUnavailable(reason: "it prints nothing, so what it reads does not show")
    }
    guard usual.isSteady else {
      throw MutationUnavailable(reason: "it prints something else for the same response")
    }
    guard let body = try? JSONDocument(parsing: check.served.bodyBytes) else {
      throw MutationUnavailable(reason: "its body is not JSON")
    }
    let maps = MapPlaces(of: check.served, in: check.contract)
    let trial = PartTrial(
      upstreams: library.upstreams, check: check, command: command, body: body, maps: maps,
      usual: usual)
    let paths = try await trial.readPaths(
      among: BodyPath([]).children(in: body, maps), atMost: Self.partCountMax)
    return LearnedReads.Entry(
      contract: check.contract.id, caseName: check.served.name, consumer: command.name,
      fingerprint: check.contract.fingerprint, program: programs[command.name] ?? "",
      paths: paths.map(\.description))
  }
}

/// Runs a command without some parts of the response that it usually gets.
private struct PartTrial: Sendable {
  let upstreams: [Upstream]
  let check: PlannedCheck
  let command: CommandConsumer
  let body: JSONDocument
  let maps: MapPlaces
  let usual: CommandTarget

  /// The paths among these that the command reads, and the paths within them that it reads.
  func readPaths(
    among paths: [BodyPath], atMost countMax: Int
  ) async throws -> [BodyPath] {
    if paths.isEmpty { return [] }
    guard paths.count <= countMax else {
      throw MutationUnavailable(
        reason: "its response has more than \(ReadsLearning.partCountMax) parts")
    }
    let read = try await matters(paths)
    // What is in a part that is not read is not read either.
    let within = read.flatMap { $0.children(in: body, maps) }
    return read + (try await readPaths(among: within, atMost: countMax - paths.count))
  }

  /// The paths without which the command ends in another way.
  private func matters(_ paths: [BodyPath]) async throws -> [BodyPath] {
    let cases = paths.enumerated().map { index, path in
      AddedCase(
        contractID: check.contract.id, name: Self.caseName(index), like: check.served.name,
        headers: [], body: path.removed(from: body))
    }
    let library = ContractLibrary(of: upstreams.map { $0.adding(cases) })
    let fake = try await SharedFake.start(library, SuiteConfiguration())
    let isRead: [Bool?] = await matters(paths.count, on: fake)
    await fake.close()
    guard isRead.allSatisfy({ $0 != nil }) else {
      throw MutationUnavailable(reason: "it did not end without a part of the response")
    }
    return paths.indices.filter { isRead[$0] == true }.map { paths[$0] }
  }

  /// Whether each part matters, by its case; `nil` where that could not be found out.
  private func matters(_ count: Int, on fake: SharedFake) async -> [Bool?] {
    await withTaskGroup(of: (index: Int, matters: Bool?).self, returning: [Bool?].self) { group in
      var found = [Bool?](repeating: nil, count: count)
      for index in 0..<count {
        if index >= SuiteConfiguration().commandCountMax, let ended = await group.next() {
          found[ended.index] = ended.matters
        }
        group.addTask { (index, await matters(part: index, on: fake)) }
      }
      for await ended in group { found[ended.index] = ended.matters }
      return found
    }
  }

  /// Whether the command ends in another way, twice.
  private func matters(part index: Int, on fake: SharedFake) async -> Bool? {
    let session = "part-\(index)"
    for _ in 0..<2 {
      let outcome = await fake.runOnce(
        command, for: check, serving: Self.caseName(index), session, within: CommandTarget.timeMax
      ).outcome
      guard case .ended(let ending) = outcome else { return nil }
      if usual.isSame(ending) { return false }
    }
    return true
  }

  private static func caseName(_ index: Int) -> String { "understudy-part-\(index)" }
}

/// A part of a body: the same member of all elements of an array, or of all members of a map,
/// counts as one.
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
      case .element: values.flatMap { $0.elements + $0.members.map(\.value) }
      }
    }
  }

  /// Its members, or as one its elements or the members of a map.
  func children(in body: JSONDocument, _ maps: MapPlaces) -> [BodyPath] {
    var found: [ReadPaths.Step] = []
    let isMap = maps.contain(steps)
    for value in values(in: body) {
      let own =
        value.count > 0 && (value.kind == .array || value.kind == .object && isMap)
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
