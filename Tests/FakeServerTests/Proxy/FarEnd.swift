import Foundation
import Testing
import UnderstudySystem

/// What a server has of a client's connection.
final class FarEnd: Sendable {
  private let descriptor: Int32

  /// Waits for the client of a listener.
  init(of listener: Int32) throws {
    _ = Readiness.wait(for: [listener], milliseconds: 20_000)
    guard case .client(let descriptor) = Socket.accept(listener) else {
      throw WaitedInVain(for: "a client", but: "")
    }
    self.descriptor = descriptor
  }

  deinit { Socket.close(descriptor) }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty, let count = rest.withUnsafeBytes({ Socket.send(descriptor, $0) }) {
      rest = rest.dropFirst(count)
      if count == 0 { _ = Readiness.wait(for: [descriptor], writes: [0], milliseconds: 20_000) }
    }
  }

  /// As many bytes, or fewer where the client sends no more.
  func receive(count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < count {
      switch buffer.withUnsafeMutableBytes({ Socket.receive(descriptor, into: $0) }) {
      case .bytes(let received): bytes += buffer[..<received]
      case .nothingYet:
        guard !Readiness.wait(for: [descriptor], milliseconds: 20_000).isEmpty else { return bytes }
      case .end, .failure: return bytes
      }
    }
    return bytes
  }

  func shutWriting() { Socket.shutWriting(descriptor) }

  /// Takes effect when this is no longer referred to.
  func resetOnClose() { Socket.resetOnClose(descriptor) }
}
