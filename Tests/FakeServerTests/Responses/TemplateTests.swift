import Testing
import UnderstudyContractModel
import UnderstudyJSON

@testable import UnderstudyFakeServer

@Suite struct ResponseTemplateTests {
  private static let request = SampleRequest(
    path: ["count": "3", "name": "ḃella"], query: ["page": "2", "q": #"a"b\c"#, "yes": "true"],
    headers: ["X-Id": "abc"],
    body: #"{ "items": [{ "id": 7.50, "name": "R\"ex", "tags": ["a", { "b": null }] }], "a/b": 1 }"#
  )

  private static func served(_ response: String) throws -> Stage {
    var stage = try Stage(#""status": 200, "# + response)
    stage.request = request
    return stage
  }

  static let texts: [Replacement] = [
    Replacement("{server.baseURL}/x", "http://127.0.0.1:4010/api/x"),
    Replacement("{server.images.baseURL}", "http://127.0.0.1:4010/images"),
    Replacement("{server.nobody.baseURL}", ""),
    Replacement("{path.count}{path.name}", "3ḃella"),
    Replacement("{query.page}, {query.none}.", "2, ."),
    Replacement("{header.X-Id}", "abc"),
    Replacement("{body./items/0/id}", "7.50"),
    Replacement("{body./items/0/name}", #"R"ex"#),
    Replacement("{body./items/0/tags}", #"["a",{"b":null}]"#),
    Replacement("{body./a~1b}", "1"),
    Replacement("{body./none}", ""),
    Replacement("{body./~2}", "{body./~2}"),
    Replacement("{counter}{counter}", "11"),
    Replacement(
      "{uuid} {uuid}",
      "910a2dec-8902-4cc1-beeb-8da1658eec67 910a2dec-8902-4cc1-beeb-8da1658eec67"),
    Replacement("{now}", "1994-11-06T08:49:37Z"),
    Replacement("{now.http}", "Sun, 06 Nov 1994 08:49:37 GMT"),
    Replacement("{now.unix}", "784111777"),
    Replacement("{now.unixMilliseconds}", "784111777123"),
    Replacement("{now +1h}", "1994-11-06T09:49:37Z"),
    Replacement("{now-3d/d}", "1994-11-03T00:00:00Z"),
    Replacement("{now in -05:30}", "1994-11-06T03:19:37-05:30"),
    Replacement("{now.http +1h/h}", "Sun, 06 Nov 1994 09:00:00 GMT"),
    Replacement("{now.unix -1d/d in +02:00}", "783986400"),
    Replacement("{now.unixMilliseconds +1s}", "784111778123"),
    Replacement("{now.unixMilliseconds /m}", "784111740000"),
    Replacement("{now yyyy-MM-dd'T'HH:mm:ss.SSSX}", "1994-11-06T08:49:37.123Z"),
    Replacement("{now +1M in +01:00 EEEE, d MMMM yy, h:mm a}", "Tuesday, 6 December 94, 9:49 AM"),
    Replacement("{random.5-5}", "5"),
    Replacement("{uuid}", "910a2dec-8902-4cc1-beeb-8da1658eec67"),
    Replacement(
      "{ uuid } {} {/other} {now.utc} {{counter}} {", "{ uuid } {} {/other} {now.utc} {1} {"),
    Replacement("{path.count as json}", "3"),
  ]

  @Test("in text a value is inserted unchanged", arguments: texts)
  func text(filling: Replacement) throws {
    let stage = try Self.served(
      #""text": "\#(filling.text)", "template": ["body"]"#)
    #expect(stage.bodyText() == filling.result)
    #expect(stage.wire().contains("\r\nContent-Length: \(filling.result.utf8.count)\r\n"))
  }

  @Test("in a header a value is inserted unchanged", arguments: texts)
  func header(filling: Replacement) throws {
    let stage = try Self.served(
      #""headers": { "X": "<\#(filling.text)>" }, "template": ["headers"]"#)
    #expect(
      stage.wire()
        == head(
          "HTTP/1.1 200 OK", "X: <\(filling.result)>", "Content-Length: 0",
          "Date: \(Stage.httpDate)"))
  }

  static let documents: [Replacement] = [
    Replacement(#"{ "a": "{path.count}" }"#, #"{"a":"3"}"#),
    Replacement(#"{ "a": "{path.count as json}" }"#, #"{"a":3}"#),
    Replacement(#"["{query.yes as json}", "{query.none as json}"]"#, #"[true,null]"#),
    Replacement(#"["{path.name as json}", "{query.q as json}"]"#, #"["ḃella","a\"b\\c"]"#),
    Replacement(#"["{query.q}"]"#, #"["a\"b\\c"]"#),
    Replacement(#""{path.count as json}""#, "3"),
    Replacement(#"["no {path.count as json}"]"#, #"["no 3"]"#),
    Replacement(#"["\"{path.count as json}\""]"#, #"["\"3\""]"#),
    Replacement(#"{ "{path.count as json}": 1, "{path.count}": 2 }"#, #"{"3":1,"3":2}"#),
    Replacement(#"["{body./items/0/id as json}"]"#, "[7.50]"),
    Replacement(#"["{body.\/items\/0\/id as json}"]"#, "[7.50]"),
    Replacement(#"["{body./items/0/name as json}"]"#, #"["R\"ex"]"#),
    Replacement(#"["{body./items/0/name}"]"#, #"["R\"ex"]"#),
    Replacement(#"["{body./items/0/tags as json}"]"#, #"[["a",{"b":null}]]"#),
    Replacement(#"["{body./items/0/tags}"]"#, #"["[\"a\",{\"b\":null}]"]"#),
    Replacement(#"["{body./none as json}"]"#, "[null]"),
    Replacement(#"["{counter as json}", "{counter}"]"#, #"[1,"1"]"#),
    Replacement(
      #"["{now.unix as json}", "{now as json}"]"#, #"[784111777,"1994-11-06T08:49:37Z"]"#),
    Replacement(
      #"["{now.unix +1h as json}", "{now -1y yyyy as json}"]"#, "[784115377,1993]"),
    Replacement(#"["{now yyyy-MM-dd'T'HH''mm}"]"#, #"["1994-11-06T08'49"]"#),
    Replacement(#"["{now -1d\/d yyyy\/MM}"]"#, #"["1994/11"]"#),
    Replacement(#"["{random.5-5 as json}"]"#, "[5]"),
    Replacement(#"["{server.baseURL as json}"]"#, #"["http://127.0.0.1:4010/api"]"#),
    Replacement(#"["\\{counter}", "\\\\{counter}"]"#, #"["{counter}","\\{counter}"]"#),
    Replacement(#"["{a\\{counter}{counter}"]"#, #"["{a{counter}1"]"#),
    Replacement(
      #"{ "a": { "b": "{/other_user}" }, "c": {} }"#, #"{"a":{"b":"{/other_user}"},"c":{}}"#),
  ]

  @Test("in JSON a value is escaped, or becomes JSON on request", arguments: documents)
  func json(filling: Replacement) throws {
    let stage = try Self.served(#""body": \#(filling.text), "template": ["body"]"#)
    #expect(stage.bodyText() == filling.result)
    #expect(throws: Never.self) { try JSONDocument(parsing: stage.body()) }
  }

  @Test(
    "a backslash escapes a brace, and is removed",
    arguments: [
      (#"\\{counter}"#, "{counter}"), (#"\\\\{counter}"#, #"\{counter}"#),
      (#"{counter}\\{counter}{counter}"#, "1{counter}1"), (#"{a\\{b}"#, "{a{b}"),
      (#"\\{"#, "{"), (#"a\\b"#, #"a\b"#),
    ])
  func escaped(text: String, sent: String) throws {
    #expect(try Self.served(#""text": "\#(text)", "template": ["body"]"#).bodyText() == sent)
    let template = Template(text.replacing(#"\\"#, with: #"\"#))
    let pieces = template.pieces.map { if case .text(let text) = $0 { text } else { "1" } }
    #expect(pieces.joined() == sent)
  }

  @Test("parts that are not named keep their braces")
  func unnamed() throws {
    let response = #""headers": { "X": "{counter}" }, "text": "{counter}""#
    for (named, line, body) in [
      ("", "X: {counter}", "{counter}"), (#""headers""#, "X: 1", "{counter}"),
      (#""body""#, "X: {counter}", "1"), (#""headers", "body""#, "X: 1", "1"),
    ] {
      let stage = try Self.served(response + #", "template": [\#(named)]"#)
      #expect(
        stage.wire()
          == head(
            "HTTP/1.1 200 OK", line, "Content-Length: \(body.utf8.count)",
            "Date: \(Stage.httpDate)") + body)
    }
  }

  @Test("templates are filled before a body is compressed, framed, cut and paced")
  func order() throws {
    let body = #""text": "{path.count}45", "template": ["body"], "#
    #expect(
      try Self.served(body + #""encoding": "gzip""#).body()
        == ContentCoding.gzip.encode(Array("345".utf8)))
    #expect(
      try Self.served(body + #""framing": "chunked""#).bodyText() == "3\r\n345\r\n0\r\n\r\n")
    #expect(try Self.served(body + #""fault": "CONNECTION_CLOSED_IN_BODY""#).bodyText() == "3")
    #expect(
      try Self.served(body + #""pace": { "chunks": 3, "over": "0ms" }"#).transcript().dropFirst()
        == ["3", "4", "5", "keepOpen"])
  }

  @Test("offsets of a malformation count the contract's bytes, and bad UTF-8 stays as it is")
  func mutated() throws {
    let stage = try Self.served(
      #""body": ["{path.count}"], "template": ["body"], "malform": { "invalidUTF8At": 1 }"#)
    #expect(stage.body() == Array("[".utf8) + [0xFF] + Array(#""3"]"#.utf8))
    let cut = try Self.served(
      #""body": ["{path.count}"], "template": ["body"], "malform": { "truncateAt": 8 }"#)
    #expect(cut.bodyText() == #"["{path."#)
  }

  // MARK: - Injection

  /// Values that try to leave the place where they are put.
  static let attacks = [
    "x\r\nSet-Cookie: a=1", "x\nSet-Cookie: a=1", "x\rSet-Cookie: a=1", "\r\n\r\n<script>",
    "\u{0}\u{1}\u{B}\u{1F}\u{7F}x", #"","admin":true,"x":""#, #"\"#, #"\",\"admin\":true"#,
    "1,\"admin\":true", #"{"admin":true}"#, #"[1]"#, "1]", "1 2", "{uuid}", "{query.a}", "\u{2028}",
    "\t", " 1 ", "1e999", "nul", "NaN", "", "-", "01", #""quoted""#, "\u{FEFF}1",
  ]

  private static let inputs = [
    "path.a", "query.a", "header.a", "body./a", "server.baseURL", "server.images.baseURL",
  ]

  private static func attacked(by attack: String) -> SampleRequest {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("a")
      writer.string(attack)
    }
    return SampleRequest(
      path: ["a": attack], query: ["a": attack], headers: ["a": attack],
      body: String(decoding: writer.bytes, as: UTF8.self),
      addresses: ["api": attack, "images": attack])
  }

  @Test("no value adds a line to a head", arguments: inputs)
  func headInjection(input: String) throws {
    var stage = try Stage(
      #""status": 200, "headers": { "X": "<{\#(input)}>", "Y": "<{\#(input) as json}>" }, "#
        + #""template": ["headers"]"#)
    for attack in Self.attacks {
      stage.request = Self.attacked(by: attack)
      let harmless = attack.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
      let value = String(String.UnicodeScalarView(harmless))
      #expect(
        stage.wire()
          == head(
            "HTTP/1.1 200 OK", "X: <\(value)>", "Y: <\(value)>", "Content-Length: 0",
            "Date: \(Stage.httpDate)"))
    }
  }

  @Test("no value breaks out of its place in JSON", arguments: inputs)
  func jsonInjection(input: String) throws {
    var stage = try Stage(
      #""status": 200, "template": ["body"], "#
        + #""body": { "a": "<{\#(input)}>", "b": "{\#(input) as json}", "c": 1 }"#)
    for attack in Self.attacks {
      stage.request = Self.attacked(by: attack)
      let root = try JSONDocument(parsing: stage.body()).root
      #expect(root.count == 3)
      #expect(root["a"]?.string == "<\(attack)>")
      #expect(root["c"]?.int == 1)
      let value = try #require(root["b"], "after \(attack)")
      #expect(value.kind != .object && value.kind != .array)
      if value.kind == .string { #expect(value.string == attack) }
    }
  }

  @Test("a length always counts the bytes that were filled in")
  func lengths() throws {
    var stage = try Stage(#""status": 200, "text": "{query.a}", "template": ["body"]"#)
    for attack in Self.attacks {
      stage.request = Self.attacked(by: attack)
      #expect(stage.bodyText() == attack)
      #expect(stage.wire().contains("\r\nContent-Length: \(attack.utf8.count)\r\n"))
    }
  }
}
