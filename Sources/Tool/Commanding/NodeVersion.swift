import UnderstudyFindings
import UnderstudySystem

/// The version of the Node that a command would start.
struct NodeVersion: Equatable {
  let major: Int
  let minor: Int

  /// Reads such as `v22.21.0`.
  init?(_ text: some StringProtocol) {
    let parts = text.drop { $0 == "v" }.split(separator: ".").map { Int($0) }
    guard text.hasPrefix("v"), parts.count >= 3, let major = parts[0], let minor = parts[1] else {
      return nil
    }
    (self.major, self.minor) = (major, minor)
  }

  /// Whether it can use the proxy that variables name.
  var heedsProxies: Bool {
    major > 24 || major == 24 && minor >= 5 || major == 22 && minor >= 21
  }

  /// Whether there is a Node that has to be given what it lacks. Starts it once.
  static let needsModule = found.map { !$0.heedsProxies } ?? false

  private static let patience = Duration.seconds(5)

  /// `nil` where there is none on the `PATH`, or none that says its version.
  private static var found: NodeVersion? {
    guard ChildProcess.path(of: "node", in: ".") != nil, let output = try? Pipe(),
      let errors = try? Pipe()
    else { return nil }
    var streams = ChildProcess.Streams()
    (streams.output, streams.errors) = (output, errors)
    guard
      let child = try? ChildProcess(
        ["node", "--version"], environment: Environment.variables, streams, isApart: true)
    else { return nil }
    output.closeWriteEnd()
    output.readWithoutWaiting()
    let end = ContinuousClock.now + patience
    var printed: [UInt8] = []
    while .now < end {
      _ = Readiness.wait(
        for: [output.readEnd], milliseconds: Int32(clamping: (end - .now).milliseconds + 1))
      guard let piece = output.read(byteCountMax: 256), !piece.isEmpty, printed.count < 256 else {
        break
      }
      printed += piece
    }
    _ = child.ending()
    return NodeVersion(String(decoding: printed, as: UTF8.self).trimmingPrefix { $0.isWhitespace })
  }
}
