import Glibc
import UnderstudyCLinux

/// Takes the body of one answer where it shall go, if that is not memory.
final class BodySink {
  private enum Target {
    case file(descriptor: Int32, path: String, temporaryPath: String)
    case handler(@Sendable (ArraySlice<UInt8>) -> Bool)
  }

  private let target: Target
  private var isComplete = false

  /// `nil` for memory.
  init?(_ destination: BodyDestination, _ request: HTTPRequest) throws(TransportError) {
    switch destination {
    case .memory: return nil
    case .handler(let handler): target = .handler(handler)
    case .file(let path):
      let temporaryPath = "\(path).\(UInt64.random(in: 0 ... .max)).part"
      let descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else {
        throw TransportError(
          .cannotStore, "\(request.place): \(TransportError.system("write \(path)").message)")
      }
      target = .file(descriptor: descriptor, path: path, temporaryPath: temporaryPath)
    }
  }

  deinit {
    guard case .file(let descriptor, _, let temporaryPath) = target else { return }
    close(descriptor)
    if !isComplete { unlink(temporaryPath) }
  }

  /// Returns why it does not take them.
  func take(_ bytes: UnsafeRawBufferPointer) -> String? {
    switch target {
    case .handler(let handler):
      return handler(Array(bytes)[...]) ? nil : "the handler takes no more"
    case .file(let descriptor, let path, _):
      var rest = bytes[...]
      while !rest.isEmpty {
        // SAFETY: what is left of the bytes, which are the caller's during the call.
        let count = write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, clinux_errno() == EINTR { continue }
        guard count >= 0 else { return TransportError.system("write \(path)").message }
        rest = rest.dropFirst(count)
      }
      return nil
    }
  }

  /// Puts a file in its place; returns why it cannot.
  func complete() -> String? {
    guard case .file(_, let path, let temporaryPath) = target else { return nil }
    guard rename(temporaryPath, path) == 0 else {
      return TransportError.system("write \(path)").message
    }
    isComplete = true
    return nil
  }
}
