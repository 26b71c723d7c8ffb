import UnderstudySystem

/// Writes the body of one response to its destination, unless that is memory.
final class BodySink {
  private enum Target {
    case file(Descriptor, path: String, temporaryPath: String)
    case handler(@Sendable (ArraySlice<UInt8>) -> Bool)
  }

  private let target: Target
  private var isComplete = false

  /// `nil` for memory.
  init?(_ destination: BodyDestination, _ request: ClientRequest) throws(TransportError) {
    switch destination {
    case .memory: return nil
    case .handler(let handler): target = .handler(handler)
    case .file(let path):
      let temporaryPath = "\(path).\(UInt64.random(in: 0 ... .max)).part"
      do throws(Errno) {
        let file = try Descriptor(temporaryPath, [.writes, .creates, .onlyNew])
        target = .file(file, path: path, temporaryPath: temporaryPath)
      } catch {
        throw TransportError(
          .cannotStore, "\(request.place): \(SystemError(error, attempt: "write \(path)"))")
      }
    }
  }

  deinit {
    guard case .file(_, _, let temporaryPath) = target, !isComplete else { return }
    Descriptor.remove(temporaryPath)
  }

  /// Returns why the bytes were not accepted, or `nil`.
  func take(_ bytes: UnsafeRawBufferPointer) -> String? {
    // SAFETY: the bytes are valid during the call, in which they are copied or written.
    switch target {
    case .handler(let handler):
      return handler(Array(bytes)[...]) ? nil : "the handler refused more"
    case .file(let file, let path, _):
      return attempt("write \(path)") { () throws(Errno) in try file.write(bytes) }
    }
  }

  /// Moves a file into place; returns why that failed, or `nil`.
  func complete() -> String? {
    guard case .file(_, let path, let temporaryPath) = target else { return nil }
    let complaint = attempt("write \(path)") { () throws(Errno) in
      try Descriptor.move(temporaryPath, to: path)
    }
    isComplete = complaint == nil
    return complaint
  }

  private func attempt(_ words: String, _ call: () throws(Errno) -> Void) -> String? {
    do throws(Errno) {
      try call()
      return nil
    } catch {
      return "\(SystemError(error, attempt: words))"
    }
  }
}
