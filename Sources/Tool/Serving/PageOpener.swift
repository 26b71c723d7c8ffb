import UnderstudyCore
import UnderstudySystem

/// Opens a page in the browser of whoever started the server.
enum PageOpener {
  private static let program = "xdg-open"

  /// A server without a browser is still a server, so this only says what went wrong.
  static func open(_ url: String, _ terminal: inout Terminal) {
    var streams = ChildProcess.Streams()
    streams.printsToErrors = true
    do throws(SystemError) {
      guard ChildProcess.path(of: program, in: ".") != nil else {
        return terminal.writeError(
          Failure(
            message: "cannot open a browser: no \(program) on the PATH",
            fix: "open \(url) yourself"))
      }
      // Apart, so that Ctrl-C stops the server alone.
      _ = try ChildProcess(
        [program, url], environment: Environment.variables, streams, isApart: true)
    } catch {
      terminal.writeError(
        Failure(message: "cannot open a browser: \(error)", fix: "open \(url) yourself"))
    }
  }
}
