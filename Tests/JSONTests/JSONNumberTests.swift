import Testing
import UnderstudyJSON
import UnderstudyTestSupport

@Suite struct JSONNumberTests {
  @Test(
    "numbers are equal by value, however they are written",
    arguments: [
      ("1", "1.0", true), ("1", "1e0", true), ("100", "1e2", true), ("1e2", "0.1E+3", true),
      ("0", "-0.0e5", true), ("0.1", "0.10", true), ("1", "-1", false), ("1", "10", false),
      ("1e999999999", "10e999999998", true), ("1e999999999", "1e999999998", false),
      ("9007199254740993", "9007199254740992", false), ("12.5e-1", "1.25", true),
      ("1e-999999999999", "0.1e-999999999998", true),
      ("1e9999999999999999999", "1e8888888888888888888", true),
      ("1e-9999999999999999999", "1e9999999999999999999", false),
      ("1e999999999999999999", "1e9999999999999999999", false),
      ("1e0000000000000000000002", "100", true),
    ])
  func equality(left: String, right: String, isEqual: Bool) throws {
    let (left, right) = (try #require(JSONNumber(left)), try #require(JSONNumber(right)))
    #expect((left == right) == isEqual)
    #expect(!isEqual || left.hashValue == right.hashValue)
    #expect(try json(left.text).isEqual(to: json(right.text)) == isEqual)
  }

  @Test("numbers are ordered by value")
  func order() {
    let texts = [
      "-1e999999999", "-2e10", "-19999999999", "-10", "-1.5", "-1", "-0.1", "-1e-999999999", "0",
      "1e-999999999", "0.099", "0.1", "0.11", "1", "1.5", "2", "10", "1e1000000000000000000",
    ]
    let numbers = texts.compactMap(JSONNumber.init)
    #expect(numbers.count == texts.count)
    #expect(numbers.reversed().sorted().map(\.text) == texts)
  }

  @Test(
    "is an Int exactly when its value is",
    arguments: [
      ("0", 0), ("-0", 0), ("12", 12), ("1.0", 1), ("1e2", 100), ("1.5e1", 15), ("1.5", nil),
      ("9223372036854775807", Int.max), ("9223372036854775808", nil),
      ("-9223372036854775808", Int.min), ("-9223372036854775809", nil),
      ("99999999999999999999999", nil), ("1000000000000000000000e-5", 10_000_000_000_000_000),
      ("922337203685477580700e-2", Int.max), ("1e999999999", nil), ("1e-1", nil), ("0e999", 0),
      ("1e9999999999999999999", nil), ("0e-9999999999999999999", 0),
    ] as [(String, Int?)])
  func int(text: String, int: Int?) throws {
    #expect(try #require(JSONNumber(text)).int == int)
    #expect(try json("[\(text)]")[0]?.int == int)
  }

  @Test(
    "is an integer without being an Int",
    arguments: [("1e400", true), ("1.50", false), ("10.0", true), ("0.0", true), ("5e-1", false)])
  func isInteger(text: String, isInteger: Bool) throws {
    #expect(try #require(JSONNumber(text)).isInteger == isInteger)
  }

  @Test(
    "is the nearest double",
    arguments: [
      "0", "-0", "1", "-1.5", "0.1", "123.456", "1e22", "1e23", "1e-22", "1e-23", "1e400", "-1e400",
      "9007199254740991", "9007199254740992", "9007199254740993", "123456789012345678",
      "0.000000000000000000001", "4.9e-324", "1e-400", "1.7976931348623157e308", "0.5",
      "0.30000000000000004", "179769313486231580793728971405301e276", "5e-324",
      "2.2250738585072011e-308", "1e9999999999999999999", "1e-9999999999999999999",
    ])
  func double(text: String) throws {
    let double = try #require(JSONNumber(text)).double
    let expected = try #require(Double(text))
    #expect(double == expected && double.sign == expected.sign)
  }

  @Test("doubles agree with the standard library on random texts", arguments: 0..<10)
  func randomDoubles(seed: Int) throws {
    var random = Dice(seed: UInt64(seed))
    for _ in 0..<500 {
      let digits = (0...random.below(20)).map { _ in String(random.below(10)) }.joined()
      let exponent = random.below(60) - 30
      let text = "\(random.below(1_000)).\(digits)e\(exponent)"
      #expect(try #require(JSONNumber(text)).double == Double(text))
    }
  }

  @Test(
    "knows exactly whether it is a multiple",
    arguments: [
      ("0.3", "0.1", true), ("0.35", "0.1", false), ("10", "2.5", true), ("7", "2", false),
      ("0", "3", true), ("0", "0", true), ("3", "0", false), ("-9", "3", true), ("9", "-3", true),
      ("1e999999999", "3", false), ("3e999999999", "3", true), ("1e999999999", "7e-5", false),
      ("1e400", "1e-400", true), ("1e-400", "1e400", false), ("1.1", "1", false),
      ("1e40", "1024", true), ("1e3", "1024", false), ("1e9", "1024", false),
      ("1e10", "1024", true),
      ("246913578024691357802469135780246913578", "123456789012345678901234567890123456789", true),
      ("246913578024691357802469135780246913579", "123456789012345678901234567890123456789", false),
      ("1e100", "1267650600228229401496703205376", true),
      ("1e99", "1267650600228229401496703205376", false),
    ])
  func multiples(text: String, divisor: String, isMultiple: Bool) throws {
    let (number, divisor) = (try #require(JSONNumber(text)), try #require(JSONNumber(divisor)))
    #expect(number.isMultiple(of: divisor) == isMultiple)
  }

  @Test(
    "accepts only numbers",
    arguments: ["", " 1", "1 ", "01", "+1", ".5", "1.", "1e", "-", "0x1", "NaN", "1,", "1\0", "é"])
  func notNumbers(text: String) {
    #expect(JSONNumber(text) == nil)
  }

  @Test("keeps its text")
  func text() throws {
    #expect(try json("[1.50]")[0]?.number?.description == "1.50")
    #expect(JSONNumber("-0.0e+00")?.text == "-0.0e+00")
  }
}
