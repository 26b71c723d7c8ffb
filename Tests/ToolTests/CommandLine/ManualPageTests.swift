import Foundation
import Testing

@testable import UnderstudyTool

/// The pages for `man`, which the packages have.
@Suite struct ManualPageTests {
  private static let verbs = Understudy.command.subcommands.map(\.verb)

  @Test("has the parts of a help page")
  func parts() {
    let command = Command(
      name: "understudy tell", summary: "Tells a joke",
      discussion:
        "It isn't a long one.\n\nIts lines:\n  knock -- \\\n.who is there\u{2026} \u{E9}",
      parameters: [
        ParameterDeclaration(kind: .argument, name: "JOKE", isRepeatable: true, help: "Which."),
        Parameter.flag("loud", short: "l", "Laugh, too.").declaration,
      ],
      examples: ["understudy tell '*'": "Tell all."],
      exitCodes: [.pass: "It was funny."],
      run: { _, _ in .pass })
    #expect(
      ManualPage(command, seeAlso: [Understudy.command]).text == #"""
        .TH UNDERSTUDY\-TELL 1 "" "understudy 0.1.0"
        .nh
        .ad l
        .SH NAME
        understudy\-tell \- Tells a joke
        .SH SYNOPSIS
        \fBunderstudy tell\fR [OPTIONS] [JOKE...]
        .SH DESCRIPTION
        It isn\(aqt a long one.
        .PP
        Its lines:
        .nf
          knock \-\- \e
        .fi
        \&.who is there... \[u00E9]
        .SH ARGUMENTS
        .TP
        \fBJOKE\fR
        Which. Repeatable.
        .SH OPTIONS
        .TP
        \fB\-l, \-\-loud\fR
        Laugh, too.
        .TP
        \fB\-\-color WHEN\fR
        When to print in colour. One of auto, always or never. Default: auto.
        .TP
        \fB\-h, \-\-help\fR
        Show this help, or with \-h its beginning.
        .SH EXIT STATUS
        .TP
        \fB0\fR
        It was funny.
        .SH EXAMPLES
        .TP
        \fBunderstudy tell \(aq*\(aq\fR
        Tell all.
        .SH SEE ALSO
        .BR understudy (1)

        """#)
  }

  @Test(
    "man shows each without a complaint, with every option and example",
    .enabled(if: ProcessRun.find("groff") != nil, "groff is not installed"),
    arguments: [""] + verbs)
  func shown(verb: String) async throws {
    let page = CommandLineRun("help \(verb) --man")
    #expect(page.errors == "")
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).1")
    try page.output.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let groff = try #require(ProcessRun.find("groff"))
    let run = try await offPool {
      try ProcessRun(groff, ["-man", "-Tascii", "-P-c", "-ww", "-rLL=400n", file.path])
    }
    #expect(run.errors == "")
    // Bold letters are printed twice.
    let text = run.output.replacing(/.\u{8}/, with: "")
    let root = Understudy.command
    let command = verb.isEmpty ? root : try root.subcommand(verb)
    for word in command.options.flatMap(\.spellings) + command.examples.list.map(\.0) {
      #expect(text.contains(word))
    }
  }
}
