import UnderstudyCore
import UnderstudySuite
import UnderstudySystem

/// What is done before this process starts commands: those of contracts find no credentials in it,
/// and a guard ends what a killed run leaves behind.
enum CommandSafety {
  static func prepare(for commands: Command.StartedCommands) throws(SystemError) {
    switch commands {
    case .none: break
    case .ofUser:
      ScratchFolder.removeAbandoned()
      try startGuard()
    case .ofContracts:
      try CleanStart.begin(keeping: CommandEnvironment.isOpen)
      CleanStart.hide()
      try startGuard()
      ProcessTree.adoptOrphans()
    case .byWorker:
      CleanStart.hide()
      ProcessTree.adoptOrphans()
    }
  }

  private static func startGuard() throws(SystemError) {
    try CommandGuard.start(
      CommandLine.arguments.prefix(1) + [GuardCommand.verb],
      environment: Environment.variables.filter { variable in
        CommandEnvironment.isOpen(String(variable.prefix { $0 != "=" }))
      })
  }
}

/// The command that the tool starts itself with, to end commands that a killed run leaves behind.
enum GuardCommand {
  static let verb = "guard"

  static let command = Command(
    name: "understudy \(verb)",
    summary: "Ends the commands of a run that is killed, which starts it and names them",
    run: { _, _ throws(Failure) in
      CommandGuard.keep()
      return .pass
    })
}
