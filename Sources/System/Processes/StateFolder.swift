/// Where programs keep what is their user's, and outlasts a run, but belongs to no project.
package enum StateFolder {
  #if canImport(Darwin)
    package static let variables = ["HOME"]
  #else
    /// The environment variables that decide.
    package static let variables = ["XDG_STATE_HOME", "HOME"]
  #endif

  /// The folder of a program; `nil` if the environment does not say.
  ///
  /// A relative path would depend on the working folder, so it counts as none.
  package static func path(
    for program: String, _ environment: (String) -> String?
  ) -> String? {
    func folder(_ name: String) -> String? {
      environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    #if canImport(Darwin)
      return folder("HOME").map { "\($0)/Library/Application Support/\(program)" }
    #else
      return (folder("XDG_STATE_HOME") ?? folder("HOME").map { "\($0)/.local/state" })
        .map { "\($0)/\(program)" }
    #endif
  }
}
