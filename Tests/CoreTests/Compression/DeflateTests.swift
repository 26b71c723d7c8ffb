import Foundation
import Testing
import UnderstudyCore
import UnderstudyTestSupport

@Suite struct DeflateTests {
  /// Without repetition, with all bytes, and with repetitions of each length and many distances.
  private static let samples: [[UInt8]] = [
    [], [7], Array("aaa".utf8), Array(0...255), [UInt8](repeating: 0, count: 70_000),
    (0..<40).flatMap { Array(repeating: UInt8($0), count: $0) + [200, UInt8(200 + $0)] },
    (0..<600).flatMap { number in
      Array(0..<UInt8(truncatingIfNeeded: number)) + Array("\(number)".utf8)
    },
    (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) },
  ]

  @Test("what is compressed reads the same again", arguments: samples.indices)
  func same(index: Int) {
    let sample = Self.samples[index]
    let packed = Deflate.gzip(sample)
    #expect(Inflate.decoded(packed, coding: "gzip", byteCountMax: 1 << 20) == sample)
  }

  @Test("gzip reads it, too, and text takes about a third")
  func others() throws {
    let text = String(repeating: "The page that people watch. ", count: 40) + "\(Self.samples)"
    let packed = Deflate.gzip(Array(text.utf8))
    #expect(packed.count * 5 < text.utf8.count * 2)
    let input = Pipe()
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    // It reads on while it is written to.
    let writer = input.fileHandleForWriting
    Thread {
      try? writer.write(contentsOf: packed); try? writer.close()
    }.start()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }
}
