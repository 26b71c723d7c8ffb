import UnderstudyCore
package import UnderstudyJSON

/// The report for programs, and for joining shards. Keys keep their names and meaning; new keys may
/// be added.
extension Report {
  static let schemaVersion = 1

  package var json: [UInt8] {
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.member("schemaVersion", Self.schemaVersion)
      writer.member("result", result.rawValue)
      writer.member("exitCode", Int(exitCode))
      writer.member("summary", summary)
      writer.key("counts")
      writer.object { writer in
        for result in CheckResult.allCases { writer.member(result.rawValue, count(result)) }
      }
      writer.list("brokenConsumers", brokenConsumers) { $1.write(to: &$0) }
      writer.key("run")
      run.write(to: &writer)
      writer.list("findings", findings) { $1.write(to: &$0) }
      writer.list("checks", checks) { $1.write(to: &$0) }
      writer.key("owners")
      writer.object { writer in
        for (upstream, owner) in owners.sorted(by: { $0.key < $1.key }) {
          writer.member(upstream, owner)
        }
      }
    }
    return writer.bytes.inertJSON + [UInt8(ascii: "\n")]
  }
}

extension Run {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("command", command)
      writer.member("toolVersion", toolVersion)
      writer.key("seed")
      if let number = seed.flatMap({ JSONNumber(String($0)) }) {
        writer.number(number)
      } else {
        writer.null()
      }
      writer.member("shard", shard?.description)
      writer.member("division", division)
      writer.member("plannedCount", plannedCount)
      writer.member("failsOn", failsOn.rawValue)
      writer.member("startedAt", startedAt)
      writer.member("durationNanoseconds", duration.nanoseconds)
      writer.member("commit", revision?.commit)
      writer.member("branch", revision?.branch)
    }
  }
}

extension Check {
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      identity.writeMembers(to: &writer)
      place.writeMembers(to: &writer)
      writer.member("result", result.rawValue)
      writer.member("reason", reason)
      if let cause { writer.member("cause", cause.rawValue) }
      writer.member("attempts", attemptCount)
      writer.member("durationNanoseconds", duration.nanoseconds)
      writer.list("findings", findings) { $1.write(to: &$0) }
    }
  }
}

extension Finding {
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("severity", severity.rawValue)
      writer.member("type", type.rawValue)
      writer.member("message", message)
      place.writeMembers(to: &writer)
      writer.member("path", path?.description)
      writer.member("header", header)
      frequency?.writeMember(to: &writer)
      writer.member("diff", diff)
      writer.member("fix", fix)
      writer.member("page", type.page)
    }
  }
}

extension Place? {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("file", self?.file)
    writer.member("line", self?.position?.line)
    writer.member("column", self?.position?.column)
  }
}

extension Place {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    Optional(self).writeMembers(to: &writer)
  }
}

extension Duration {
  /// In whole nanoseconds; durations of centuries are clamped.
  package var nanoseconds: Int {
    let (seconds, attoseconds) = components
    let (whole, overflow) = Int(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, sumOverflow) = whole.addingReportingOverflow(Int(attoseconds / 1_000_000_000))
    return sumOverflow ? (seconds < 0 ? .min : .max) : sum
  }
}
