internal import Foundation

/// `openssl s_server` with one of the certificates.
package struct TLSServer {
  package let port: UInt16
  private let program: Program

  package init(_ name: String, in certificates: Certificates) async throws {
    let folder = certificates.folder
    let pipe = Pipe()
    program = try Program(
      "openssl",
      [
        "s_server", "-accept", "127.0.0.1:0", "-www", "-cert",
        folder.appending(path: "\(name).pem").path, "-key",
        folder.appending(path: "\(name).key").path,
      ], output: pipe.fileHandleForWriting.fileDescriptor)
    try pipe.fileHandleForWriting.close()
    let reading = pipe.fileHandleForReading
    // "ACCEPT 127.0.0.1:41234".
    port = try await offPool {
      var text = ""
      while true {
        let bytes = reading.availableData
        guard !bytes.isEmpty else { throw ProgramError("openssl s_server ended: \(text)") }
        text += String(decoding: bytes, as: UTF8.self)
        if let match = text.firstMatch(of: /ACCEPT .*:(\d+)\n/), let port = UInt16(match.1) {
          return port
        }
      }
    }
  }
}
