import Testing

@testable import UnderstudyContractModel

@Suite struct PercentEncodingTests {
  @Test(
    "fields of a form are decoded, and those of one name are together",
    arguments: [
      ("", "", ""), ("a", "a=", "a=[]"), ("a=1", "a=1", "a=[1]"), ("a=1&", "a=1", "a=[1]"),
      ("&&a=1", "a=1", "a=[1]"), ("=1", "=1", "=[1]"), ("a==1", "a==1", "a=[=1]"),
      ("a=1&b=2&a=3", "a=1 b=2 a=3", "a=[1|3] b=[2]"),
      ("b=2&a=1&b=", "b=2 a=1 b=", "b=[2|] a=[1]"),
      ("%61=1&a=%2b+%20", "a=1 a=+  ", "a=[1|+  ]"), ("a=%&b=%zz", "a=% b=%zz", "a=[%] b=[%zz]"),
      ("a=%ff+", "a=%ff+", "a=[%ff+]"),
    ])
  func fields(text: String, each: String, together: String) {
    #expect(
      PercentEncoding.fields(of: text).map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        == each)
    let parameters = PercentEncoding.parameters(of: text).map {
      // A name without values has none of them.
      "\($0.name)=[\($0.values.joined(separator: "|"))]"
    }
    #expect(parameters.joined(separator: " ") == together)
  }

  @Test(
    "everything but unreserved characters is encoded",
    arguments: [
      ("azAZ09-._~", "azAZ09-._~"), ("", ""), (" ", "%20"), ("a/b", "a%2Fb"), ("\n\u{1}", "%0A%01"),
      ("`@[{/:", "%60%40%5B%7B%2F%3A"), ("é", "%C3%A9"), ("100%", "100%25"), ("\u{10}", "%10"),
      ("\u{F}", "%0F"),
    ])
  func encode(text: String, encoded: String) {
    #expect(PercentEncoding.encode(text) == encoded)
    #expect(PercentEncoding.decode(encoded[...]) == text)
  }

  @Test(
    "what cannot be decoded is nil",
    arguments: [
      ("a+b", "a+b", "a b"), ("%41", "A", "A"), ("%4", nil, nil), ("%", nil, nil),
      ("%4g", nil, nil),
      ("%g4", nil, nil), ("%ff", nil, nil), ("%2B+", "++", "+ "), ("a", "a", "a"),
    ] as [(String, String?, String?)])
  func decode(text: String, decoded: String?, spaced: String?) {
    #expect(PercentEncoding.decode(text[...]) == decoded)
    #expect(PercentEncoding.decode(text[...], plusIsSpace: true) == spaced)
  }

  @Test(
    "two spellings of a path are one",
    arguments: [
      ("/a", "/a"), ("/%61", "/a"), ("/%2F", "/%2F"), ("/%2f%7e", "/%2f~"), ("/%/%61", "/%/a"),
      ("/%61%", "/%61%"), ("/%C3%A9%2D", "/%C3%A9-"), ("/%ff%61", "/%ff%61"), ("//%61/", "//a/"),
    ])
  func normalize(path: String, normal: String) {
    #expect(PercentEncoding.normalize(path: path) == normal)
  }
}
