import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFindings
import UnderstudyRecording

/// Reports the result of a recording.
struct RecordReport {
  let writes: Bool
  /// The reason for each missing response.
  var failures: [Failure] = []
  /// What is wrong with a command whose requests were recorded.
  var problems: [Failure] = []
  /// The command whose requests were recorded; `nil` for URLs.
  var command: [String]?
  /// Whether it had a network of its own.
  var isHermetic = false
  var recordings: [(target: RecordingTarget, recording: Recording)] = []

  var exitCode: ExitCode {
    let hasFindings =
      !problems.isEmpty
      || recordings.contains { _, recording in
        !recording.refusals.isEmpty || !unrecorded(in: recording).isEmpty
          || recording.findings.contains { $0.severity == .error }
      }
    return hasFindings ? .findings : failures.isEmpty ? .pass : .couldNotCheck
  }

  /// The requests that are to be listed: a command must get the same from contracts that existed.
  func unrecorded(in recording: Recording) -> [UnrecordedRequest] {
    recording.unrecorded.filter { !$0.isKept || command != nil }
  }

  // MARK: - For people

  func writeFailures(to terminal: inout Terminal) {
    for failure in failures + problems { terminal.writeError(failure) }
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
    for request in unrecorded(in: recording) {
      let reason = request.isKept ? "\(request.reason); --force replaces it" : request.reason
      stream.write(line: "  not recorded: \(request.request): \(reason)")
    }
  }

  private func write(
    _ contract: RecordedContract, _ target: RecordingTarget, to stream: inout TextStream
  ) {
    let id = "\(target.upstreamName)/\(contract.name)"
    stream.write(inLine: "  \(id)  \(contract.method) \(contract.path)")
    stream.write(line: Self.words(for: contract.fate))
    let rows = contract.cases.map { [$0.name, "\($0.status)"] }
    for line in contract.guessRemarks { stream.write(line: "    \(line)") }
    for line in TextLayout.aligned(rows, indent: 4) { stream.write(line: line) }
    for line in contract.remarks { stream.write(line: "    \(line)") }
  }

  private static func words(for fate: RecordedContract.Fate) -> String {
    switch fate {
    case .new, .impossible: ""
    case .extended: "  exists, gets new cases"
    case .replaced: "  exists, is replaced"
    case .known: "  unchanged"
    }
  }

  func writeText(of change: FileChange, to stream: inout TextStream) {
    let end = if case .remove = change { ", which is no longer needed" } else { "" }
    stream.write(line: change.words(isDone: writes) + end)
  }

  /// The command that needs no network any more.
  private func writeNext(_ command: [String], folder: String, to stream: inout TextStream) {
    guard writes, !recordings.isEmpty else { return }
    let scripts = recordings.flatMap { target, recording in
      recording.contracts.filter { !$0.isKept }.flatMap { contract in
        contract.scripts.map { "--script \(target.upstreamName)/\(contract.name)=\($0.name)" }
      }
    }
    let contracts = folder == "Contracts" ? [] : ["--contracts \(ShellText.quoted(folder))"]
    let network = isHermetic ? ["--hermetic"] : []
    let words = command.map(ShellText.quoted)
    stream.write(
      line: "next: "
        + (["understudy run"] + network + contracts + scripts + ["--"] + words)
        .joined(separator: " "))
  }

  func writeEnd(to stream: inout TextStream) {
    if let command, let folder = recordings.first?.target.folder {
      writeNext(command, folder: folder, to: &stream)
    }
    guard !writes, recordings.contains(where: { !$0.recording.files.isEmpty }) else { return }
    stream.write("dry run: nothing was written")
    let hasGuesses = recordings.contains { _, recording in
      recording.contracts.contains { $0.fate != .impossible && !$0.guesses.isEmpty }
    }
    if hasGuesses { stream.write("; use --path if a path was guessed wrong") }
    stream.write("\n")
  }
}
