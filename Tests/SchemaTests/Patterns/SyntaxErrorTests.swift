import Testing
import UnderstudySchema

@Suite struct SyntaxErrorTests {
  @Test(
    "says what is wrong, where, and how to fix it",
    arguments: [
      Complaint(
        "a)", at: 1,
        #"")" without its "(""#,
        fix: #"write \) for the character itself"#),
      Complaint(
        "é(a", at: 1,
        #""(" without its ")""#,
        fix: #"write \( for the character itself"#),
      Complaint(
        "^(abc]", at: 5,
        #""]" without its "[""#,
        fix: #"write \] for the character itself"#),
      Complaint(
        "a}", at: 1,
        #""}" without its "{""#,
        fix: #"write \} for the character itself"#),
      Complaint(
        "[a", at: 0,
        #""[" without its "]""#,
        fix: #"write \[ for the character itself"#),
      Complaint(
        #"[a\]"#, at: 0,
        #""[" without its "]""#,
        fix: #"write \[ for the character itself"#),
      Complaint(
        "🐲{,3}", at: 1,
        #""{" does not begin a quantifier"#,
        fix: #"write \{ for the character itself, or a quantifier such as {2}, {2,} or {2,5}"#),
      Complaint(
        "a{1", at: 1,
        #""{" does not begin a quantifier"#,
        fix: #"write \{ for the character itself, or a quantifier such as {2}, {2,} or {2,5}"#),
      Complaint(
        "*a", at: 0,
        #"quantifier "*" has nothing to repeat"#,
        fix: #"write \* for the character itself"#),
      Complaint(
        "a|+?", at: 2,
        #"quantifier "+?" has nothing to repeat"#,
        fix: #"write \+ for the character itself"#),
      Complaint(
        "a**", at: 2,
        #"quantifier "*" has nothing to repeat"#,
        fix: #"write \* for the character itself"#),
      Complaint(
        "^{2,3}", at: 1,
        #"quantifier "{2,3}" has nothing to repeat"#,
        fix: #"write \{ for the character itself"#),
      Complaint(
        #"\b?"#, at: 2,
        #"quantifier "?" has nothing to repeat"#,
        fix: #"write \? for the character itself"#),
      Complaint(
        "(?=a)*", at: 5,
        #"quantifier "*" has nothing to repeat"#,
        fix: #"write \* for the character itself"#),
      Complaint(
        "ab{3,2}", at: 2,
        #"found quantifier "{3,2}", expected the smaller number first"#,
        fix: "write {2,3}"),
    ])
  func structure(complaint: Complaint) {
    complaint.check()
  }

  @Test(
    "names escapes that ECMAScript does not have",
    arguments: [
      Complaint(
        #"\a"#, at: 0,
        #"ECMAScript has no escape "\a""#,
        fix: "write a for the character itself"),
      Complaint(
        #"\-"#, at: 0,
        #"ECMAScript has no escape "\-""#,
        fix: "write - for the character itself"),
      Complaint(
        #"[\é]"#, at: 1,
        #"ECMAScript has no escape "\é""#,
        fix: "write é for the character itself"),
      Complaint(
        #"\Aa"#, at: 0,
        #"ECMAScript has no escape "\A""#,
        fix: "write ^ for the start of the text"),
      Complaint(
        #"a\Z"#, at: 1,
        #"ECMAScript has no escape "\Z""#,
        fix: "write $ for the end of the text"),
      Complaint(
        #"a\z"#, at: 1,
        #"ECMAScript has no escape "\z""#,
        fix: "write $ for the end of the text"),
      Complaint(
        #"\h"#, at: 0,
        #"ECMAScript has no escape "\h""#,
        fix: #"write [ \t] for horizontal space"#),
      Complaint(
        #"a\"#, at: 1,
        #"found "\" at the end, expected a character after it"#,
        fix: #"write \\ for the character itself"#),
      Complaint(
        #"[\"#, at: 1,
        #"found "\" at the end, expected a character after it"#,
        fix: #"write \\ for the character itself"#),
      Complaint(
        #"\01"#, at: 0,
        #"found escape "\01", expected no digit after \0"#,
        fix: #"write an octal number in hexadecimal, as in \x1F"#),
      Complaint(
        #"\c1"#, at: 0,
        #"found escape "\c1", expected a letter from A to Z"#),
      Complaint(
        #"\cé"#, at: 0,
        #"found escape "\cé", expected a letter from A to Z"#),
      Complaint(
        #"\c"#, at: 0,
        #"found escape "\c", expected a letter from A to Z"#),
      Complaint(
        #"\x4g1"#, at: 0,
        #"found escape "\x4g", expected two hexadecimal digits"#),
      Complaint(
        #"\x"#, at: 0,
        #"found escape "\x", expected two hexadecimal digits"#),
      Complaint(
        #"\u12z"#, at: 0,
        #"found escape "\u12z", expected four hexadecimal digits, or some in braces"#),
      Complaint(
        #"\u{}"#, at: 0,
        #"found escape "\u{}", expected hexadecimal digits and "}""#),
      Complaint(
        #"\u{12"#, at: 0,
        #"found escape "\u{12", expected hexadecimal digits and "}""#),
      Complaint(
        #"a\u{110000}"#, at: 1,
        #"found escape "\u{110000}", expected at most \u{10FFFF}"#),
      Complaint(
        #"\u{FFFFFFFFFFFFFFFFFF}"#, at: 0,
        #"found escape "\u{FFFFFFFFFFFFFFFFFF}", expected at most \u{10FFFF}"#),
    ])
  func escapes(complaint: Complaint) {
    complaint.check()
  }

  @Test(
    "explains classes that make no sense",
    arguments: [
      Complaint(
        "[z-a]", at: 1,
        #"found range "z-a", expected the lower end first"#,
        fix: #"swap the ends, or write \- for the hyphen itself"#),
      Complaint(
        #"[x\d-z]"#, at: 2,
        #"found range "\d-z", expected a single character at each end"#,
        fix: #"write \- for the hyphen itself"#),
      Complaint(
        #"[a-\w]"#, at: 1,
        #"found range "a-\w", expected a single character at each end"#,
        fix: #"write \- for the hyphen itself"#),
      Complaint(
        #"[\B]"#, at: 1,
        #"escape "\B" has no meaning inside a class"#),
      Complaint(
        #"[\1]"#, at: 1,
        #"escape "\1" has no meaning inside a class"#),
      Complaint(
        #"[\k]"#, at: 1,
        #"escape "\k" has no meaning inside a class"#),
    ])
  func classes(complaint: Complaint) {
    complaint.check()
  }
}
