import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySystem
import UnderstudyTLS

/// `understudy ca` makes the authority that signs for servers, and shows how clients trust it.
///
/// `LocalAuthority` reads and writes its files, and `TrustGuide` has the commands for clients.
enum AuthorityCommand {
  private static let removes = Parameter.flag("remove", "Remove the authority.")

  static let command = Command(
    name: "understudy ca",
    summary: "Makes the authority for HTTPS, and shows how clients trust it",
    discussion: """
      A server started with --tls signs its certificates by an authority that is made once, and \
      that your clients must trust. This prints the path of the authority's certificate as the \
      first line, then how to trust it.

      Whoever trusts it trusts little: for a year it signs for this machine, for private \
      networks, and for the hosts of the upstreams whose contracts are found when it is made. \
      Its files, ca.pem and ca.key, are in your state folder, where only you can read them: \
      ~/.local/state/understudy, or understudy in $XDG_STATE_HOME; on macOS \
      ~/Library/Application Support/understudy.

      An existing authority is left as it is. A warning says when it ends within 30 days, or \
      does not sign for a host of the contracts: then remove it with --remove and make a new one.
      """,
    parameters: [
      Selection.wholeContracts.declaration, Selection.folder.declaration, removes.declaration,
      OutputFormat.option.declaration,
    ],
    jsonOutput: """
      An object: certificate, the path; end, such as 2026-11-20T22:55:36Z; hosts of the \
      contracts that it signs for; and trust, an array of objects with client and commands. With \
      --remove: removed, the paths; and forget, an array like trust.
      """,
    examples: [
      "understudy ca": "Make it if there is none, and show how to trust it.",
      "understudy ca --remove": "Remove it.",
    ],
    variables: StateFolder.variables,
    exitCodes: [
      .pass: "There is an authority, or with --remove, none any more.",
      .couldNotRun:
        "Could not run: wrong usage, files that cannot be used, or no OpenSSL 3.",
    ],
    run: { arguments, terminal throws(Failure) in
      let format = try arguments.value(of: OutputFormat.option)
      let files = try LocalAuthority.Files(arguments.environment)
      guard try !arguments.value(of: removes) else {
        let removed = try files.remove()
        switch format {
        case .text: write(removed, from: files, to: &terminal)
        case .json: writeJSON(removed, to: &terminal.output)
        }
        return .pass
      }
      let (hosts, now) = (try hosts(arguments), Moment.now)
      let local = try LocalAuthority.open(for: hosts, in: files, at: now)
      let covered = hosts.filter(local.authority.permits)
      switch format {
      case .text: write(local, covered, to: &terminal)
      case .json: writeJSON(local, covered, to: &terminal.output)
      }
      for warning in local.warnings(for: hosts, at: now) { terminal.writeWarning(warning) }
      return .pass
    })

  /// The hosts of the contracts; none where no contracts are named and there are none.
  private static func hosts(_ arguments: ParsedArguments) throws(Failure) -> [String] {
    let selection = try Selection(arguments, by: Selection.wholeContracts)
    let isNamed =
      !arguments.words(of: Selection.wholeContracts.declaration).isEmpty
      || arguments.isGiven(Selection.folder.declaration)
    let library =
      isNamed ? try selection.load(for: .serving) : try? selection.load(for: .serving)
    return library?.upstreams.hostNames ?? []
  }

  private static func write(
    _ local: LocalAuthority, _ hosts: [String], to terminal: inout Terminal
  ) {
    let names = LocalAuthority.ownNames + hosts
    terminal.output.write(line: local.files.certificate)
    terminal.output.write("\n")
    terminal.output.write(
      line: "It signs for \(LocalAuthority.list(names)), until \(local.authority.end.date).")
    terminal.output.write("\n")
    write(TrustGuide.trusting(local.files.certificate), to: &terminal.output)
    terminal.output.write("\n")
    for line in TextLayout.wrapped(terminal.tool.inserted(in: TrustGuide.replacing), width: 80) {
      terminal.output.write("\(line)\n")
    }
  }

  private static func write(
    _ removed: [String], from files: LocalAuthority.Files, to terminal: inout Terminal
  ) {
    guard !removed.isEmpty else {
      return terminal.output.write(line: "there is no authority in \(files.folder)")
    }
    for file in removed { terminal.output.write(line: "removed \(file)") }
    terminal.output.write("\nWhere clients were told to trust it, undo that:\n\n")
    write(TrustGuide.forgetting, to: &terminal.output)
  }

  private static func write(_ entries: [TrustGuide.Entry], to stream: inout TextStream) {
    for entry in entries {
      stream.write("\(entry.client)\n", .bold)
      for command in entry.commands { stream.write(line: "  \(command)") }
    }
  }

  private static func writeJSON(
    _ local: LocalAuthority, _ hosts: [String], to stream: inout TextStream
  ) {
    write(to: &stream) { writer in
      writer.member("certificate", local.files.certificate)
      writer.member("end", local.authority.end.rfc3339)
      writer.member("hosts", hosts)
      write("trust", TrustGuide.trusting(local.files.certificate), to: &writer)
    }
  }

  private static func writeJSON(_ removed: [String], to stream: inout TextStream) {
    write(to: &stream) { writer in
      writer.member("removed", removed)
      write("forget", TrustGuide.forgetting, to: &writer)
    }
  }

  private static func write(
    to stream: inout TextStream, _ members: (inout JSONWriter) -> Void
  ) {
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { members(&$0) }
    stream.write(json: writer.bytes + "\n".utf8)
  }

  private static func write(
    _ key: String, _ entries: [TrustGuide.Entry], to writer: inout JSONWriter
  ) {
    writer.list(key, entries) { writer, entry in
      writer.object { writer in
        writer.member("client", entry.client)
        writer.member("commands", entry.commands)
      }
    }
  }
}
