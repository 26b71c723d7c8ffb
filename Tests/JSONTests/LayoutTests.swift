import Testing
import UnderstudyJSON

@Suite struct LayoutTests {
  private func laidOut(_ text: String, width: Int = 40) throws -> String {
    try JSONDocument(parsing: text).root.laidOut(width: width)
  }

  @Test("a value that fits is on one line, otherwise each member has its own")
  func lines() throws {
    let text = try laidOut(
      #"{"a":{"b":1,"c":[]},"long":{"d":"0123456789","e":"0123456789","f":{}},"n":[{"x":1},{"y":2}]}"#
    )
    #expect(
      text == """
        {
          "a": { "b": 1, "c": [] },
          "long": {
            "d": "0123456789",
            "e": "0123456789",
            "f": {}
          },
          "n": [{ "x": 1 }, { "y": 2 }]
        }
        """)
  }

  @Test("scalars of an array fill their lines, other elements have one each")
  func arrays() throws {
    let text = try laidOut(
      #"{"s":["0123456789","0123456789","0123456789",1],"o":[{"a":"0123456789"},{"b":"0123456789"}]}"#
    )
    #expect(
      text == """
        {
          "s": [
            "0123456789", "0123456789",
            "0123456789", 1
          ],
          "o": [
            { "a": "0123456789" },
            { "b": "0123456789" }
          ]
        }
        """)
  }

  @Test("numbers and strings keep their spelling", arguments: ["1.0", #""\u00e9\/""#, "[]", "{}"])
  func spelling(text: String) throws {
    #expect(try laidOut(text) == text)
  }
}
