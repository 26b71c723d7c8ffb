extension YAMLErrorTests {
  static let scalars: [Mistake] = [
    Mistake(
      "a: @b",
      "1:4: found \"@\" at the beginning of text, expected it in quotes",
      fix: "put the text in quotes"),
    Mistake(
      "a: `b`",
      "1:4: found \"`\" at the beginning of text, expected it in quotes",
      fix: "put the text in quotes"),
    Mistake(
      "a: %b",
      "1:4: found \"%\" at the beginning of text, expected it in quotes",
      fix: "put the text in quotes"),
    Mistake(
      "a: \"b",
      "1:4: found the end of the text within the text in double quotes that begins here, "
        + "expected \"\\\"\" to close it",
      fix: "add the closing quote"),
    Mistake(
      "a: 'b",
      "1:4: found the end of the text within the text in single quotes that begins here, "
        + "expected \"'\" to close it",
      fix: "add the closing quote"),
    Mistake(
      "a: \"b\nc: d",
      "2:1: found \"c: d\" within the text in quotes that begins at 1:4, expected \"\\\"\" to "
        + "close it, or more indentation",
      fix: "add the closing quote, or indent the line more"),
    Mistake(
      "a: \"\\q\"",
      "1:5: found the escape \\q, expected one such as \\n, \\t, \\\", \\\\ or \\u00e9",
      fix: "write \\\\ if a backslash is meant, or single quotes around the text"),
    Mistake(
      "a: \"\\'\"",
      "1:5: found the escape \\', expected one such as \\n, \\t, \\\", \\\\ or \\u00e9",
      fix: "write ' without a backslash"),
    Mistake(
      "a: \"\\x4\"",
      "1:5: found \\x4, expected 2 hexadecimal digits after \\x",
      fix: "write \\\\ if a backslash is meant, or single quotes around the text"),
    Mistake(
      "a: \"\\ud800\"",
      "1:5: found \\ud800, which is not a character, expected one up to \\U0010ffff",
      fix: "write the character itself"),
    Mistake(
      "a: \"b\" c",
      "1:8: found \"c\" after the end of a value, expected the end of the line",
      fix: "remove it, or put all of the value in quotes"),
    Mistake(
      "a: 'it's",
      "1:8: found \"s\" after the end of a value, expected the end of the line",
      fix: "write '' for a single quote within single quotes"),
    Mistake(
      "a: 'b'#c",
      "1:7: found \"#\" right after a value, expected a space before a comment",
      fix: "add a space before it"),
    Mistake(
      "a: |x\n  b",
      "1:5: found \"x\" after \"|\", expected the end of the line, or + or - and the number of "
        + "spaces of indentation",
      fix: "begin the text on the next line, or put it in quotes"),
    Mistake(
      "a: |10\n  b",
      "1:6: found \"0\" after \"|\", expected the end of the line, or + or - and the number of "
        + "spaces of indentation",
      fix: "begin the text on the next line, or put it in quotes"),
    Mistake(
      "a: |#x",
      "1:5: found \"#x\" after \"|\", expected a space before a comment",
      fix: "add a space before it"),
    Mistake(
      "a: >\n     \n  b",
      "2:6: found 5 spaces on a blank line before the text, expected at most 2, as before the "
        + "text",
      fix: "remove the spaces, or write how many spaces are indentation after the indicator"),
    Mistake(
      "a: .inf",
      "1:4: found .inf, expected a finite number, since JSON has no other",
      fix: "write \".inf\" in quotes if it is text"),
    Mistake(
      "[-.INF, .nan]",
      "1:2: found -.INF, expected a finite number, since JSON has no other",
      fix: "write \"-.INF\" in quotes if it is text"),
    Mistake(
      "a: ]",
      "1:4: found \"]\", expected a value, since no \"[\" is open",
      fix: "remove it, or put the text in quotes"),
    Mistake(
      "a: }",
      "1:4: found \"}\", expected a value, since no \"{\" is open",
      fix: "remove it, or put the text in quotes"),
    Mistake(
      "a: ,",
      "1:4: found a comma, expected a value",
      fix: "remove it, or put the text in quotes"),
  ]

  static let flows: [Mistake] = [
    Mistake(
      "[a, b",
      "1:1: found the end of the text within the sequence that begins here, expected \"]\" to "
        + "close it",
      fix: "add \"]\""),
    Mistake(
      "{a: b",
      "1:1: found the end of the text within the mapping that begins here, expected \"}\" to "
        + "close it",
      fix: "add \"}\""),
    Mistake(
      "{a: b]",
      "1:6: found \"]\", expected \"}\" to close the mapping opened at 1:1",
      fix: "write \"}\""),
    Mistake(
      "[a}",
      "1:3: found \"}\", expected \"]\" to close the sequence opened at 1:1",
      fix: "write \"]\""),
    Mistake(
      "[a,, b]",
      "1:4: found a second comma, expected a value or \"]\"",
      fix: "remove the comma"),
    Mistake(
      "[, a]",
      "1:2: found a comma, expected a value or \"]\"",
      fix: "remove the comma"),
    Mistake(
      "{a: 1 b: 2}",
      "1:8: found \":\" in the value \"1 b: 2}\", expected a comma",
      fix: "put the value in quotes, or a comma before the next key"),
    Mistake(
      "{a: \"b\" c: d}",
      "1:9: found \"c: d}\", expected \",\" or \"}\" for the mapping opened at 1:1",
      fix: "add a comma before it, or close it with \"}\""),
    Mistake(
      "[a, b]]",
      "1:7: found \"]\" after the end of a value, expected the end of the line",
      fix: "remove it, or put all of the value in quotes"),
    Mistake(
      "[a,b]#c",
      "1:6: found \"#\" right after a value, expected a space before a comment",
      fix: "add a space before it"),
    Mistake(
      "{a: b: c}",
      "1:6: found \":\" in the value \"b: c}\", expected a comma",
      fix: "put the value in quotes, or a comma before the next key"),
    Mistake(
      "[a, - b]",
      "1:5: found \"-\" within brackets, expected a value",
      fix: "remove it: brackets have commas between values"),
    Mistake(
      "[-]",
      "1:2: found \"-\" within brackets, expected a value",
      fix: "remove it: brackets have commas between values"),
    Mistake(
      "{a: |\n b}",
      "1:5: found \"|\" within brackets or as a key, expected text in quotes or on the line",
      fix: "put the text in quotes"),
  ]

  static let properties: [Mistake] = [
    Mistake(
      "a: *",
      "1:4: found \"*\" without a name, expected the name of an alias",
      fix: "write the name right after it, or put the text in quotes"),
    Mistake(
      "a: *b",
      "1:4: found the alias \"*b\", expected the name of an anchor before it",
      fix: "put the text in quotes, or write \"&b\" before what it stands for"),
    Mistake(
      "a: &b c\nd: *bb",
      "2:4: found the alias \"*bb\", expected the name of an anchor before it",
      fix: "did you mean \"b\"?"),
    Mistake(
      "a: &b c\n*b: d",
      "2:1: found the alias \"*b:\", expected the name of an anchor before it",
      fix: "write a space before \":\""),
    Mistake(
      "a: &b [*b]",
      "1:8: found \"*b\" within the node that it names, at 1:4, expected a node that ends "
        + "before it",
      fix: "write out what is meant"),
    Mistake(
      "a: &b *b",
      "1:4: found an anchor before an alias, expected it before the node itself",
      fix: "remove it"),
    Mistake(
      "a: & b",
      "1:4: found \"&\" without a name, expected the name of an anchor",
      fix: "write the name right after it, or put the text in quotes"),
    Mistake(
      "a: &b &c d",
      "1:7: found a second anchor for one value, expected one at most",
      fix: "remove one of them"),
    Mistake(
      "&b - c",
      "1:1: found an anchor on the line of \"- c\", expected it on the line before",
      fix: "move it to the end of the line before"),
    Mistake(
      "a: !include b.yaml",
      "1:4: found the tag \"!include\", expected none but !!str, !!int, !!float, !!bool, "
        + "!!null, !!map and !!seq",
      fix: "copy what the file holds to this place"),
    Mistake(
      "a: !!binary aGk=",
      "1:4: found the tag \"!!binary\", expected none but !!str, !!int, !!float, !!bool, "
        + "!!null, !!map and !!seq",
      fix: "write the text in base64 without the tag"),
    Mistake(
      "a: !!set {}",
      "1:4: found the tag \"!!set\", expected none but !!str, !!int, !!float, !!bool, !!null, "
        + "!!map and !!seq",
      fix: "write a sequence without the tag"),
    Mistake(
      "a: !x!y z",
      "1:4: found the tag \"!x!y\", expected a handle that a %TAG line declares",
      fix: "remove the tag, or declare \"!x!\" before \"---\""),
    Mistake(
      "a: !!int b",
      "1:4: found the tag !!int before \"b\", expected an integer such as 12, 0o14 or 0xC",
      fix: "remove the tag, or correct the value"),
    Mistake(
      "a: !!map b",
      "1:4: found the tag !!map before \"b\", expected a mapping",
      fix: "remove the tag, or correct the value"),
    Mistake(
      "a: !!str [b]",
      "1:4: found the tag !!str before a sequence, expected !!seq",
      fix: "remove the tag"),
    Mistake(
      "a: !<b",
      "1:4: found a tag without its end, expected \">\"",
      fix: "add \">\" after the tag"),
  ]

  static let documents: [Mistake] = [
    Mistake(
      "%YAML 1.2",
      "1:1: found a directive without a document, expected \"---\" after it",
      fix: "write \"---\" on the next line, or quotes around the text if it is one"),
    Mistake(
      "%YAML 2.0\n---\na",
      "1:1: found \"%YAML 2.0\", expected %YAML 1.2, once"),
    Mistake(
      "%YAML 1.2\na: b",
      "1:1: found a directive without a document, expected \"---\" after it",
      fix: "write \"---\" on the next line, or quotes around the text if it is one"),
    Mistake(
      "a: b\n...\n%TAG x\n---",
      "3:1: found \"%TAG x\", expected %TAG !handle! prefix"),
    Mistake(
      "\"a\n--- b\"",
      "1:1: found the end of the document within the text in double quotes that begins here, "
        + "expected \"\\\"\" to close it",
      fix: "add the closing quote"),
    Mistake(
      "[a\n---\n]",
      "1:1: found the end of the document within the sequence that begins here, expected \"]\" "
        + "to close it",
      fix: "add \"]\""),
    Mistake(
      "\"a\" b",
      "1:5: found \"b\" after the end of a value, expected the end of the line",
      fix: "remove it, or put all of the value in quotes"),
  ]
}
