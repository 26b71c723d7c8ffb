import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyJSON
import UnderstudySystem

/// A few mutants played by a fake, to show what a replaying transport cannot: that they pass
/// through a socket unchanged.
struct SocketSample {
  struct Item {
    let target: MutationTarget
    let mutant: Mutant
    /// Of all mutants.
    let number: Int
  }

  static let countMax = 16
  private static let bodyBytesMax = 1 << 15

  private let stage: CheckStage
  let items: [Item]

  /// Mutants whose damaged answer can be written as a small case.
  static func playable(_ items: [Item]) -> [Item] {
    items.filter { item in
      item.target.isPlayable
        && item.target.answer(of: item.mutant).map { $0.body.count <= bodyBytesMax } == true
    }
  }

  static func start(_ items: [Item], of library: ContractLibrary) async throws(SystemError) -> Self
  {
    let library = Self.library(library, playing: items)
    return Self(stage: try await CheckStage.start(library, SuiteConfiguration()), items: items)
  }

  func close() async { await stage.close() }

  func outcome(at place: Int) async -> ConsumerOutcome? {
    let check = items[place].target.check
    let session = "sample-\(place)"
    stage.prepare(check, session)
    stage.server.use(Self.caseName(place), for: check.contract.id, session: session)
    let fence = FakeOnlyTransport(
      stage.transport, within: "http://\(stage.server.address)/~\(session)/", timeout: nil, of: nil)
    let outcome = await check.outcome(
      of: ConsumerCall(
        transport: fence, baseURLs: stage.baseURLs(session),
        arguments: check.expectation.arguments))
    await stage.server.forget(session: session)
    return outcome
  }

  private static func caseName(_ place: Int) -> String { "understudy-mutant-\(place)" }

  /// The contracts with a case for each mutant.
  private static func library(
    _ library: ContractLibrary, playing items: [Item]
  ) -> ContractLibrary {
    var files: [String: String] = [:]
    for upstream in library.upstreams {
      var writer = JSONWriter()
      writer.object { writer in
        writer.key("summary")
        writer.string(upstream.name)
        writer.key("baseURL")
        writer.string(upstream.baseURL?.description ?? "https://\(upstream.name).example")
      }
      files["\(upstream.name)/upstream.json"] = String(decoding: writer.bytes, as: UTF8.self)
      for contract in upstream.contracts {
        var bytes = contract.source.document.bytes
        guard let end = contract.source["cases"]?.byteRange.upperBound else { continue }
        let cases = items.enumerated().filter { $1.target.check.contract.id == contract.id }
          .compactMap { place, item in
            item.target.answer(of: item.mutant).map { answer in
              ",\"\(caseName(place))\":"
                + played(answer.body, answer.headers["Content-Type"], like: item.target)
            }
          }
        bytes.insert(contentsOf: cases.joined().utf8, at: end - 1)
        files["\(contract.id).json"] = String(decoding: bytes, as: UTF8.self)
      }
    }
    return ContractLibrary(reading: files)
  }

  private static func played(
    _ body: [UInt8], _ contentType: String?, like target: MutationTarget
  ) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("like")
      writer.string(target.check.played.name)
      if let contentType {
        writer.key("headers")
        writer.object { writer in
          writer.key("Content-Type")
          writer.string(contentType)
        }
      }
      writer.key("base64")
      writer.string(Base64.encode(body))
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
