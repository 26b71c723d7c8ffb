import Testing
import UnderstudyContractModel
import UnderstudyDrift
import UnderstudySecrets

@testable import UnderstudyDrafting

/// What is recorded beside what is there, and what of it is not.
@Suite struct RecordingMergeTests {
  private static func exchange(
    _ path: String, _ body: String, status: Int = 200, milliseconds: Int = 0
  ) -> RecordedExchange {
    let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
    return RecordedExchange(
      method: "GET", path: parts[0], query: parts.count > 1 ? parts[1] : nil,
      responses: [
        LiveResponse(
          status: status, headers: [HeaderField(name: "Content-Type", value: "application/json")],
          body: Array(body.utf8), latency: .milliseconds(milliseconds))
      ])
  }

  private static func recording(
    _ exchanges: [RecordedExchange], in stage: RecordingStage, guessesSlugs: Bool = false,
    _ change: (inout RecordingTarget) -> Void = { _ in }
  ) throws -> Recording {
    var target = try stage.target()
    change(&target)
    let recording = try Recording(
      of: exchanges, for: target, paths: [], mask: SecretMask(secrets: []),
      guessesSlugs: guessesSlugs, differs: { $0.differs(from: $1, in: $2) })
    for file in recording.files { try stage.write(file.bytes, to: file.path) }
    return recording
  }

  @Test("a contract that is there keeps its responses, also when it gets others")
  func kept() async throws {
    let stage = try await RecordingStage.open([:])
    let one = Self.exchange("/things/1", #"{"id":1}"#)
    _ = try Self.recording([one], in: stage)
    let before = try stage.text("copy/things-id.json")
    let same = try Self.recording([one], in: stage)
    #expect(same.contracts.map(\.fate) == [.known] && same.files == [] && same.unrecorded == [])
    let two = Self.exchange("/things/2", #"{"id":2}"#)
    let none = Self.exchange("/things/0", #"{"error":1}"#, status: 404)
    for others in [[two], [one, two, none]] {
      let found = try Self.recording(others, in: stage)
      #expect(found.contracts.map(\.fate) == [others.count == 1 ? .known : .extended])
      #expect(
        found.unrecorded.map { "\($0.request): \($0.reason) \($0.isKept)" } == [
          "GET /things/{id}: copy/things-id already exists, and keeps its responses true"
        ])
      #expect(found.unrecorded.map(\.key) == [two.requestKey])
      #expect(found.replayed == Set((others.count == 1 ? [] : [one, none]).map(\.requestKey)))
    }
    let after = try stage.text("copy/things-id.json")
    #expect(after.hasPrefix(before.prefix(300)) && after.contains("\"not-found\""))
    await stage.live.close()
  }

  @Test("requests with numbers in their paths are all recorded, however many")
  func many() async throws {
    let stage = try await RecordingStage.open([:])
    let exchanges = (1...203).map { Self.exchange("/things/\($0)", "{\"id\":\($0)}") }
    let found = try Self.recording(exchanges, in: stage, guessesSlugs: true)
    #expect(found.unrecorded == [] && found.findings == [])
    #expect(found.contracts.map(\.cases.count) == [203])
    await stage.live.close()
  }

  @Test("of siblings that only look alike, two hundred make a contract, and repetitions are free")
  func siblings() async throws {
    let stage = try await RecordingStage.open([:])
    let exchanges = (1...203).map {
      Self.exchange("/things/tea-\($0)", #"{"id":"tea-\#($0)","name":"Tea","price":1}"#)
    }
    let found = try Self.recording(exchanges + [exchanges[0]], in: stage, guessesSlugs: true)
    #expect(found.contracts.map(\.path) == ["/things/{id}"])
    #expect(found.contracts.map(\.cases.count) == [200])
    #expect(
      found.unrecorded.map { "\($0.request): \($0.reason)" }
        == (201...203).map {
          "GET /things/tea-\($0): a contract is made from 200 different requests at most"
        })
    #expect(found.unrecorded.map(\.key) == exchanges.suffix(3).map(\.requestKey))
    await stage.live.close()
  }

  @Test("live cases get a limit from the measured times where that is wanted")
  func latency() async throws {
    for limits in [false, true] {
      let stage = try await RecordingStage.open([:])
      _ = try Self.recording(
        [Self.exchange("/things?page=1", "[1]", milliseconds: 300)], in: stage
      ) { $0.limitsLatency = limits }
      let contract = try #require(try ContractLibrary.load([stage.folder]).contracts.first)
      #expect(contract.cases.first?.isLive == true)
      let text = try stage.text("copy/things.json")
      #expect(text.contains(#""live": { "latency": "600ms" }"#) == limits)
      #expect(text.contains(#""live": {}"#) == !limits)
      await stage.live.close()
    }
  }
}
