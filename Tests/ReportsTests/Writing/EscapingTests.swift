import Testing
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyReports

/// Whatever comes from outside stays text: for each reader the texts that mean something to it.
@Suite struct EscapingTests {
  static let texts = [
    "plain", "", " ", "a\nb", "a\r\n\r\nb", "\u{1B}[2J\u{1B}]0;x\u{7}", "\u{0}\u{8}\u{7F}\u{9B}",
    "\u{202E}evil\u{2066}", "\u{2028}\u{2029}\u{85}", "\u{FFFE}\u{FFFF}\u{FEFF}", "]]>",
    "<![CDATA[",
    "<script>alert(1)</script>", "<!--", "-->", "&amp;&#0;", "\"'`", "::error::x",
    "\n::add-mask::a",
    "  ::stop-commands::t", "##[error]x", "##vso[task.complete]", "%0A%25%", "a,b:c=d",
    "a | b || c", "``` ```` `", "~~~", "*b* _i_ ~s~", "# h", "- l", "1. l", "> q", "$x$", "@all #1",
    "[a](javascript:x)", "![a](b)", "https://example.com www.example.com", "{0} {{", "# SKIP",
    "# TODO", "\\# \\\\", "...", "---", "  ...\nok 9", "Bail out!", "é \u{65}\u{301} 🐕‍🦺",
    "<details>", "</details>", "\t", "%s%n", "../../x y#z?q",
    "\u{A0}\u{3000}::error::x", "\u{200B}::error::x", "::\u{301}error::x", "##[\u{301}error]",
    "`\u{301}x", "|\u{301}|", "]](\u{301}<\u{301}&\u{301}",
  ]

  private static let formats = ReportFormat.allCases

  @Test("no text adds a line or takes one away", arguments: texts)
  func lines(text: String) {
    for format in Self.formats {
      let count = format.text(of: Samples.nasty(text)).utf8.count { $0 == 0x0A }
      let expected = format.text(of: Samples.nasty("plain")).utf8.count { $0 == 0x0A }
      #expect(count == expected, "\(format.rawValue)")
    }
  }

  @Test(
    "neither a terminal nor a CI system obeys a report, but for the intended lines",
    arguments: texts + HostileTexts.all)
  func obeyed(text: String) {
    for format in Self.formats {
      let report = format.text(of: Samples.nasty(text))
      let obeyed = HostileTexts.obeyed(in: report) { line in
        format == .github
          && line.wholeMatch(of: /::(error|warning) file=[^:,]+,line=1,col=1,title=[^:,]+::.+/)
            != nil
      }
      #expect(obeyed.isEmpty, "\(format.rawValue)")
    }
  }

  @Test("the report for programs has each text as it was found", arguments: HostileTexts.all)
  func exact(text: String) throws {
    let root = try JSONDocument(parsing: Samples.nasty(text).json).root
    let finding = try #require(root["findings"]?.elements.first { _ in true })
    #expect(finding["fix"]?.string == text)
    #expect(root["owners"]?["up"]?.string == text)
  }

  @Test("no report shows a secret that was found")
  func secrets() {
    for (text, secret) in SecretTable.texts {
      let finding = Finding(.error, .outcome, "found \(text)", diff: ["-a", "+\(text)"], fix: text)
      let identity = Check.Identity("joke/random", "ok", consumer: nil)
      let place = Place("Contracts/joke/random.json", nil)
      let report = Report(
        Run(
          command: "understudy test", toolVersion: "0.1.0", plannedCount: 2,
          startedAt: "2026-11-20T22:55:36Z", duration: .zero),
        checks: [
          .checked(identity, at: place, findings: [finding]),
          .couldNotCheck(identity, at: place, because: text),
        ], findings: [finding])
      for format in Self.formats {
        #expect(!format.text(of: report).contains(secret), "\(format.rawValue) \(text)")
      }
    }
  }

  @Test("a row of a table has three cells", arguments: texts)
  func cells(text: String) {
    let rows = ReportFormat.markdown.text(of: Samples.nasty(text)).split(separator: "\n")
      .filter { $0.hasPrefix("| ") }
    #expect(rows.count == 6)
    for row in rows {
      #expect(
        row.unicodeScalars.replacing("\\\\".unicodeScalars, with: []).replacing(
          "\\|".unicodeScalars, with: []
        ).count { $0 == "|" } == 4)
    }
  }

  @Test(
    "is text to Markdown",
    arguments: [
      ("a|b", "a\\|b"), ("<b>&", "&lt;b&gt;&amp;"), ("`x`", "\\`x\\`"), ("*_~", "\\*\\_\\~"),
      ("[l](x)", "\\[l\\](x)"), ("@a #1", "&#64;a \\#1"), ("http://a", "http&#58;//a"),
      ("www.a", "www&#46;a"), ("$x$", "\\$x\\$"), ("a\nb", "a\\\\u{A}b"),
      ("<\u{301}a|\u{301}", "&lt;\u{301}a\\|\u{301}"),
    ])
  func markdown(text: String, written: String) {
    #expect(MarkdownReport.escaped(text).utf8.elementsEqual(written.utf8))
  }

  @Test(
    "is code to Markdown, however many backticks it has",
    arguments: [
      ("a", "`a`"), ("a`b", "``a`b``"), ("``", "``` `` ```"), ("a``` ", "````a``` ````"),
      ("`\u{301}", "`` `\u{301} ``"),
    ])
  func code(text: String, written: String) {
    #expect(MarkdownReport.code(text) == written)
  }

  @Test(
    "is text to XML",
    arguments: [
      ("]]>", "]]&gt;"), ("<a b=\"c\">", "&lt;a b=&quot;c&quot;&gt;"), ("&lt;", "&amp;lt;"),
      ("\u{0}\n", "\\u{0}\\u{A}"), ("\u{FFFF}", "\\u{FFFF}"), ("###[x", "###\\u{5B}x"),
    ])
  func xml(text: String, written: String) {
    #expect(XMLWriter.escaped(text) == written)
  }

  @Test(
    "is a description to TAP",
    arguments: [("a # SKIP b", "a \\# SKIP b"), ("\\#", "\\\\\\#"), ("a\nok 2", "a\\\\u{A}ok 2")])
  func tap(text: String, written: String) {
    #expect(TAPReport.escaped(text) == written)
  }

  @Test(
    "a file is a URI to SARIF",
    arguments: [
      ("Contracts/a-b/c_d.json", "Contracts/a-b/c_d.json"), ("a b#c?d%", "a%20b%23c%3Fd%25"),
      ("/tmp/é", "file:///tmp/%C3%A9"), ("a:b", "a%3Ab"), ("\n", "%0A"),
    ])
  func uri(path: String, written: String) {
    #expect(SARIFReport.uri(ofFile: path) == written)
  }

  @Test("no message becomes a link in SARIF")
  func link() {
    let text = ReportFormat.sarif.text(of: Samples.nasty(#"[a](b) \ [c]"#))
    #expect(text.contains(##"\\[a\\](b) \\\\ \\[c\\]"##))
  }
}
