/// Mistakes within a token.
extension JSONErrorTests {
  static let keyMistakes: [Mistake] = [
    Mistake(
      "{'a':1}", .singleQuotes,
      """
      1:2: found text in single quotes, expected a key in double quotes
        fix: write "a"
      """),
    Mistake(
      "['it']", .singleQuotes,
      """
      1:2: found text in single quotes, expected a string in double quotes
        fix: write "it"
      """),
    Mistake(
      "['abc", .singleQuotes,
      """
      1:2: found text in single quotes, expected a string in double quotes
        fix: write double quotes
      """),
    Mistake(
      "[“a”]", .singleQuotes,
      """
      1:2: found "“" (U+201C), expected a string in double quotes
        fix: write straight double quotes
      """),
    Mistake(
      "{“a”:1}", .singleQuotes,
      """
      1:2: found "“" (U+201C), expected a key in double quotes
        fix: write straight double quotes
      """),
    Mistake(
      "{a:1}", .unquotedKey,
      """
      1:2: found the key a without quotes, expected a key in double quotes or "}"
        fix: write "a"
      """),
    Mistake(
      "{a-b: 1}", .unquotedKey,
      """
      1:2: found the key a-b without quotes, expected a key in double quotes or "}"
        fix: write "a-b"
      """),
    Mistake(
      "{1:2}", .unquotedKey,
      """
      1:2: found the key 1 without quotes, expected a key in double quotes or "}"
        fix: write "1"
      """),
    Mistake(
      #"{"a":1,b:2}"#, .unquotedKey,
      """
      1:8: found the key b without quotes, expected a key in double quotes
        fix: write "b"
      """),
    Mistake("{[]:1}", .unexpectedText, #"1:2: found "[", expected a key in double quotes or "}""#),
    Mistake(
      "{null: 1}", .unquotedKey,
      """
      1:2: found the key null without quotes, expected a key in double quotes or "}"
        fix: write "null"
      """),
    Mistake(
      "[1, // x\n2]", .comment,
      """
      1:5: found a comment, expected a value
        fix: remove it: JSON has no comments
      """),
    Mistake(
      "/* x */ 1", .comment,
      """
      1:1: found a comment, expected a value
        fix: remove it: JSON has no comments
      """),
    Mistake(
      "{# x\n}", .comment,
      """
      1:2: found a comment, expected a key in double quotes or "}"
        fix: remove it: JSON has no comments
      """),
    Mistake(
      "{\"a\": 1 // x\n}", .comment,
      """
      1:9: found a comment, expected "," or "}"
        fix: remove it: JSON has no comments
      """),
    Mistake(
      "1 // x", .comment,
      """
      1:3: found a comment, expected nothing after the value
        fix: remove it: JSON has no comments
      """),
  ]

  static let tokenMistakes: [Mistake] = [
    Mistake(
      #"{"a" /* x */: 1}"#, .comment,
      """
      1:6: found a comment, expected ":" after the key
        fix: remove it: JSON has no comments
      """),
    Mistake(
      "[NaN]", .notFinite,
      """
      1:2: found NaN, expected a finite number
        fix: write null, or the string "NaN"
      """),
    Mistake(
      "-Infinity", .notFinite,
      """
      1:1: found -Infinity, expected a finite number
        fix: write null, or the string "-Infinity"
      """),
    Mistake(
      "[inf]", .notFinite,
      """
      1:2: found inf, expected a finite number
        fix: write null, or the string "inf"
      """),
    Mistake(
      "[012]", .malformedNumber,
      """
      1:2: found 012, expected a number without leading zeros
        fix: write 12
      """),
    Mistake(
      "-01", .malformedNumber,
      """
      1:1: found -01, expected a number without leading zeros
        fix: write -1
      """),
    Mistake(
      "[+1]", .malformedNumber,
      """
      1:2: found +1, expected a number without a plus sign
        fix: write 1
      """),
    Mistake(
      "[.5]", .malformedNumber,
      """
      1:2: found .5, expected a digit before the decimal point
        fix: write 0.5
      """),
    Mistake(
      "[-.5]", .malformedNumber,
      """
      1:2: found -.5, expected a digit after the minus sign
        fix: write -0.5
      """),
    Mistake(
      "[1.]", .malformedNumber,
      """
      1:2: found 1., expected a digit after the decimal point
        fix: write 1.0
      """),
    Mistake(
      "[1.e5]", .malformedNumber,
      """
      1:2: found 1.e5, expected a digit after the decimal point
        fix: write 1.0e5
      """),
    Mistake("[1e]", .malformedNumber, "1:2: found 1e, expected a digit in the exponent"),
    Mistake("[1e+]", .malformedNumber, "1:2: found 1e+, expected a digit in the exponent"),
    Mistake("[1ea]", .malformedNumber, "1:2: found 1ea, expected a digit in the exponent"),
    Mistake("-", .malformedNumber, "1:1: found -, expected a digit after the minus sign"),
    Mistake("[-a]", .malformedNumber, "1:2: found -a, expected a digit after the minus sign"),
    Mistake(
      "[0x1F]", .malformedNumber,
      """
      1:2: found 0x1F, expected a number such as 12, -0.5 or 1e6
        fix: write 31
      """),
    Mistake(
      "[1_000]", .malformedNumber,
      """
      1:2: found 1_000, expected a number such as 12, -0.5 or 1e6
        fix: write 1000
      """),
    Mistake(
      "[1.5.2]", .malformedNumber,
      """
      1:2: found 1.5.2, expected a number such as 12, -0.5 or 1e6
      """),
    Mistake("[1a]", .malformedNumber, "1:2: found 1a, expected a number such as 12, -0.5 or 1e6"),
    Mistake(
      "[True]", .unknownWord,
      """
      1:2: found True, expected true, false or null in lowercase
        fix: write true
      """),
    Mistake(
      "[NULL]", .unknownWord,
      """
      1:2: found NULL, expected true, false or null in lowercase
        fix: write null
      """),
    Mistake(
      "[None]", .unknownWord,
      """
      1:2: found None, expected a value
        fix: write null
      """),
    Mistake(
      "[undefined]", .unknownWord,
      """
      1:2: found undefined, expected a value
        fix: write null
      """),
    Mistake(
      "nil", .unknownWord,
      """
      1:1: found nil, expected a value
        fix: write null
      """),
    Mistake(
      "[tru]", .unknownWord,
      """
      1:2: found tru, expected a value
        fix: write true
      """),
    Mistake(
      "[truex]", .unknownWord,
      """
      1:2: found truex, expected a value
        fix: write true
      """),
    Mistake(
      "nul", .unknownWord,
      """
      1:1: found nul, expected a value
        fix: write null
      """),
    Mistake(
      "[yes]", .unknownWord,
      """
      1:2: found yes, expected a value
        fix: write "yes" if it is a string
      """),
    Mistake(
      "hello", .unknownWord,
      """
      1:1: found hello, expected a value
        fix: write "hello" if it is a string
      """),
    Mistake(
      #"["abc"#, .unterminatedString,
      #"""
      1:2: found a string without an end, expected "\"" to close it
        fix: add the closing quote
      """#),
    Mistake(
      #"{"a"#, .unterminatedString,
      #"""
      1:2: found a string without an end, expected "\"" to close it
        fix: add the closing quote
      """#),
    Mistake(
      #""\"#, .unterminatedString,
      #"""
      1:1: found a string without an end, expected "\"" to close it
        fix: add the closing quote
      """#),
    Mistake(
      "[\"abc\n\"]", .unterminatedString,
      #"""
      1:6: found a line break in the string opened at 1:2, expected "\"" to close it
        fix: add the closing quote, or write the line break as \n
      """#),
    Mistake(
      "\"a\r\n\"", .unterminatedString,
      #"""
      1:3: found a line break in the string opened at 1:1, expected "\"" to close it
        fix: add the closing quote, or write the line break as \n
      """#),
    Mistake(
      "{\"key\": \"value,\n\"b\": 1}", .unterminatedString,
      #"""
      1:16: found a line break in the string opened at 1:9, expected "\"" to close it
        fix: add the closing quote, or write the line break as \n
      """#),
    Mistake(
      "\"\t\"", .controlCharacter,
      #"""
      1:2: found a tab in a string, expected it escaped
        fix: write \t
      """#),
    Mistake(
      "\"\u{1}\"", .controlCharacter,
      #"""
      1:2: found U+0001 in a string, expected it escaped
        fix: write \u0001
      """#),
    Mistake(
      "\"\u{0}\"", .controlCharacter,
      #"""
      1:2: found U+0000 in a string, expected it escaped
        fix: write \u0000
      """#),
    Mistake(
      "[1\u{0}]", .controlCharacter,
      """
      1:3: found U+0000, expected "," or "]"
        fix: remove it
      """),
    Mistake(
      "\u{7}", .controlCharacter,
      """
      1:1: found U+0007, expected a value
        fix: remove it
      """),
    Mistake(
      #""\x""#, .invalidEscape,
      #"""
      1:2: found the escape \x, expected \" \\ \/ \b \f \n \r \t or \u
        fix: write \\ if a backslash is meant
      """#),
    Mistake(
      #""C:\dir""#, .invalidEscape,
      #"""
      1:4: found the escape \d, expected \" \\ \/ \b \f \n \r \t or \u
        fix: write \\ if a backslash is meant
      """#),
    Mistake(
      #""\u12""#, .invalidEscape,
      #"""
      1:2: found \u12, expected four hexadecimal digits after \u
      """#),
  ]
}
