import Testing

@testable import UnderstudyDrafting

@Suite struct QuotedTextTests {
  @Test(
    "a text is quoted without what cannot be seen",
    arguments: [
      ("", #""""#), ("a \"b\" \\", #""a \"b\" \\""#), ("é ☃ 😀", #""é ☃ 😀""#),
      ("a\nb\tc", #""a\nb\tc""#), ("\u{1B}[31m", #""\u001b[31m""#), ("\u{7F}", #""\u007f""#),
      ("a\u{202E}b", #""a\u202eb""#), ("\u{2028}\u{2029}", #""\u2028\u2029""#),
      ("\u{200B}", #""\u200b""#), ("\u{AD}", #""\u00ad""#), ("\u{E0001}", #""\udb40\udc01""#),
      ("\u{85}", #""\u0085""#), ("\u{FEFF}", #""\ufeff""#),
    ])
  func quoted(text: String, quoted: String) {
    #expect(text.quoted == quoted)
  }
}
