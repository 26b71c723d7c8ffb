import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFindings
import UnderstudyRecording

/// Reports the result of a recording.
struct RecordReport {
  let writes: Bool
  /// The reason for each missing answer.
  let failures: [Failure]
  var recordings: [(target: RecordingTarget, recording: Recording)] = []

  var exitCode: ExitCode {
    let hasFindings = recordings.contains { _, recording in
      !recording.refusals.isEmpty || recording.unrecorded.contains { !$0.isKept }
        || recording.findings.contains { $0.severity == .error }
    }
    return hasFindings ? .findings : failures.isEmpty ? .pass : .couldNotCheck
  }

  // MARK: - For people

  func writeFailures(to terminal: inout Terminal) {
    for failure in failures { terminal.writeError(failure) }
  }

  func writeText(
    of recording: Recording, _ target: RecordingTarget, to terminal: inout Terminal
  ) {
    write(recording, target, to: &terminal.output)
    for finding in recording.findings { terminal.errors.write("\(finding)\n") }
    for refusal in recording.refusals {
      terminal.writeError(Failure(message: refusal.message, fix: refusal.fix))
    }
  }

  private func write(
    _ recording: Recording, _ target: RecordingTarget, to stream: inout TextStream
  ) {
    stream.write(inLine: target.upstreamName, .bold)
    stream.write(line: target.baseURL.map { "  \($0)" } ?? "")
    for contract in recording.contracts where contract.fate != .impossible {
      write(contract, target, to: &stream)
    }
    for request in recording.unrecorded where !request.isKept {
      stream.write(line: "  not recorded: \(request.request): \(request.reason)")
    }
  }

  private func write(
    _ contract: RecordedContract, _ target: RecordingTarget, to stream: inout TextStream
  ) {
    let id = "\(target.upstreamName)/\(contract.name)"
    stream.write(inLine: "  \(id)  \(contract.method) \(contract.path)")
    stream.write(line: Self.words(for: contract.fate))
    for (name, values) in contract.guesses {
      stream.write(line: "    guessed {\(name)} from \(Self.few(values))")
    }
    let rows = contract.cases.map { [$0.name, "\($0.status)"] }
    for line in TextLayout.aligned(rows, indent: 4) { stream.write(line: line) }
    if !contract.volatileHeaders.isEmpty {
      stream.write(
        line: "    left out, since their values change:"
          + " \(Self.few(contract.volatileHeaders))")
    }
    if !contract.volatilePointers.isEmpty {
      stream.write(
        line: "    differs from one answer to the next: \(Self.few(contract.volatilePointers))")
    }
    if !contract.secretHeaders.isEmpty {
      stream.write(
        line: "    left out, since their values are secret: \(Self.few(contract.secretHeaders))")
    }
    for (name, cases) in contract.scripts {
      stream.write(
        line: "    the same request had several answers: script \(name) plays \(Self.few(cases))")
    }
    if !contract.notLive.isEmpty {
      stream.write(
        line: "    not requested by drift, which could not repeat the request: "
          + Self.few(contract.notLive))
    }
    for name in contract.secretParameters {
      stream.write(line: "    left out, since it is secret: the value of query.\(name)")
    }
    if !contract.maskedPlaces.isEmpty {
      stream.write(line: "    masked, since they are secret: \(Self.few(contract.maskedPlaces))")
    }
    if contract.fate == .known {
      stream.write(
        line: "    exists with every recorded status; --force replaces it")
    }
  }

  private static func words(for fate: RecordedContract.Fate) -> String {
    switch fate {
    case .new, .impossible: ""
    case .extended: "  exists, gets new cases"
    case .replaced: "  exists, is replaced"
    case .known: "  unchanged"
    }
  }

  private static func few(_ words: [String]) -> String {
    words.count <= 8
      ? words.joined(separator: ", ")
      : "\(words.prefix(8).joined(separator: ", ")) and \(words.count - 8) more"
  }

  func writeText(of change: Recording.Change, to stream: inout TextStream) {
    switch change {
    case .write(let file):
      stream.write(line: "\(writes ? "wrote" : "would write") \(file.path)")
    case .remove(let path):
      stream.write(
        line: "\(writes ? "removed" : "would remove") \(path), which is no longer"
          + " needed")
    }
  }

  func writeEnd(to stream: inout TextStream) {
    guard !writes, recordings.contains(where: { !$0.recording.files.isEmpty }) else { return }
    stream.write("nothing is written without --write")
    let hasGuesses = recordings.contains { _, recording in
      recording.contracts.contains { $0.fate != .impossible && !$0.guesses.isEmpty }
    }
    if hasGuesses { stream.write("; use --path if a path was guessed wrong") }
    stream.write("\n")
  }
}
