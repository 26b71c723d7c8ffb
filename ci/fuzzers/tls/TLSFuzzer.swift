// Called repeatedly by libFuzzer: passes a client's bytes through the server's side of TLS, in pieces
// whose size the first byte says. Nobody who lacks a key says anything, and a session that has failed
// takes nothing more.
import UnderstudyCore
import UnderstudyTLS

/// Shows the same certificate to everybody.
private final class Greeter: TLSGreeter {
  let identity: TLSIdentity

  init(_ identity: TLSIdentity) { self.identity = identity }

  func greeting(for name: String?, on descriptor: Int32) -> TLSGreeting {
    name?.hasPrefix("x") == true ? .refuse : .show(identity)
  }
}

private struct Server {
  let context: TLSContext
  let buffers: TLSBuffers
  let greeter: Greeter

  init() throws {
    let identity = try TLSAuthority(for: [], at: .now).identity(for: ["localhost"], at: .now)
    context = try TLSContext(identity)
    buffers = try TLSBuffers(context)
    greeter = Greeter(identity)
  }
}

// libFuzzer has one thread.
private nonisolated(unsafe) let server = try? Server()

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard let server, count > 0 else { return 0 }
  let session = try? TLSSession(
    server.context, server.buffers, server.greeter, descriptor: -1, number: 0)
  guard let session else { preconditionFailure("no memory for a session") }
  // SAFETY: libFuzzer passes `count` bytes that stay valid until this returns.
  let bytes = UnsafeRawBufferPointer(start: start + 1, count: count - 1)
  let pieceByteCount = Int(start.pointee) * 8 + 1
  var offset = 0
  while offset < bytes.count {
    let end = min(offset + pieceByteCount, bytes.count)
    let plain = session.receive(UnsafeRawBufferPointer(rebasing: bytes[offset..<end]))
    precondition(plain.isEmpty, "a client without keys has said something")
    precondition(session.state != .open, "a client without keys has shaken hands")
    while server.buffers.takeOutput() != nil {}
    offset = end
  }
  session.announceEnd()
  while server.buffers.takeOutput() != nil {}
  return 0
}
