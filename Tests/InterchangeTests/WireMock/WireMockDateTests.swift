import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

@testable import UnderstudyInterchange

/// Moving dates as WireMock writes them, and back.
@Suite struct WireMockDateTests {
  private static func library(_ body: String) -> ContractLibrary {
    ContractLibrary(reading: [
      "api/upstream.json": "{}",
      "api/thing.json": #"""
      { "request": { "method": "GET", "path": "/a" },
        "cases": { "ok": { "status": 200, "body": \#(body), "template": ["body"] } } }
      """#,
    ])
  }

  /// The text that the last stub responds with; `nil` where there is none.
  private static func text(_ export: WireMockExport) throws -> String? {
    guard let file = export.files.first else { return nil }
    let stubs = try JSONDocument(parsing: file.bytes).root["mappings"]?.elements
    return (stubs?.compactMap { $0["response"]?["body"]?.string } ?? []).last
  }

  @Test(
    "a date is exported, and imported as one that says the same",
    arguments: [
      ("{now}", "now", "{now}"),
      ("{now -3d yyyy-MM-dd}", "now offset='-3 days' format='yyyy-MM-dd'", "{now -3d yyyy-MM-dd}"),
      (
        "{now +2w in Europe/Berlin}", "now offset='14 days' timezone='Europe/Berlin'",
        "{now +14d in Europe/Berlin}"
      ),
      ("{now +90m +1h}", "now offset='9000 seconds'", "{now +9000s}"),
      ("{now -1y +1M}", "now offset='-11 months'", "{now -11M}"),
      ("{now +1d -1h}", "now offset='82800 seconds'", "{now +82800s}"),
      (
        "{now in +02:00 HH:mm}", "now timezone='GMT+02:00' format='HH:mm'", "{now in +02:00 HH:mm}"
      ),
      ("{now.unix -1y}", "now offset='-1 years' format='unix'", "{now.unix -1y}"),
      ("{now.unixMilliseconds}", "now format='epoch'", "{now.unixMilliseconds}"),
      (
        "{now.http}", #"now format="EEE, dd MMM yyyy HH:mm:ss 'GMT'""#,
        "{now EEE, dd MMM yyyy HH:mm:ss 'GMT'}"
      ),
      (
        "{now yyyy-MM-dd'T'HH}", #"now format="yyyy-MM-dd'T'HH""#, "{now yyyy-MM-dd'T'HH}"
      ),
      (
        "{now -1M/M yyyy}",
        "date (truncateDate (now offset='-1 months') 'first day of month') format='yyyy'",
        "{now -1M /M yyyy}"
      ),
    ])
  func date(written: String, exported: String, imported: String) throws {
    let library = Self.library(#"{"a":"\#(written)"}"#)
    #expect(library.findings.filter { $0.severity == .error } == [])
    let export = WireMockExport(library)
    #expect(export.notes == [])
    let text = try #require(try Self.text(export))
    #expect(text == #"{"a":"{{\#(exported)}}"}"#)
    let stub = JSONText.object([
      ("request", .object([("method", .string("GET")), ("urlPath", .string("/a"))])),
      (
        "response",
        .object([
          ("headers", .object([("Content-Type", .string("application/json"))])),
          ("body", .string(text)), ("transformers", .strings(["response-template"])),
        ])
      ),
    ])
    let again = try ImportedStubs(
      ImportSource(documents: [try ForeignDocument(reading: stub.bytes, file: "a.json")]))
    #expect(again.notes == [])
    #expect(again.library.findings.filter { $0.severity == .error } == [])
    let body = again.library.contracts.first?.cases.first?.source["body"]
    #expect(body?["a"]?.string == imported)
  }

  @Test("what is a number without quotes is one for WireMock, too")
  func numbers() throws {
    let export = WireMockExport(
      Self.library(#"{"a":"{now.unix as json}","b":["{random.1-6 as json}","{now.unix}"]}"#))
    #expect(export.notes == [])
    #expect(
      try Self.text(export)
        == #"{"a":{{now format='unix'}} ,"b":[{{randomInt lower=1 upper=7}} ,"{{now format='unix'}}"]}"#
    )
  }

  @Test(
    "what WireMock cannot say of a date is left out with the reason",
    arguments: [
      ("{now /w}", "WireMock does not truncate a date to a week"),
      ("{now /d +1h}", "WireMock truncates a date only as the last step"),
      ("{now /d in Europe/Berlin}", "WireMock truncates a date only in UTC"),
      ("{now +1M -1d}", "WireMock moves a date by one number of one unit"),
      ("{now +1d -1h in Europe/Berlin}", "WireMock moves a date by one number of one unit"),
      ("{query.a as json}", "WireMock cannot insert a value with its JSON type"),
    ])
  func loss(written: String, reason: String) throws {
    let export = WireMockExport(Self.library(#"{"a":"\#(written)"}"#))
    #expect(export.notes.map(\.reason) == [reason])
    #expect(export.stubCount == 0)
  }

  @Test(
    "what a stub says of dates that no contract can is left out",
    arguments: [
      "{{date (truncateDate (now) 'last day of month')}}", "{{date (parseDate request.body)}}",
      "{{date (truncateDate (now) 'first hour of day') timezone='Europe/Berlin'}}",
      "{{date (now offset='1 days') offset='1 days'}}", "{{date (truncateDate (now))}}",
    ])
  func foreign(text: String) throws {
    let stub = """
      { "request": { "method": "GET", "urlPath": "/a" },
        "response": { "body": "\(text)", "transformers": ["response-template"] } }
      """
    let imported = try ImportedStubs(
      ImportSource(documents: [try ForeignDocument(reading: Array(stub.utf8), file: "a.json")]))
    #expect(imported.notes.map(\.kind) == [.leftOut])
    #expect(imported.library.contracts.isEmpty)
  }
}
