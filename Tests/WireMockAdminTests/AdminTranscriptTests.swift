import Foundation
import Testing
import UnderstudyCore
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyWireMockAdmin

/// Conversations with the admin API, in whole: the files of `Fixtures/Transcripts`. Each line is
/// one with a new server, whose requests have ` ;; ` between them; a path that begins with `@` is
/// one of the admin API.
@Suite struct AdminTranscriptTests {
  @Test("conversations", arguments: ["stubs", "requests", "recordings", "others"])
  func conversations(name: String) async throws {
    var found: [String: [String]] = [:]
    for line in try Transcript.inputs(of: name) {
      let folder = try TemporaryFolder()
      try folder.write("__files/a.txt", "a text")
      let options = try WireMockAPI.Options(
        folder: folder.path,
        #"{"id": "00000000-0000-4000-8000-00000000f01d", "request": {"url": "/folder"}}"#)
      try await AdminStage.with(options) { stage in
        let own = Shown(folder: folder.path, port: Int(stage.server.address.port))
        for words in line.components(separatedBy: " ;; ") {
          found[line, default: []].append(own.text(try await Self.exchange(words, on: stage)))
        }
        let saved = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        found[line, default: []].append(own.text("files: \(saved.joined(separator: " "))"))
        for path in saved where path.hasPrefix("mappings/") {
          found[line, default: []].append(own.text("\(path): \(try folder.read(path))"))
        }
      }
    }
    let transcript = try Transcript(name) { found[$0] ?? [] }
    #expect(TextDiff.unified(transcript.expected, transcript.found) == "")
  }

  /// `POST @/mappings {"request": …}`, or with headers: `GET /a {X-A: 1}{X-B: 2} body`.
  private static func exchange(_ words: String, on stage: AdminStage) async throws -> String {
    let parts = words.split(separator: " ", maxSplits: 2).map(String.init)
    let path = parts[1].hasPrefix("@") ? "/__admin\(parts[1].dropFirst())" : parts[1]
    var body = parts.count > 2 ? parts[2] : ""
    var headers: [String] = []
    while let field = body.firstMatch(of: #/^\{([A-Z][A-Za-z-]*: [^}]*)\} ?/#) {
      headers.append(String(field.1))
      body.removeSubrange(field.range)
    }
    let response = try await stage.ask("\(parts[0]) \(path)", body, headers: headers)
    let json = try? JSONDocument(parsing: response.body).root.compact
    let text = json.map { String(decoding: $0, as: UTF8.self) } ?? response.text
    return "\(response.status) \(text)"
  }

  /// What differs from run to run has a name in its place.
  private struct Shown {
    let folder: String
    let port: Int

    func text(_ found: String) -> String {
      var names: [String: String] = [:]
      let text = found.replacing(folder, with: "FOLDER").replacing(":\(port)", with: ":PORT")
        .replacing(#/"port":\d+/#, with: #""port":PORT"#)
        .replacing(
          #/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/#
        ) { match in
          let id = String(match.0)
          if id.hasPrefix("00000000-") { return id }
          if names[id] == nil { names[id] = "ID\(names.count + 1)" }
          return names[id] ?? ""
        }
      return text.replacing(#/\d{4}-\d\d-\d\dT[0-9:.]+Z/#, with: "TIME")
        .replacing(#/"loggedDate":\d+/#, with: #""loggedDate":TIME"#)
        .replacing(
          #/"(timestamp|uptimeInSeconds|totalTime|serveTime|processTime)":\d+/#
        ) { #""\#($0.1)":N"# }
        .replacing("\n", with: "\\n")
    }
  }
}
