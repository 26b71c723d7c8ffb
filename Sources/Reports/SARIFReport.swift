import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// SARIF 2.1.0: a rule for each type of finding that occurs, a result for each finding.
///
/// A check that could not be made is not a result but a notification of the tool.
struct SARIFReport {
  private let report: Report
  private let types: [FindingType]

  init(_ report: Report) {
    self.report = report
    let found = Set((report.findings + report.checks.flatMap(\.findings)).map(\.type))
    types = FindingType.allCases.filter(found.contains)
  }

  var text: String {
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      writer.member("version", "2.1.0")
      writer.key("runs")
      writer.array { writer in
        writer.object { writer in
          writeTool(to: &writer)
          writeInvocation(to: &writer)
          writer.key("automationDetails")
          writer.object { $0.member("id", "\(report.run.command.visible)/") }
          writer.member("columnKind", "unicodeCodePoints")
          writeResults(to: &writer)
        }
      }
    }
    return String(decoding: writer.bytes.inertJSON, as: UTF8.self) + "\n"
  }

  private func writeTool(to writer: inout JSONWriter) {
    writer.key("tool")
    writer.object { writer in
      writer.key("driver")
      writer.object { writer in
        writer.member("name", "Understudy")
        writer.member("version", report.run.toolVersion.visible)
        writer.list("rules", types) { writer, type in
          writer.object { writer in
            writer.member("id", type.rawValue)
            Self.write([type.meaning], as: "shortDescription", to: &writer)
            writer.member("helpUri", type.page)
          }
        }
      }
    }
  }

  private func writeInvocation(to writer: inout JSONWriter) {
    let unchecked = report.checks(.couldNotCheck)
    writer.key("invocations")
    writer.array { writer in
      writer.object { writer in
        writer.key("executionSuccessful")
        writer.bool(unchecked.isEmpty)
        writer.member("exitCode", Int(report.exitCode))
        writer.member("startTimeUtc", report.run.startedAt.visible)
        writer.list("toolExecutionNotifications", unchecked) { writer, check in
          writer.object { writer in
            writer.member("level", "warning")
            Self.write(
              ["\(check.identity) could not be checked: \(check.reason ?? "")"],
              as: "message", to: &writer)
            Self.write(check.place, of: check.identity, to: &writer)
          }
        }
      }
    }
  }

  private func writeResults(to writer: inout JSONWriter) {
    writer.key("results")
    writer.array { writer in
      var fingerprints = Fingerprints()
      for finding in report.findings {
        write(finding, of: nil, at: nil, &fingerprints, to: &writer)
      }
      for check in report.checks {
        for finding in check.findings {
          write(finding, of: check.identity, at: check.place, &fingerprints, to: &writer)
        }
      }
    }
  }

  private func write(
    _ finding: Finding, of identity: Check.Identity?, at place: Place?,
    _ fingerprints: inout Fingerprints, to writer: inout JSONWriter
  ) {
    let lines = [
      identity.map { "\($0): \(finding.message)" } ?? finding.message,
      finding.spot.map { "at \($0)" }, finding.fix.map { "fix: \($0)" },
    ]
    writer.object { writer in
      writer.member("ruleId", finding.type.rawValue)
      writer.member("ruleIndex", types.firstIndex(of: finding.type))
      writer.member("level", finding.severity.level)
      Self.write(lines.compactMap { $0 }, as: "message", to: &writer)
      if let place = finding.place ?? place {
        Self.write(place, of: identity, to: &writer)
      }
      writer.key("partialFingerprints")
      writer.object { writer in
        // The name that GitHub looks for.
        writer.member("primaryLocationLineHash", fingerprints.next(for: finding, of: identity))
      }
    }
  }

  private static func write(
    _ place: Place, of identity: Check.Identity?, to writer: inout JSONWriter
  ) {
    writer.key("locations")
    writer.array { writer in
      writer.object { writer in
        writer.key("physicalLocation")
        writer.object { writer in
          writer.key("artifactLocation")
          writer.object { $0.member("uri", uri(ofFile: place.file)) }
          if let position = place.position {
            writer.key("region")
            writer.object { writer in
              writer.member("startLine", position.line)
              writer.member("startColumn", position.column)
            }
          }
        }
        if let identity {
          writer.key("logicalLocations")
          writer.array { writer in
            writer.object { $0.member("fullyQualifiedName", identity.description.visible) }
          }
        }
      }
    }
  }

  // MARK: - Text from outside

  /// Viewers render `[text](target)` as a link, so brackets are escaped.
  private static func write(_ lines: [String], as key: String, to writer: inout JSONWriter) {
    var text = lines.map(\.visible).joined(separator: "\n")
    if text.unicodeScalars.contains("](".unicodeScalars) {
      text = text.escaping { "[]\\".unicodeScalars.contains($0) ? "\\\($0)" : nil }
    }
    writer.key(key)
    writer.object { $0.member("text", text) }
  }

  static func uri(ofFile path: String) -> String {
    var uri = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        uri += "%\(digits.utf8.count == 1 ? "0" : "")\(digits)"
      }
    }
    return uri
  }
}

extension Finding.Severity {
  fileprivate var level: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .note: "note"
    }
  }
}

/// Fingerprints that identify a finding in the next run even if its line has moved.
private struct Fingerprints {
  private var counts: [UInt64: Int] = [:]

  /// Identical findings are numbered in order.
  mutating func next(for finding: Finding, of identity: Check.Identity?) -> String {
    var print = Fingerprint()
    let parts = [
      finding.type.rawValue, identity?.caseID, identity?.consumer,
      finding.path?.description ?? finding.header,
    ]
    for part in parts { print.add((part ?? "").utf8 + [0]) }
    counts[print.value, default: 0] += 1
    return "\(print.hex):\(counts[print.value, default: 1])"
  }
}
