import Foundation
import Testing
import UnderstudyCore
import UnderstudyTestSupport

@testable import UnderstudyFakeServer

@Suite struct ResponseContentCodingTests {
  @Test(
    "checksums match known values",
    arguments: [
      ("", 0), ("a", 0xE8B7_BE43), ("123456789", 0xCBF4_3926),
      ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
    ] as [(String, UInt32)])
  func checksum(text: String, value: UInt32) {
    #expect(CRC32.checksum(of: text.utf8) == value)
  }

  @Test("a short text is one stored block")
  func bytes() {
    #expect(
      ContentCoding.gzip.encode(Array("abc".utf8)) == [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF,
        1, 3, 0, 0xFC, 0xFF, 0x61, 0x62, 0x63,
        0xC2, 0x41, 0x24, 0x35, 3, 0, 0, 0,
      ])
  }

  /// Around the limits of a block.
  static let lengths = [0, 1, 300, 65_534, 65_535, 65_536, 131_070, 131_071, 200_000]

  @Test("gzip reads the compressed bytes", .enabled(if: Gzip.isThere), arguments: lengths)
  func whole(length: Int) throws {
    let bytes = ValueGenerator.bytes(length)
    let result = try Gzip.decompress(ContentCoding.gzip.encode(bytes))
    #expect(result.status == 0)
    #expect(result.output == bytes)
  }

  @Test("a wrong checksum is found", .enabled(if: Gzip.isThere), arguments: lengths)
  func corrupt(length: Int) throws {
    let bytes = ValueGenerator.bytes(length)
    let sent = ContentCoding.brokenGzip(.corrupt).encode(bytes)
    #expect(sent.count == ContentCoding.gzip.encode(bytes).count)
    #expect(try Gzip.decompress(sent).status != 0)
  }

  @Test("a cut removes some of the data, not only the trailer", arguments: lengths)
  func truncated(length: Int) throws {
    let bytes = ValueGenerator.bytes(length)
    let whole = ContentCoding.gzip.encode(bytes)
    let sent = ContentCoding.brokenGzip(.truncated).encode(bytes)
    #expect(sent[...] == whole.prefix(sent.count))
    #expect(sent.count > 10)
    #expect(sent.count < whole.count - 8)
  }

  @Test("a cut is found", .enabled(if: Gzip.isThere), arguments: lengths)
  func truncatedFound(length: Int) throws {
    let sent = ContentCoding.brokenGzip(.truncated).encode(ValueGenerator.bytes(length))
    #expect(try Gzip.decompress(sent).status != 0)
  }

  @Test("bytes called compressed that are not stay as they are")
  func plain() {
    #expect(ContentCoding.brokenGzip(.plain).encode([1, 2, 3]) == [1, 2, 3])
  }

  @Test("an encoded response has its header, and the length of what is sent")
  func respond() throws {
    let stage = try Stage(#""status": 200, "text": "abc", "encoding": "gzip""#)
    let head = head(
      "HTTP/1.1 200 OK", "Content-Encoding: gzip", "Content-Length: 26", "Date: \(Stage.httpDate)")
    #expect(stage.bytes() == Array(head.utf8) + ContentCoding.gzip.encode(Array("abc".utf8)))
  }
}

/// The system's own gzip, as a second opinion.
private enum Gzip {
  static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/gzip")

  static func decompress(_ bytes: [UInt8]) throws -> (status: Int32, output: [UInt8]) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/gzip")
    process.arguments = ["-dc"]
    process.standardInput = try FileHandle(forReadingFrom: file)
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readOn()
    process.waitUntilExit()
    return (process.terminationStatus, Array(data))
  }
}
