import Testing

/// A client of others, as a script of the shell.
struct ScriptedClient: CustomTestStringConvertible {
  let testDescription: String
  let program: String
  let script: String

  init(_ name: String, of program: String? = nil, _ script: String) {
    (testDescription, self.program, self.script) = (name, program ?? name, script)
  }
}
