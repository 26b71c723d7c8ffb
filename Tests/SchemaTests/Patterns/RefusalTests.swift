import Testing
import UnderstudySchema

@Suite struct RefusalTests {
  @Test(
    "refuses what is correct but out of reach, and says so",
    arguments: [
      Complaint(
        String(repeating: "(?=a)", count: 65), at: 320,
        "more than 64 look-arounds",
        fix: "split the pattern into several"),
      Complaint(
        "(?!a{8000})(?<=b{8000})c{9999}", at: 24,
        "the pattern has more than 20000 steps",
        fix: "lower the counts of this repetition"),
      Complaint(
        #"(?!(a)\1)"#, at: 6,
        #"backreference "\1" takes more than linear time"#,
        fix: "write out what the group may match"),
      Complaint(
        #"(a)\1"#, at: 3,
        #"backreference "\1" takes more than linear time"#,
        fix: "write out what the group may match"),
      Complaint(
        #"\k<n>(?<n>a)"#, at: 0,
        #"backreference "\k<n>" takes more than linear time"#,
        fix: "write out what the group may match"),
      Complaint(
        #"(?=\p{Script=Tibetan})"#, at: 3,
        #"found script "Tibetan", expected one of Arabic, Armenian, Bengali, Cyrillic, "#
          + "Devanagari, Georgian, Greek, Han, Hangul, Hebrew, Hiragana, Katakana, Latin, "
          + "Tamil, Thai",
        fix: #"write its characters as ranges, as in [\u0F00-\u0FFF]"#),
      Complaint(
        #"\p{sc=Latn}\p{sc=Greec}"#, at: 11,
        #"found script "Greec", expected one of Arabic, Armenian, Bengali, Cyrillic, "#
          + "Devanagari, Georgian, Greek, Han, Hangul, Hebrew, Hiragana, Katakana, Latin, "
          + "Tamil, Thai",
        fix: #"did you mean "Greek"?"#),
      Complaint(
        #"\p{scx=Greek}"#, at: 0,
        #"no data is available for property "scx""#,
        fix: #"write \p{Script=Greek} and add what else is needed"#),
      Complaint(
        #"\p{ExtPict}"#, at: 0,
        #"no data is available for property "ExtPict""#,
        fix: #"write \p{Emoji}"#),
      Complaint(
        "x((a{1000}){1000}){1000}", at: 18,
        "the pattern has more than 20000 steps",
        fix: "lower the counts of this repetition"),
      Complaint(
        "a{99999999999999999999}", at: 1,
        "the pattern has more than 20000 steps",
        fix: "lower the counts of this repetition"),
      Complaint(
        "(a?){0,9999999}b", at: 4,
        "the pattern has more than 20000 steps",
        fix: "lower the counts of this repetition"),
      Complaint(
        String(repeating: "a", count: 20_000), at: 0,
        "the pattern has more than 20000 steps",
        fix: "split it into several patterns"),
    ])
  func refusals(complaint: Complaint) {
    complaint.check()
    #expect(Pattern.syntaxError(in: complaint.source) == nil)
  }

  @Test("reports a mistake rather than a refusal, because only the mistake is wrong everywhere")
  func mistakeFirst() {
    let complaint = Complaint(
      "(a)\\1b)", at: 6, #"")" without its "(""#, fix: #"write \) for the character itself"#)
    complaint.check()
    #expect(Pattern.syntaxError(in: complaint.source)?.description == complaint.text)
  }

  @Test("bounds how deep groups may nest")
  func depth() {
    let deepest = String(repeating: "(", count: 200) + "a" + String(repeating: ")*", count: 200)
    #expect(Complaint.text(about: deepest) == nil)
    for source in ["(\(deepest))", String(repeating: "(", count: 30_000)] {
      Complaint(
        source, at: 200, "found a group inside 200 others, expected at most 200"
      ).check()
    }
  }

  @Test("bounds the length of a pattern")
  func length() {
    let longest = "[" + String(repeating: "a", count: 32_766) + "]"
    #expect(Complaint.text(about: longest) == nil)
    Complaint(
      longest + "b", at: 32_768, "found a pattern of 32769 characters, expected at most 32768",
      fix: "split it into several patterns"
    ).check()
  }
}
