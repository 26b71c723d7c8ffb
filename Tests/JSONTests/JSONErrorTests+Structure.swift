/// The mistakes people make, and what they are told about each.
extension JSONErrorTests {
  static let mistakes: [Mistake] = structureMistakes + keyMistakes + tokenMistakes + endMistakes

  private static let structureMistakes: [Mistake] = [
    Mistake("", .empty, "1:1: found an empty text, expected a value"),
    Mistake(" \n ", .empty, "2:2: found only whitespace, expected a value"),
    Mistake(
      "[1,]", .trailingComma,
      """
      1:3: found a comma before "]", expected no comma there
        fix: remove the comma
      """),
    Mistake(
      #"{"a":1,}"#, .trailingComma,
      """
      1:7: found a comma before "}", expected no comma there
        fix: remove the comma
      """),
    Mistake(
      "{\"a\":1\n,\n}", .trailingComma,
      """
      2:1: found a comma before "}", expected no comma there
        fix: remove the comma
      """),
    Mistake(
      "[,]", .unexpectedText,
      """
      1:2: found a comma, expected a value
        fix: remove the comma
      """),
    Mistake(
      "[1,,2]", .unexpectedText,
      """
      1:4: found a second comma, expected a value
        fix: remove the comma
      """),
    Mistake(
      "{,}", .unexpectedText,
      """
      1:2: found a comma, expected a key in double quotes or "}"
        fix: remove the comma
      """),
    Mistake(
      #"{"a":1,,"b":2}"#, .unexpectedText,
      """
      1:8: found a second comma, expected a key in double quotes
        fix: remove the comma
      """),
    Mistake(
      ",", .unexpectedText,
      """
      1:1: found a comma, expected a value
        fix: remove the comma
      """),
    Mistake(
      "[1 2]", .missingComma,
      """
      1:4: found number 2, expected "," or "]"
        fix: add a comma before it
      """),
    Mistake(
      #"{"a":1 "b":2}"#, .missingComma,
      """
      1:8: found string "b", expected "," or "}"
        fix: add a comma before it
      """),
    Mistake(
      #"["a" "b"]"#, .missingComma,
      """
      1:6: found string "b", expected "," or "]"
        fix: add a comma before it
      """),
    Mistake(
      "[{} {}]", .missingComma,
      """
      1:5: found "{", expected "," or "]"
        fix: add a comma before it
      """),
    Mistake(
      "[1;2]", .unexpectedText,
      """
      1:3: found ";", expected "," or "]"
        fix: write "," instead of ";"
      """),
    Mistake(
      #"{"a" 1}"#, .missingColon,
      """
      1:6: found number 1, expected ":" after the key
        fix: add ":" before it
      """),
    Mistake(
      #"{"a"=1}"#, .missingColon,
      """
      1:5: found "=", expected ":" after the key
        fix: write ":" instead of "="
      """),
    Mistake(
      #"{"a"}"#, .missingColon,
      """
      1:5: found "}", expected ":" after the key
        fix: add ":" and a value
      """),
    Mistake(
      #"{"a", 1}"#, .missingColon,
      """
      1:5: found ",", expected ":" after the key
        fix: add ":" and a value
      """),
    Mistake(
      #"["a":1]"#, .unexpectedText,
      """
      1:5: found ":", expected "," or "]"
        fix: use { } for keys with values
      """),
    Mistake(#"{"a":}"#, .unexpectedText, #"1:6: found "}", expected a value after ":""#),
    Mistake(#"{"a":1:2}"#, .unexpectedText, #"1:7: found ":", expected "," or "}""#),
  ]

  private static let endMistakes: [Mistake] = [
    Mistake(
      #""\uZZZZ""#, .invalidEscape,
      #"""
      1:2: found \uZZZZ, expected four hexadecimal digits after \u
      """#),
    Mistake(
      #""\'""#, .invalidEscape,
      #"""
      1:2: found the escape \', expected \" \\ \/ \b \f \n \r \t or \u
        fix: write ' without a backslash
      """#),
    Mistake(
      #""\ud800""#, .loneSurrogate,
      #"""
      1:2: found \ud800, half of a surrogate pair, expected both halves
        fix: write the character itself, or both halves as in \ud83d\ude00
      """#),
    Mistake(
      #""\udc00""#, .loneSurrogate,
      #"""
      1:2: found \udc00, half of a surrogate pair, expected both halves
        fix: write the character itself, or both halves as in \ud83d\ude00
      """#),
    Mistake(
      #""\ud800\u0041""#, .loneSurrogate,
      #"""
      1:2: found \ud800, half of a surrogate pair, expected both halves
        fix: write the character itself, or both halves as in \ud83d\ude00
      """#),
    Mistake(
      #""\ud800\n""#, .loneSurrogate,
      #"""
      1:2: found \ud800, half of a surrogate pair, expected both halves
        fix: write the character itself, or both halves as in \ud83d\ude00
      """#),
    Mistake(
      #"{"a": [1, 2}"#, .mismatchedBracket,
      """
      1:12: found "}", expected "]" to close the array opened at 1:7
        fix: write "]"
      """),
    Mistake(
      #"[{"a": 1]"#, .mismatchedBracket,
      """
      1:9: found "]", expected "}" to close the object opened at 1:2
        fix: write "}"
      """),
    Mistake(
      "]", .mismatchedBracket,
      """
      1:1: found "]", expected a value
        fix: remove it
      """),
    Mistake(
      "}", .mismatchedBracket,
      """
      1:1: found "}", expected a value
        fix: remove it
      """),
    Mistake("[)", .unexpectedText, #"1:2: found ")", expected a value"#),
    Mistake(
      #"{"a": 1]"#, .mismatchedBracket,
      """
      1:8: found "]", expected "}" to close the object opened at 1:1
        fix: write "}"
      """),
    Mistake(
      #"{"a": [1, 2"#, .unexpectedEnd,
      """
      1:12: found the end of the text, expected "," or "]" for the array opened at 1:7
        fix: add "]"
      """),
    Mistake(#"{"a""#, .unexpectedEnd, #"1:5: found the end of the text, expected ":" and a value"#),
    Mistake(
      #"{"a":"#, .unexpectedEnd,
      """
      1:6: found the end of the text, expected a value for the object opened at 1:1
      """),
    Mistake(
      #"{"a":1"#, .unexpectedEnd,
      """
      1:7: found the end of the text, expected "," or "}" for the object opened at 1:1
        fix: add "}"
      """),
    Mistake(
      "{", .unexpectedEnd,
      """
      1:2: found the end of the text, expected a key or "}" for the object opened at 1:1
        fix: add "}"
      """),
    Mistake(
      "[", .unexpectedEnd,
      """
      1:2: found the end of the text, expected a value or "]" for the array opened at 1:1
        fix: add "]"
      """),
    Mistake(
      "[1,", .unexpectedEnd,
      """
      1:4: found the end of the text, expected more of the array opened at 1:1
        fix: remove the last comma and add "]"
      """),
    Mistake(
      #"{"a":1,"#, .unexpectedEnd,
      """
      1:8: found the end of the text, expected more of the object opened at 1:1
        fix: remove the last comma and add "}"
      """),
    Mistake(
      "[[1],", .unexpectedEnd,
      """
      1:6: found the end of the text, expected more of the array opened at 1:1
        fix: remove the last comma and add "]"
      """),
    Mistake(
      "{} x", .textAfterEnd,
      """
      1:4: found x after the end of the value, expected nothing more
        fix: remove it
      """),
    Mistake(
      "[1] [2]", .textAfterEnd,
      """
      1:5: found "[" after the end of the value, expected nothing more
        fix: remove it, or make one array of both values
      """),
    Mistake(
      "{}\n{}", .textAfterEnd,
      """
      2:1: found "{" after the end of the value, expected nothing more
        fix: remove it, or make one array of both values
      """),
    Mistake(
      "1 2", .textAfterEnd,
      """
      1:3: found number 2 after the end of the value, expected nothing more
        fix: remove it
      """),
    Mistake(
      "{}}", .textAfterEnd,
      """
      1:3: found "}" after the end of the value, expected nothing more
        fix: remove it
      """),
    Mistake(
      "[1],", .textAfterEnd,
      """
      1:4: found "," after the end of the value, expected nothing more
        fix: remove it
      """),
    Mistake(
      #""a" "b""#, .textAfterEnd,
      """
      1:5: found string "b" after the end of the value, expected nothing more
        fix: remove it, or make one array of both values
      """),
    Mistake(
      "nullnull", .unknownWord,
      """
      1:1: found nullnull, expected a value
        fix: write null
      """),
    Mistake(
      "\u{FEFF}{}", .byteOrderMark,
      """
      1:1: found a byte order mark, expected a value
        fix: save the file as UTF-8 without a byte order mark
      """),
    Mistake(
      "[1\u{A0}]", .unexpectedText,
      """
      1:3: found U+00A0 (no-break space), expected "," or "]"
        fix: write an ordinary space, or remove it
      """),
    Mistake(
      "\u{3000}[]", .unexpectedText,
      """
      1:1: found U+3000 (ideographic space), expected a value
        fix: write an ordinary space, or remove it
      """),
    Mistake(
      "[\u{200B}1]", .unexpectedText,
      """
      1:2: found U+200B (zero width space), expected a value
        fix: write an ordinary space, or remove it
      """),
    Mistake("é", .unexpectedText, #"1:1: found "é" (U+00E9), expected a value"#),
    Mistake("[1, 😀]", .unexpectedText, #"1:5: found "😀" (U+1F600), expected a value"#),
    Mistake("[1 é]", .unexpectedText, #"1:4: found "é" (U+00E9), expected "," or "]""#),
    Mistake("<html>", .unexpectedText, #"1:1: found "<", as in HTML or XML, expected a value"#),
    Mistake("(1)", .unexpectedText, #"1:1: found "(", expected a value"#),
  ]
}
