import Testing

@testable import UnderstudySchema

@Suite struct URIReferenceTests {
  /// RFC 3986, section 5.4.
  @Test(
    "resolves references as the standard's examples do",
    arguments: [
      ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
      ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
      ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
      ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
      ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
      ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
      ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
      ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
      ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
      ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
      ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"),
      ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
    ])
  func resolution(reference: String, expected: String) throws {
    let base = try #require(URIReference("http://a/b/c/d;p?q"))
    let resolved = try base.resolving(#require(URIReference(reference)))
    #expect(resolved.description == expected)
  }

  @Test(
    "resolves references against a base that is relative itself",
    arguments: [
      ("", "a/b.json", "a/b.json"), ("a/b.json", "c.json", "a/c.json"),
      ("a/b.json", "../c.json", "c.json"), ("a.json", "#/x", "a.json#/x"),
      ("urn:a:b", "#x", "urn:a:b#x"), ("http://a", "b", "http://a/b"),
    ])
  func relativeBase(base: String, reference: String, expected: String) throws {
    let base = try #require(URIReference(base))
    #expect(try base.resolving(#require(URIReference(reference))).description == expected)
  }

  @Test(
    "undoes percent-encoding in fragments",
    arguments: [("#a%20b", "a b"), ("#%C3%A9", "é"), ("a", ""), ("#%FF", nil)])
  func fragment(text: String, expected: String?) throws {
    #expect(try #require(URIReference(text)).decodedFragment == expected)
  }
}

@Suite struct PunycodeTests {
  /// RFC 3492, section 7.1, and texts that stand for nothing.
  @Test(
    "decodes",
    arguments: [
      ("egbpdaj6bu4bxfgehfvwxn", "ليهمابتكلموشعربي؟"),
      ("ihqwcrb4cv8a8dqg056pqjye", "他们为什么不说中文"),
      ("3B-ww4c5e180e575a65lsy2b", "3年B組金八先生"),
      ("Hello-Another-Way--fc4qua05auwb3674vfr0b", "Hello-Another-Way-それぞれの場所"),
      ("", ""), ("x", nil), ("99999999", nil), ("a-!", nil),
    ])
  func decode(encoded: String, expected: String?) {
    let scalars = Punycode.decode(Array(encoded.utf8)[...])
    let decoded = scalars.map { scalars in
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return String(text)
    }
    #expect(decoded == expected)
  }
}
