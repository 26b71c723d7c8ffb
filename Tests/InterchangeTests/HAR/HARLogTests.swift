import Testing

@testable import UnderstudyInterchange

/// Documents that are not a HAR as a whole.
@Suite struct HARLogTests {
  @Test(
    "says what is wrong, where, and what to do",
    arguments: [
      (
        #"{"log": {"version": "1.2", "entries": ["#,
        """
        1.har:1:40: found the end of the text, expected a value or "]" for the array opened at 1:39
          fix: export it again, completely, as JSON in UTF-8
        """
      ),
      (
        #"{"log": {"version": "2.0", "entries": []}}"#,
        """
        1.har:1:21: found string "2.0" for log.version, expected version 1.2
          fix: export it again as HAR 1.2
        """
      ),
      (
        #"{"log": {"version": true, "entries": []}}"#,
        """
        1.har:1:21: found true for log.version, expected version 1.2
          fix: export it again as HAR 1.2
        """
      ),
      (
        #"{"log": {"entries": {}}}"#,
        """
        1.har:1:21: found object with 0 members for log.entries, expected an array of entries
          fix: export it again as HAR 1.2
        """
      ),
      (
        #"{"a": 1}"#,
        """
        1.har: found a document of an unknown format, expected log.entries of a HAR, stub mappings of WireMock, or OpenAPI
          fix: name the format to see what is wrong: understudy import har 1.har
        """
      ),
      (
        #"{"consumer": {"name": "a"}, "provider": {"name": "b"}, "interactions": []}"#,
        """
        1.har: found a Pact file, expected log.entries of a HAR, stub mappings of WireMock, or OpenAPI
          fix: run the tests that wrote it against: understudy serve --record --upstream NAME=URL
        """
      ),
      (
        #"{"uuid": "1", "name": "a", "endpointPrefix": "", "routes": []}"#,
        """
        1.har: found a Mockoon file, expected log.entries of a HAR, stub mappings of WireMock, or OpenAPI
          fix: export it as OpenAPI and import that
        """
      ),
      (
        #"{"info": {"name": "a"}, "item": []}"#,
        """
        1.har: found a Postman collection, expected log.entries of a HAR, stub mappings of WireMock, or OpenAPI
          fix: send its requests through: understudy serve --record --upstream NAME=URL
        """
      ),
    ])
  func broken(text: String, message: String) {
    #expect(complaint { try ImportStage().plan(text) } == message)
  }

  @Test(
    "takes every 1.x, none at all, and a byte order mark",
    arguments: [
      #"{"log": {"version": "1.1", "entries": []}}"#, #"{"log": {"version": 1.2, "entries": []}}"#,
      #"{"log": {"version": "", "entries": []}}"#, #"{"log": {"version": null, "entries": []}}"#,
      "\u{FEFF}{\"log\": {\"entries\": []}}",
    ])
  func sound(text: String) throws {
    let plan = try ImportStage().plan(text)
    #expect(plan.changes.isEmpty && plan.notes == [])
  }

  @Test("a document a hundred thousand levels deep is refused", arguments: ["[", "{\"log\":"])
  func deep(start: String) throws {
    let text = String(repeating: start, count: 100_000)
    #expect(complaint { try ImportStage().plan(text) }.contains("1.har:1:"))
  }
}
