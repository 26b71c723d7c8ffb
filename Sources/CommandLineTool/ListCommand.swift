/// `understudy list` shows what contracts there are.
enum ListCommand {
  static let command = Command(
    name: "understudy list",
    summary: "Shows upstreams, their endpoints, and every case of each",
    parameters: [ContractPaths.argument.declaration, OutputFormat.option.declaration],
    run: { arguments, terminal throws(CommandLineError) in
      _ = try arguments.value(of: ContractPaths.argument)
      _ = try arguments.value(of: OutputFormat.option)
      return .pass
    })
}
