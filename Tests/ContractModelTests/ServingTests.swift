import Foundation
import Testing
import UnderstudyFindings
import UnderstudyJSON

@testable import UnderstudyContractModel

@Suite("Contracts read for serving") struct ServingTests {
  private static let shipped = Shipped.folder.path(percentEncoded: false)

  @Test("they serve the same as the whole ones")
  func servesTheSame() throws {
    let whole = try ContractLibrary.load([Self.shipped])
    let served = try ContractLibrary.load([Self.shipped], for: .serving)
    #expect(served.contracts.map(\.id) == whole.contracts.map(\.id))
    #expect(served.upstreams.map(\.scenarios) == whole.upstreams.map(\.scenarios))
    for (own, other) in zip(served.contracts, whole.contracts) {
      #expect(own.contentHash == other.contentHash)
      #expect(own.defaultCaseIndex == other.defaultCaseIndex)
      #expect(own.scripts == other.scripts)
      #expect(own.request.conditionCount == other.request.conditionCount)
      #expect(own.cases.map(\.name) == other.cases.map(\.name))
      for (own, other) in zip(own.cases, other.cases) {
        #expect(own.kind == other.kind)
        #expect(own.bodyBytes == other.bodyBytes)
        #expect(own.response?.headers == other.response?.headers)
        #expect(own.status == other.status)
        #expect(own.when?.request.map(\.key) == other.when?.request.map(\.key))
        #expect(own.when?.state.map(\.name) == other.when?.state.map(\.name))
        #expect(own.when?.countAbove == other.when?.countAbove)
        #expect(own.when?.share == other.when?.share)
        #expect(own.stateReads == other.stateReads)
        #expect(own.then == other.then)
        #expect(own.live?.parameters.map(\.value) == other.live?.parameters.map(\.value))
      }
    }
  }

  @Test("events keep their parts, and responses what may be asked of them")
  func events() throws {
    let folder = try ContractFolder(
      Sample.files.merging([
        "api/thing.json": Sample.contract(
          cases: #"""
            "it": { "status": 200, "events": [
              { "event": "a", "id": "1", "data": { "b": 1 }, "retry": "3s", "after": "1s" } ] },
            "part": { "status": 200, "text": "a", "ranges": true, "etag": true }
            """#)
      ]) { $1 })
    let contract = try #require(
      try ContractLibrary.load([folder.path], for: .serving).contracts.first {
        $0.id == "api/thing"
      })
    let event = try #require(contract.case(named: "it")?.events?.first)
    #expect(event.after == .seconds(1) && event.isJSON && event.source.isNull)
    #expect(event.bytes == contract.case(named: "it")?.bodyBytes)
    let part = contract.case(named: "part")?.response
    #expect(part?.hasRanges == true && part?.hasTag == true)
  }

  @Test("texts, schemas and expectations are gone")
  func keepsLittle() throws {
    let contracts = try ContractLibrary.load([Self.shipped], for: .serving).contracts
    #expect(!contracts.isEmpty && contracts.allSatisfy(\.source.isNull))
    let cases = contracts.flatMap(\.cases)
    #expect(cases.count > contracts.count)
    #expect(cases.allSatisfy { $0.source.isNull && $0.expectations.isEmpty })
    #expect(cases.allSatisfy { $0.response?.schema == nil })
    let parameters = contracts.flatMap(\.request.parameters)
    #expect(!parameters.isEmpty && parameters.allSatisfy { $0.source.isNull })
  }

  @Test("errors are the same, except in what consumers expect; warnings are not looked for")
  func findings() throws {
    let broken = try ContractFolder(
      Sample.files.merging([
        "api/twin.json": Sample.thing,
        "api/whatsit.json": Sample.contract(
          cases: #""other": { "status": 200, "expect": { "nobody": { "value": 1 } } }"#),
      ]) { $1 })
    func errors(_ purpose: ContractLibrary.Purpose) throws -> [Finding] {
      try ContractLibrary.load([broken.path], for: purpose).findings.filter {
        $0.severity == .error
      }
    }
    let expected = try errors(.checking)
    #expect(Set(expected.map(\.type)).isSuperset(of: [.ambiguous, .unknownConsumer]))
    #expect(try errors(.serving) == expected.filter { $0.type != .unknownConsumer })
    #expect(try errors(.reading) == errors(.serving))
    #expect(try errors(.running) == expected)
    let sound = try ContractFolder(Sample.files)
    for purpose in [ContractLibrary.Purpose.serving, .running] {
      #expect(try ContractLibrary.load([sound.path], for: purpose).findings == [])
    }
    #expect(try ContractLibrary.load([sound.path]).findings != [])
  }
}
