import Testing
import UnderstudyCore
import UnderstudyTestSupport

@Suite struct InflateTests {
  /// Written by zlib, each with another kind of block or head.
  private static let samples: [(name: String, coding: String, data: String, text: String)] = [
    ("stored", "gzip", "H4sIAAAAAAAEAwEHAPj/eyJhIjoxfa+sG1YHAAAA", #"{"a":1}"#),
    (
      "fixed code", "x-gzip", "H4sIAAAAAAACA6tWSlSyMtRRSlKyijbUwYCxtQDpW+7FIQAAAA==",
      #"{"a":1,"b":[1,1,1,1,1,1,1,1,1,1]}"#
    ),
    ("zlib", "Deflate", "eJyrVkpUsjKsBQAIKgIJ", #"{"a":1}"#),
    (
      "two members", "gzip",
      "H4sIAAAAAAACA6tWSlSyAgDzf7BqBQAAAB+LCAAAAAAAAgMzrAUAzBgwqQIAAAA=", #"{"a":1}"#
    ),
    (
      "with a file's name", "gzip",
      "H4sICAAAAAAC/25hbWUuanNvbgCrVkpUsjKsBQCvrBtWBwAAAA==", #"{"a":1}"#
    ),
    ("own code", "gzip", squares, "[\((0..<300).map { "\($0 * $0)" }.joined(separator: ","))]"),
  ]

  private static let squares = """
    H4sIAAAAAAACAyWUy7UkMQhDE6qF+RkcyzuTfxqjS2+63FWAhST4O599+b3P7uf1xf3yfTe/sc+OvrmemfqqiKcQxXjp
    Oe8LT8UrW3GZek5+5e+rvt9V3NWz9b/1fvT9Ke5d6irRjiqYqZRR01zFLbglua649wLggqSFyCbBIIR+QGEg9vM+j5Of
    5zEhU4ZfTs274etTXJARqg9oIQ/Vi1Tl4I5o3Raje+MJQR5hSVBlCF+mkOYV5my6pY066qeMhoOO9eUreq7m9PTuHn1V
    lolNZdxS7m1VuaN6fQpylNG68+vSvd1C0E9YBurHhW8SLa4wzwj9ow9F6CSUYlNdvjmrFWQd33MeCL6KEM0KNiPPzINz
    wqNdKLWBXf8pHXDuBf3eKOFvRVl9ImsFQrV4CJh21xvkCiXnGaRTnn5DRNhyYjWc776/Qczd+AuV1lunk5q99ftx1+y9
    Ep3z4nkHbG9xvjXHA796Vi9+6MtPYxD7OSSwiMGDkyy7wI//bOLw5mG8j1wfNfG5uRnUSZiXY6hf6CHvk1uo5FJX7y/a
    uYArfhX1Liak0dnVBUZEfc0MuQ9P+CvxIILFiczZWBSu4jzOhquEXjHheE22xaiOAyOMyQt8GaHSsjL3SqLHGQ9HBXau
    dfZFX1l+/T5Yv3cK+jIQs7OhAeXMxEjes6NwdraZ7pN7Hr1PY+YQnyEhV8qxNpz5zHDV13/dpZ2wm4FZljbCk8WEZzUD
    dnfC7mXEmm2QXTtk7AjtEnKHvZFPpfXLLqljDNhyVXY42+4cWYHtwx7Sf0Y02E0Vo5qV7CtNqe6q4l4p9BhZ9lrJjYpp
    dp12F7mjsdFvqZeScRTzBF0zTb/3lHqHVE25aRVozI/4ueurG3uOfZ8bkxtfm1tb51KT1hXT3HX3XrEmDEik9w9sQsl6
    OLspDvgFk/1h9NVOj739dtC7tol46ISTLvjpnUH5hvPdfdzw2Q23vTz3wLnGTjXnoMUcdJndzWPoNY524+g4gaaz+mpD
    sacK3afwgOCrx2n61eCq9xk8M4N/RpvL/v0HFuWrTHcGAAA=
    """.filter { !$0.isWhitespace }

  private func decoded(
    _ bytes: [UInt8], _ coding: String = "gzip", byteCountMax: Int = 1 << 20
  ) -> String? {
    Inflate.decoded(bytes, coding: coding, byteCountMax: byteCountMax)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("reads what zlib wrote", arguments: samples.indices)
  func reading(index: Int) throws {
    let sample = Self.samples[index]
    let bytes = try #require(Base64.decode(sample.data))
    #expect(decoded(bytes, sample.coding) == sample.text, "\(sample.name)")
    #expect(decoded(bytes, sample.coding, byteCountMax: sample.text.utf8.count) == sample.text)
    #expect(decoded(bytes, sample.coding, byteCountMax: sample.text.utf8.count - 1) == nil)
    #expect(decoded(bytes, "br") == nil)
    // The first of two members is whole by itself.
    let wholeLength = sample.name == "two members" ? 25 : nil
    for length in 1..<bytes.count where length != wholeLength {
      #expect(decoded(Array(bytes[..<length]), sample.coding) == nil)
    }
  }

  @Test("mutated data is refused or harmless", arguments: samples.indices)
  func mutation(index: Int) throws {
    let sample = Self.samples[index]
    let bytes = try #require(Base64.decode(sample.data))
    var dice = Dice(seed: UInt64(index))
    var refusedCount = 0
    for _ in 0..<2000 {
      var mutated = bytes
      for _ in 0..<Int.random(in: 1...4, using: &dice) {
        mutated[Int.random(in: mutated.indices, using: &dice)] = UInt8(
          truncatingIfNeeded: dice.next())
      }
      let text = decoded(mutated, sample.coding, byteCountMax: 4096)
      #expect(text == nil || text == sample.text)
      if text == nil { refusedCount += 1 }
    }
    #expect(refusedCount > 500)
  }
}
