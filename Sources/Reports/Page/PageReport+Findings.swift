import UnderstudyCore
import UnderstudyFindings

/// A finding with the cases in which it was found.
struct Told {
  let finding: Finding
  let consumer: String?
  var cases: [Outline.ServedCase] = []
}

extension PageReport {
  /// A line of a contract, with what was found there.
  private struct Site {
    let place: Place
    var told: [Told] = []

    var severity: Finding.Severity { told.map(\.finding.severity).min() ?? .note }
  }

  private struct Line: Hashable {
    let file: String
    let number: Int?
  }

  private struct Key: Hashable {
    let line: Line
    let finding: Finding
    let consumer: String?
  }

  /// One mistake in a line that many cases share is told once.
  mutating func writeFindings(of cases: [Outline.ServedCase]) {
    var sites: [Site] = []
    var (places, known) = ([Line: Int](), [Key: Int]())
    for served in cases {
      for check in served.checks {
        for finding in check.findings {
          let place = finding.place ?? check.place
          let line = Line(file: place.file, number: place.position?.line)
          let site = places[line] ?? sites.count
          if site == sites.count {
            places[line] = site
            sites.append(Site(place: place))
          }
          let key = Key(line: line, finding: finding, consumer: check.identity.consumer)
          let index = known[key] ?? sites[site].told.count
          if index == sites[site].told.count {
            known[key] = index
            sites[site].told.append(Told(finding: finding, consumer: check.identity.consumer))
          }
          if sites[site].told[index].cases.last?.id != served.id {
            sites[site].told[index].cases.append(served)
          }
        }
      }
    }
    for severity in Finding.Severity.allCases.sorted() {
      for site in sites where site.severity == severity {
        write(site, namesCases: cases.count > 1)
      }
    }
  }

  /// What was found stands below its line, as a reviewer's remark does.
  private mutating func write(_ site: Site, namesCases: Bool) {
    text += "<div class=\"site\">\n"
    text += "<p class=\"place\"><code>\(Self.escaped("\(site.place)"))</code></p>\n"
    let lines = lines(of: site.place.file)
    let number = site.place.position?.line ?? .max
    let isShown = number > 0 && number <= lines.count
    if isShown { writeLines(of: lines, max(1, number - 3)...number, marking: number) }
    for severity in Finding.Severity.allCases.sorted() {
      for told in site.told where told.finding.severity == severity {
        write(told, namesCases: namesCases)
      }
    }
    if isShown, number < lines.count {
      writeLines(of: lines, number + 1...min(lines.count, number + 3))
    }
    text += "</div>\n"
  }

  private mutating func writeLines(
    of lines: [Substring.UnicodeScalarView], _ shown: ClosedRange<Int>, marking marked: Int? = nil
  ) {
    let width = String(shown.upperBound).count
    text += "<pre role=\"group\" aria-label=\"lines of the contract\">"
    for number in shown {
      let digits = String(number)
      let margin = String(repeating: " ", count: width - digits.count) + digits
      let line = Self.escaped("\(margin)  \(String(lines[number - 1].prefix(300)).withoutTabs)")
      text += number == marked ? "<b class=\"here\">\(line)</b>" : "\(line)\n"
    }
    text += "</pre>\n"
  }

  private static let caseCountMax = 20

  mutating func write(_ told: Told, namesCases: Bool = false) {
    let finding = told.finding
    text += "<div class=\"finding \(finding.severity.rawValue)\">\n<p class=\"what\">"
    text += Self.chip(finding.severity.rawValue, finding.severity.sign, finding.severity.rawValue)
    text += told.consumer.map { " <b>\(Self.escaped($0))</b>:" } ?? ""
    text += " \(Self.escaped(finding.message))</p>\n"
    text += "<p class=\"note\"><a href=\"\(Self.escaped(finding.type.page))\">"
    text += "\(Self.escaped(finding.type.rawValue))</a>"
    if let spot = finding.spot { text += " at <code>\(Self.escaped(spot))</code>" }
    if namesCases {
      let links = told.cases.prefix(Self.caseCountMax).map { Self.link(to: $0.id, $0.name) }
      let rest = told.cases.count - Self.caseCountMax
      text += " in \(links.joined(separator: ", "))\(rest > 0 ? ", and \(rest) more" : "")"
    }
    text += "</p>\n"
    writeDiff(of: finding)
    if let fix = finding.fix { text += "<p class=\"fix\">fix: \(Self.escaped(fix))</p>\n" }
    text += "</div>\n"
  }

  private mutating func writeDiff(of finding: Finding) {
    var diff = finding.shortDiff[...]
    if diff.count > 2, diff[0].hasPrefix("--- "), diff[1].hasPrefix("+++ ") {
      diff = diff.dropFirst(2)
      if diff.first?.hasPrefix("@@ ") == true { diff = diff.dropFirst() }
    }
    guard !diff.isEmpty else { return }
    text += "<pre class=\"diff\" role=\"group\""
    text += " aria-label=\"what was expected, with a minus, and found, with a plus\">"
    text += "<span class=\"same\">- expected, + found</span>"
    for line in diff {
      let kind = line.hasPrefix("-") ? "less" : line.hasPrefix("+") ? "more" : "same"
      text += "<span class=\"\(kind)\">\(Self.escaped(line))</span>"
    }
    text += "</pre>\n"
  }

  private mutating func lines(of file: String) -> [Substring.UnicodeScalarView] {
    if let lines = sourceLines[file] { return lines }
    let text = (context.contractText(file) ?? "")[...].unicodeScalars
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.last == "\r" ? line.dropLast() : line
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    sourceLines[file] = text.isEmpty ? [] : lines
    return sourceLines[file] ?? []
  }
}

extension Finding.Severity {
  fileprivate var sign: String {
    switch self {
    case .error: "✗"
    case .warning: "≈"
    case .note: "·"
    }
  }
}
