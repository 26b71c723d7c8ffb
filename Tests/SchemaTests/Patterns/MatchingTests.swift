import Testing
import UnderstudySchema

/// One pattern with texts it matches and texts it does not.
struct Row: Sendable, CustomTestStringConvertible {
  let pattern: String
  let yes: [String]
  let no: [String]

  init(_ pattern: String, yes: [String] = [], no: [String] = []) {
    self.pattern = pattern
    self.yes = yes
    self.no = no
  }

  var testDescription: String { pattern }

  func check() throws {
    let compiled = try Pattern(pattern)
    let engines = try BothEngines(pattern)
    for (texts, expected) in [(yes, true), (no, false)] {
      for text in texts {
        #expect(compiled.matches(text) == expected, "\(pattern) on \(text.debugDescription)")
        _ = engines.matches(Array(text.utf8), "\(pattern) on \(text.debugDescription)")
      }
    }
  }
}

@Suite struct MatchingTests {
  @Test(
    "finds literals, alternatives and groups anywhere in a text",
    arguments: [
      Row("", yes: ["", "x"]),
      Row("abc", yes: ["abc", "xxabcx", "ababc"], no: ["", "ab", "aabbcc", "ABC"]),
      Row("a|b", yes: ["a", "b", "xxb"], no: ["", "c"]),
      Row("^(a|bc)$", yes: ["a", "bc"], no: ["abc", "b", "c", ""]),
      Row("^(?:|a)$", yes: ["", "a"], no: ["aa", "b"]),
      Row("^(|)$", yes: [""], no: ["a"]),
      Row("^a|b$", yes: ["ax", "xb", "a"], no: ["xa", "bx", ""]),
      Row("(?<year>\\d{4})-(?<month>\\d\\d)", yes: ["on 2024-05-06"], no: ["24-05"]),
      Row("(?<a>x)|(?<a>y)", yes: ["x", "y"], no: ["z"]),
      Row("((?<a>x)|(?<a>y)|z)(?<b>1)|(?<a>w)(?<b>2)", yes: ["x1", "z1", "w2"], no: ["w1"]),
      Row("(?<$ä_1>x)(?<\\u0061b\\u{63}>y)", yes: ["xy"], no: ["x"]),
      Row("^(?:a(b(?<n>c)?)+)*$", yes: ["", "ab", "abcb", "ababc"], no: ["a", "ac"]),
      Row("é", yes: ["café"], no: ["cafe", "cafe\u{301}"]),
      Row("foo.*bar", yes: ["xfoo--barx", "foobar"], no: ["foo\nbar", "fobar"]),
      Row("\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/", yes: ["^$\\.*+?()[]{}|/"], no: ["^$"]),
      Row("a/b-c,d=e", yes: ["a/b-c,d=e"]),
    ])
  func structure(row: Row) throws {
    try row.check()
  }

  @Test(
    "repeats greedily and lazily alike",
    arguments: [
      Row("^a*$", yes: ["", "a", "aaaa"], no: ["b", "aab"]),
      Row("^a+$", yes: ["a", "aaaa"], no: ["", "ab"]),
      Row("^a?$", yes: ["", "a"], no: ["aa"]),
      Row("^a*?b+?c??$", yes: ["b", "aabbc"], no: ["", "ac"]),
      Row("^a{3}$", yes: ["aaa"], no: ["aa", "aaaa"]),
      Row("^a{2,}$", yes: ["aa", "aaaaa"], no: ["a", ""]),
      Row("^a{2,4}?$", yes: ["aa", "aaa", "aaaa"], no: ["a", "aaaaa"]),
      Row("^a{0}$", yes: [""], no: ["a"]),
      Row("^a{0,}$", yes: ["", "aa"], no: ["b"]),
      Row("^a{1,1}b{0,0}$", yes: ["a"], no: ["ab", "aa"]),
      Row("^(ab){2}$", yes: ["abab"], no: ["ab", "aabb", "ababab"]),
      Row("^(a{2}){2,3}$", yes: ["aaaa", "aaaaaa"], no: ["aaa", "aaaaa", "aaaaaaaa"]),
      Row("^(a*)*$", yes: ["", "aaa"], no: ["b"]),
      Row("^(a*)+$", yes: ["", "aaa"], no: ["b"]),
      Row("^(a?b?){3}$", yes: ["", "ab", "ababab", "bbb"], no: ["abababa", "bbbb"]),
      Row("^(|a){3}$", yes: ["", "aaa"], no: ["aaaa"]),
      Row("^(){1000000000}x$", yes: ["x"], no: [""]),
      Row("^(a{0}){99999999999999999999}$", yes: [""], no: ["a"]),
      Row("^(^a)*b$", yes: ["b", "ab"], no: ["aab"]),
      Row("^(\\b|a)+$", yes: ["a", "aa"], no: ["", "b"]),
      Row("^\\d{1,3}(\\.\\d{1,3}){3}$", yes: ["127.0.0.1"], no: ["127.0.0", "1270.0.0.1"]),
    ])
  func repetition(row: Row) throws {
    try row.check()
  }

  @Test(
    "treats anchors as the ends of the text, never of a line",
    arguments: [
      Row("^abc$", yes: ["abc"], no: ["abc\n", "\nabc", "x\nabc\nx"]),
      Row("^", yes: ["", "a"]),
      Row("$", yes: ["", "a"]),
      Row("^$", yes: [""], no: ["a", "\n"]),
      Row("a^b", no: ["ab", "a\nb"]),
      Row("a$b", no: ["ab", "a\nb"]),
      Row("(^|,)a(,|$)", yes: ["a", "b,a", "a,b", "b,a,b"], no: ["ba", "b,ab"]),
      Row("(^a|b)c", yes: ["ac", "xbc"], no: ["xac"]),
      Row("x*^a", yes: ["a", "ab"], no: ["xa"]),
      Row("$^", yes: [""], no: ["a"]),
      Row("(a$)+", yes: ["xa"], no: ["ab"]),
      Row("\\ba", yes: ["a", "x a", "-a"], no: ["ba", "_a", "1a", "b"]),
      Row("a\\b", yes: ["a", "a-", "ä a ä"], no: ["ab", "a_", "a1"]),
      Row("a\\Bb", yes: ["ab"], no: ["a b", "a", "b"]),
      Row("\\Ba", yes: ["ba"], no: ["a", " a"]),
      Row("^\\b$", no: ["", " "]),
      Row("^\\B$", yes: [""], no: ["a", " "]),
      Row("\\Bé\\B", yes: ["é", " é "], no: ["aé", "éa"]),
      Row("\\bfoo\\b.*\\bbar\\b", yes: ["a foo and bar"], no: ["food bar", "foobar"]),
    ])
  func anchors(row: Row) throws {
    try row.check()
  }

  @Test(
    "understands classes",
    arguments: [
      Row("^[abc]$", yes: ["a", "b", "c"], no: ["d", "ab", ""]),
      Row("^[a-cx-z]$", yes: ["a", "b", "z"], no: ["d", "w", "-"]),
      Row("^[^a-c]$", yes: ["d", "\n", "🐲"], no: ["a", "b", ""]),
      Row("[]", no: ["", "a", "]"]),
      Row("a[]|b", yes: ["b"], no: ["a", "a]"]),
      Row("^[^]$", yes: ["a", "\n", "🐲"], no: ["", "ab"]),
      Row("^[-a]$", yes: ["-", "a"], no: ["b"]),
      Row("^[a-]$", yes: ["-", "a"], no: ["b"]),
      Row("^[a\\-c]$", yes: ["a", "-", "c"], no: ["b", "\\"]),
      Row("^[--0]$", yes: ["-", ".", "/", "0"], no: ["1", ","]),
      Row("^[!--]$", yes: ["!", ",", "-"], no: ["."]),
      Row("^[\\]\\[\\\\^]$", yes: ["]", "[", "\\", "^"], no: ["a"]),
      Row("^[.*+?(){}|$/,[]$", yes: [".", "*", "(", "{", "|", "$", "["], no: ["a", "\\"]),
      Row("^[\\b]$", yes: ["\u{8}"], no: ["b", "\\"]),
      Row("^[\\d_]$", yes: ["7", "_"], no: ["a"]),
      Row("^[^\\d\\s]$", yes: ["a"], no: ["7", " ", "\u{2003}"]),
      Row("^[\\D]$", yes: ["a", "é"], no: ["7"]),
      Row("^[\\w.-]+$", yes: ["a-b.c_d"], no: ["a b", "é"]),
      Row("^[\\t\\x41\\u0042\\u{43}\\cA\\0]+$", yes: ["\tABC\u{1}\0"], no: ["a"]),
      Row("^[α-ω]+$", yes: ["λογος"], no: ["logos", "Λ"]),
      Row("^[\\uD83D\\uDC32-\\uD83D\\uDC40]$", yes: ["🐲", "🐳", "👀"], no: ["🐱👀", "👁"]),
      Row("^[^\\p{L}]$", yes: ["1"], no: ["é", "a"]),
      Row("^[\\P{L}a]$", yes: ["1", "a"], no: ["é", "b"]),
    ])
  func classes(row: Row) throws {
    try row.check()
  }

  @Test(
    "understands escapes as ECMA-262 does",
    arguments: [
      Row("^\\d$", yes: ["0", "9"], no: ["a", "߀", "৪"]),
      Row("^\\D$", yes: ["a", "߀"], no: ["0"]),
      Row("^\\w$", yes: ["a", "Z", "0", "_"], no: ["é", "-", "\u{17F}", "\u{212A}"]),
      Row("^\\W$", yes: ["é", "-"], no: ["a"]),
      Row(
        "^\\s$",
        yes: [
          " ", "\t", "\n", "\u{B}", "\u{C}", "\r", "\u{A0}", "\u{1680}", "\u{2000}", "\u{200A}",
          "\u{2028}", "\u{2029}", "\u{202F}", "\u{205F}", "\u{3000}", "\u{FEFF}",
        ], no: ["\u{1}", "\u{85}", "\u{180E}", "\u{200B}", "\u{2013}", "a"]),
      Row("^\\S$", yes: ["a", "\u{85}"], no: [" ", "\u{FEFF}"]),
      Row("^\\t\\n\\v\\f\\r\\0$", yes: ["\t\n\u{B}\u{C}\r\0"]),
      Row("^\\cA\\ca\\cZ\\cz$", yes: ["\u{1}\u{1}\u{1A}\u{1A}"], no: ["cAcacZcz"]),
      Row("^\\x41\\xfF$", yes: ["A\u{FF}"]),
      Row("^\\u0041\\u{41}\\u{0000041}$", yes: ["AAA"]),
      Row("^\\uD83D\\uDC32$", yes: ["🐲"]),
      Row("^\\u{1F432}+$", yes: ["🐲🐲"], no: ["🐳"]),
      Row("\\uD83D", no: ["🐲", "\u{FFFD}"]),
      Row("\\uDC32\\uD83D", no: ["🐲🐲"]),
      Row("\\uD83D\\u0041", no: ["A"]),
      Row("^[\\uD83D\\u0041]$", yes: ["A"], no: ["🐲"]),
      Row("^A|\\u0041\\uDC32", yes: ["A"], no: ["xA"]),
      Row("^\\/$", yes: ["/"]),
    ])
  func escapes(row: Row) throws {
    try row.check()
  }

  @Test(
    "matches by Unicode scalars",
    arguments: [
      Row("^.$", yes: ["a", "é", "🐲"], no: ["", "e\u{301}", "👨‍👩‍👧", "\r\n"]),
      Row("^..$", yes: ["e\u{301}", "🐲🐲"], no: ["🐲"]),
      Row("^.$", no: ["\n", "\r", "\u{2028}", "\u{2029}"]),
      Row("^.$", yes: ["\u{B}", "\u{85}", "\0"]),
      Row("^🐲*$", yes: ["", "🐲", "🐲🐲"], no: ["🐉", "🐲a"]),
      Row("^[\\u{10000}-\\u{10FFFF}]$", yes: ["🐲", "\u{10FFFF}"], no: ["\u{FFFF}", "a"]),
    ])
  func scalars(row: Row) throws {
    try row.check()
  }

  @Test(
    "looks ahead and behind",
    arguments: [
      Row("a(?=b)", yes: ["ab", "aab"], no: ["a", "ba", "ac"]),
      Row("^(?!a@b).*$", yes: ["", "b@a", "xa@b"], no: ["a@b", "a@bc"]),
      Row("^q=((?!x)[^&])+$", yes: ["q=abc"], no: ["q=axc", "q=x", "q=", "q=a&b"]),
      Row(
        "^(?=.*[A-Z])(?=.*\\d)(?!.*\\s).{8,}$", yes: ["Passw0rd", "1234567A"],
        no: ["password", "Password", "P4ssw 0rd", "P4ss"]),
      Row("(?<=\\$)\\d+(?!\\d|\\.)", yes: ["$12", "cost $12 today"], no: ["12", "$1.5", "$ 12"]),
      Row("^.*(?<!\\.json)$", yes: ["a.xml", "json", ""], no: ["a.json", ".json"]),
      Row("(?<=a+)b", yes: ["aaab"], no: ["b", "acb"]),
      Row("(?<=^|,)x(?=,|$)", yes: ["x", "a,x", "x,b", "a,x,b"], no: ["ax", "a,xb", ""]),
      Row("^(?:(?=a)a|(?!a)b)+$", yes: ["abba"], no: ["", "abc"]),
      Row("^(?:(?=ab|b)[ab]){2,3}", yes: ["abb", "bab"], no: ["aab", "ba"]),
      Row("a(?=b(?!c(?<=abc)))", yes: ["ab", "abd"], no: ["abc", "a"]),
      Row("(?<=(?<!x)a)b", yes: ["ab", "bab"], no: ["xab", "b"]),
      Row("(?=\\bfoo\\b)foo", yes: ["a foo b", "foo"], no: ["afoo", "food"]),
      Row("(?=)a(?<=)", yes: ["a"], no: [""]),
      Row("(?!)", no: ["", "a"]),
      Row("^(?=🐲é$)", yes: ["🐲é"], no: ["🐲", "é🐲é"]),
      Row("(?<=🐲)é", yes: ["a🐲é"], no: ["é", "🐲a"]),
    ])
  func looks(row: Row) throws {
    try row.check()
  }

  @Test("treats a substring as a text of its own")
  func substring() throws {
    #expect(try Pattern("^b+$").matches("abba".dropFirst().dropLast()))
    #expect(try !Pattern("^\\Bb").matches("abba".dropFirst()))
  }

  @Test("is the same pattern if the source is the same")
  func equality() throws {
    #expect(try Pattern("a") == Pattern("a"))
    #expect(try Set([Pattern("a"), Pattern("a"), Pattern("b")]).count == 2)
    #expect(try Pattern("^a$").source == "^a$")
    #expect(try String(describing: Pattern("^a$")) == "^a$")
  }

  @Test("responses many tasks at once, the first match included")
  func concurrency() async throws {
    let pattern = try Pattern("^(ab|cd)+[x-z]{2,9}$")
    let responses = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<64 {
        group.addTask { pattern.matches(number.isMultiple(of: 2) ? "abcdxyz" : "abcdx") }
      }
      return await group.reduce(into: [Bool]()) { $0.append($1) }
    }
    #expect(responses.count { $0 } == 32)
  }
}
