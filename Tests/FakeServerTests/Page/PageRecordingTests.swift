import Testing
import UnderstudyHTTP
import UnderstudyJSON

@testable import UnderstudyFakeServer

extension PageTests {
  /// Recordings that people start and stop in the page.
  @Suite struct Recording {
    @Test("a recording is started and stopped, and the page says what was written")
    func record() async throws {
      try await SmallServer.with {
        $0.recording = RecordedFiles()
      } _: { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        try browser.wait(for: "#recording", toSay: "Record…")
        try browser.click("#recording")
        try browser.wait(for: "document.querySelector('#recorder[open]')")
        try browser.value(
          "void (document.querySelector('#recorder-url').value = 'https://new.example')")
        try browser.click("#recorder-start")
        try browser.wait(
          for: "#recorder-problem", toSay: "The live API has no name: say which upstream it is.")
        try browser.value("void (document.querySelector('#recorder-upstream').value = 'new')")
        try browser.click("#recorder-start")
        try browser.wait(for: "#recording", toSay: "● Stop recording")
        try browser.wait(
          for: "#done", toSay: "Recording new. Requests below its name are passed on.")
        #expect(try server.client().exchange("GET /new/things").text == "live /things")
        try browser.click("#recording")
        try browser.wait(for: "#done", toSay: "1 request passed on; wrote new/things.json.")
        try browser.wait(for: "#notice", toSay: "Not recorded: one is left out")
        try browser.wait(for: "#recording", toSay: "Record…")
      }
    }

    @Test("a server that may not record has no button for it, and other windows follow")
    func button() async throws {
      try await SmallServer.with { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        try browser.wait(for: "#place", toSay: "\(server.address)")
        #expect(try browser.value("document.querySelector('#recording').hidden").bool == true)
      }
      try await SmallServer.with {
        $0.recording = RecordedFiles()
      } _: { (server) async throws in
        let browser = try WebDriver.fresh()
        try browser.open(server)
        try browser.wait(for: "#recording", toSay: "Record…")
        _ = try server.admin("POST", "/recording/start")
        try browser.wait(for: "#recording", toSay: "● Stop recording")
        _ = try server.admin("POST", "/reset")
        try browser.wait(for: "#recording", toSay: "Record…")
      }
    }
  }
}
