import Testing

@testable import UnderstudySchema

@Suite struct UnicodeTests {
  @Test(
    "knows properties by their long and short names",
    arguments: [
      Row("^\\p{Letter}+$", yes: ["Hello", "π", "日本"], no: ["1", "-"]),
      Row("^\\p{L}\\p{Lu}\\p{Ll}\\p{Lt}\\p{Lm}\\p{Lo}$", yes: ["éÉéǅʰ日"], no: ["éééǅʰ日"]),
      Row("^\\p{digit}+$", yes: ["42", "৪২"], no: ["-%#", "½"]),
      Row("^\\p{gc=Nd}\\p{General_Category=Decimal_Number}$", yes: ["4২"], no: ["a2"]),
      Row("^\\p{punct}\\p{Sc}\\p{LC}\\p{cntrl}$", yes: ["!€a\n"], no: ["a€a\n"]),
      Row("^\\P{Letter}$", yes: ["1"], no: ["a", "é"]),
      Row("\\p{Letter}cole", yes: ["école", "ecole"], no: ["ÉCOLE", "cole"]),
      Row("^\\p{Any}$", yes: ["a", "\n", "🐲", "\u{10FFFF}"], no: [""]),
      Row("^\\p{ASCII}$", yes: ["a", "\0", "\u{7F}"], no: ["\u{80}"]),
      Row("^\\p{Assigned}$", yes: ["a", "\u{E000}"], no: ["\u{378}", "\u{50000}"]),
      Row("^\\p{Cn}$", yes: ["\u{378}", "\u{50000}", "\u{FFFF}"], no: ["a"]),
      Row("^\\p{Co}$", yes: ["\u{E000}", "\u{10FFFD}"], no: ["\u{10FFFF}"]),
      Row("^\\p{NChar}$", yes: ["\u{FFFF}", "\u{5FFFE}", "\u{10FFFF}"], no: ["\u{5FFFD}"]),
      Row("\\p{Cs}", no: ["a", "\u{FFFD}"]),
      Row("^\\p{Alphabetic}\\p{Alpha}$", yes: ["aé"], no: ["1a"]),
      Row("^\\p{Uppercase}\\p{Lower}$", yes: ["Éé"], no: ["éÉ"]),
      Row("^\\p{White_Space}\\p{space}$", yes: [" \u{85}"], no: ["\u{FEFF} "]),
      Row("^\\p{ID_Start}\\p{IDC}*$", yes: ["été1"], no: ["1a"]),
      Row("^\\p{AHex}\\p{Hex}$", yes: ["fF", "0F"], no: ["ＦF"]),
      Row("^\\p{Emoji}\\p{RI}\\p{EComp}$", yes: ["🐲🇫#"], no: ["a🇫#"]),
      Row("^\\p{Script=Greek}+$", yes: ["λόγος"], no: ["logos"]),
      Row("^[\\p{sc=Latn}\\p{Script=Cyrillic}]+$", yes: ["éж"], no: ["λ", "1"]),
      Row("^\\p{sc=Hani}\\p{sc=Hira}\\p{sc=Kana}$", yes: ["日ひカ"], no: ["ひひカ"]),
      Row("^\\P{sc=Latin}$", yes: ["1", "λ"], no: ["a", "ª"]),
    ])
  func properties(row: Row) throws {
    try row.check()
  }

  @Test(
    "agrees with the standard library on the ends of every script", arguments: UnicodeScript.names)
  func scripts(name: String) throws {
    let set = try #require(UnicodeScript.set(named: name))
    let reference = try Regex("\\p{Script=\(name)}").matchingSemantics(.unicodeScalar)
    for range in set.ranges {
      for value in [range.lowerBound - 1, range.lowerBound, range.upperBound, range.upperBound + 1]
      {
        guard let scalar = Unicode.Scalar(value) else { continue }
        let isMember = try reference.wholeMatch(in: String(Character(scalar))) != nil
        #expect(set.contains(value) == isMember, "U+\(String(value, radix: 16))")
      }
    }
  }

  @Test("puts every scalar into exactly the category it has")
  func categories() throws {
    let names = ["Lu", "Ll", "Lt", "Lm", "Lo", "M", "N", "P", "S", "Z", "Cc", "Cf", "Co", "Cn"]
    let sets = try names.map { try #require(GeneralCategory.set(named: $0)) }
    let all = sets.flatMap(\.ranges)
    #expect(ScalarSet(all).inverted.ranges == [0xD800...0xDFFF])
    #expect(all.reduce(0) { $0 + $1.count } == 0x110000 - 0x800)
  }

  @Test("leaves out no plane of Unicode that has scalars of more than one kind")
  func planes() {
    for plane: UInt32 in [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16] {
      let values = (plane << 16)..<(plane << 16 + 0xFFFE)
      let categories = Set(values.compactMap { Unicode.Scalar($0)?.properties.generalCategory })
      #expect(categories.count == 1)
    }
  }

  @Test("has every binary property of ECMA-262 but Extended_Pictographic")
  func binary() {
    let properties = Set(BinaryProperty.tests.keys).union(BinaryProperty.fixed.keys)
    #expect(properties.count == 52)
    #expect(Set(BinaryProperty.longNames.values).subtracting(properties).isEmpty)
  }
}

@Suite struct ScalarSetTests {
  @Test("merges ranges that overlap or touch")
  func merge() {
    let set = ScalarSet([0x200...0x300, 5...9, 1...4, 0x250...0x260, 0x301...0x301, 7...8])
    #expect(set.ranges == [1...9, 0x200...0x301])
  }

  @Test("contains what its ranges contain, in ASCII and beyond")
  func contains() {
    let set = ScalarSet([0...2, 0x7E...0x81, 0x1000...0x1001, 0x10FFFF...0x10FFFF])
    for value: UInt32 in [0, 2, 0x7E, 0x7F, 0x80, 0x81, 0x1000, 0x1001, 0x10FFFF] {
      #expect(set.contains(value) && !set.inverted.contains(value))
    }
    for value: UInt32 in [3, 0x7D, 0x82, 0xFFF, 0x1002, 0x10FFFE] {
      #expect(!set.contains(value) && set.inverted.contains(value))
    }
    #expect(ScalarSet.any.inverted.ranges.isEmpty)
  }
}
