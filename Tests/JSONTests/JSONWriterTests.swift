import Testing
import UnderstudyJSON
import UnderstudyTestSupport

@Suite struct JSONWriterTests {
  private func write(_ style: JSONWriter.Style) throws -> String {
    var writer = JSONWriter(style: style)
    let source = try json(#"{"n": 1.50, "e": "\u00e9", "list": [ ], "o": {"x": [1,2]}}"#)
    writer.object { writer in
      writer.key("text")
      writer.string("é \"\\/\n\r\t\u{0}\u{1F}\u{7F}")
      writer.key("numbers")
      writer.array { writer in
        writer.int(-1)
        writer.double(0.5)
        writer.double(.infinity)
        if let number = JSONNumber("1e+02") { writer.number(number) }
      }
      writer.key("empty")
      writer.object { _ in }
      writer.key("flags")
      writer.array { writer in
        writer.bool(true)
        writer.null()
        writer.array { _ in }
      }
      writer.key("raw")
      writer.value(source)
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("writes compactly")
  func compact() throws {
    #expect(
      try write(.compact) == #"""
        {"text":"é \"\\/\n\r\t\u0000\u001f\#u{7F}","numbers":[-1,0.5,null,1e+02],"empty":{},"flags":[true,null,[]],"raw":{"n":1.50,"e":"\u00e9","list":[],"o":{"x":[1,2]}}}
        """#)
  }

  @Test("writes in lines")
  func pretty() throws {
    #expect(
      try write(.pretty(indent: 2)) == #"""
        {
          "text": "é \"\\/\n\r\t\u0000\u001f\#u{7F}",
          "numbers": [
            -1,
            0.5,
            null,
            1e+02
          ],
          "empty": {},
          "flags": [
            true,
            null,
            []
          ],
          "raw": {
            "n": 1.50,
            "e": "\u00e9",
            "list": [],
            "o": {
              "x": [
                1,
                2
              ]
            }
          }
        }
        """#)
  }

  @Test("what it writes of a value means the same", arguments: 0..<10)
  func roundTrip(seed: Int) throws {
    var text = RandomText(random: Dice(seed: UInt64(seed)), hasDuplicates: true)
    for _ in 0..<50 {
      let value = try json(text.value())
      for style in [JSONWriter.Style.compact, .pretty(indent: 4)] {
        var writer = JSONWriter(style: style)
        writer.value(value)
        #expect(try JSONDocument(parsing: writer.bytes).root.isEqual(to: value))
      }
    }
  }
}
