import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyRecording

extension RecordReport {
  func writeJSON(to stream: inout TextStream) {
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.key("written")
      writer.bool(writes)
      writer.list("upstreams", recordings) { writer, item in
        write(item.recording, item.target, to: &writer)
      }
      writer.list("files", recordings.flatMap(\.recording.changes)) { $1.write(to: &$0) }
      writer.list("withoutResponse", failures) { $0.write($1) }
      writer.list("problems", problems) { $0.write($1) }
    }
    stream.write(json: writer.bytes + "\n".utf8)
  }

  private func write(
    _ recording: Recording, _ target: RecordingTarget, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("upstream", target.upstreamName)
      writer.member("baseURL", target.baseURL?.description)
      writer.list("contracts", recording.contracts.filter { $0.fate != .impossible }) {
        Self.write($1, target, to: &$0)
      }
      writer.list("notRecorded", unrecorded(in: recording)) { writer, request in
        writer.object {
          $0.member("request", request.request)
          $0.member("reason", request.reason)
        }
      }
      writer.diagnostics(recording.findings, as: "findings")
      writer.list("refusals", recording.refusals) {
        $0.write(Failure(message: $1.message, fix: $1.fix))
      }
    }
  }

  private static func write(
    _ contract: RecordedContract, _ target: RecordingTarget, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("contract", "\(target.upstreamName)/\(contract.name)")
      writer.member("method", contract.method)
      writer.member("path", contract.path)
      writer.member("fate", contract.fate.rawValue)
      writer.list("guesses", contract.guesses) { writer, guess in
        writer.object {
          $0.member("parameter", guess.name)
          $0.list("values", guess.values) { $0.string($1) }
        }
      }
      writer.list("cases", contract.cases) { writer, recorded in
        writer.object {
          $0.member("case", recorded.name)
          $0.member("status", recorded.status)
        }
      }
      writer.list("scripts", contract.scripts) { writer, script in
        writer.object {
          $0.member("script", script.name)
          $0.list("cases", script.cases) { $0.string($1) }
        }
      }
      writer.key("leftOut")
      writer.object { writer in
        writer.list("volatileHeaders", contract.volatileHeaders) { $0.string($1) }
        writer.list("secretHeaders", contract.secretHeaders) { $0.string($1) }
        writer.list("secretParameters", contract.secretParameters) { $0.string($1) }
      }
      writer.list("differs", contract.volatilePointers) { $0.string($1) }
      writer.list("masked", contract.maskedPlaces) { $0.string($1) }
      writer.list("notLive", contract.notLive) { $0.string($1) }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ error: Failure) {
    object {
      $0.member("message", error.message)
      $0.member("fix", error.fix)
    }
  }
}
