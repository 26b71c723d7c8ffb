import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON

@testable import UnderstudyDrift

/// Single changes of the live APIs, held against the contracts that come with Understudy.
@Suite struct ShippedPatchTests {
  private static let contracts: [Contract] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Contracts").standardized
    let library = try? ContractLibrary.load([folder.path])
    return library?.contracts.filter { $0.cases.contains(where: \.isLive) } ?? []
  }()

  @Test("each live contract is changed") func count() {
    #expect(Self.contracts.count == 10)
  }

  @Test(
    "a live case becomes the response that was sent, whole, or it stays and the reason is said",
    arguments: contracts)
  func whole(contract: Contract) throws {
    var left: Set<String> = []
    var count = 0
    for change in ChangeOfResponses.all {
      let trial = try PatchTrial(change, of: contract)
      guard trial.hasFindings else { continue }
      count += 1
      try trial.check()
      if !trial.leftOver.isEmpty { left.insert(change.name) }
    }
    // What an API adds or puts into something else needs nobody.
    #expect(left.filter { $0.hasPrefix("added") || $0.hasPrefix("in data") } == [])
    #expect(left.count * 3 <= count * 2, "\(left)")
  }
}

/// One contract after an update with responses that have changed.
private struct PatchTrial {
  private let change: ChangeOfResponses
  private let contract: Contract
  private let samples: [ContractChange.Sample]
  private let after: Contract
  private let isChanged: Bool
  let leftOver: [ContractUpdate.Remainder]

  init(_ change: ChangeOfResponses, of contract: Contract) throws {
    self.change = change
    self.contract = contract
    var update = ContractChange(of: contract, now: Stage.now, isOver: { false })
    for served in contract.cases where served.isLive {
      guard let response = served.response else { continue }
      var body = response.bodyBytes
      if response.status / 100 == 2, let json = response.json {
        body = Array(change.apply(Sample(json)).json.utf8)
      }
      let live = LiveResponse(
        status: response.status, headers: response.headers, body: body, latency: .zero)
      let comparison = Comparison(
        live, to: served, of: contract, readers: [], now: Stage.now)
      update.samples.append(
        ContractChange.Sample(
          name: served.name, response: live, wanted: comparison.differences))
    }
    samples = update.samples
    leftOver = update.run()
    isChanged = update.file != nil
    after = try #require(
      contract.edited(
        try JSONDocument(parsing: update.file?.bytes ?? contract.source.document.bytes)))
  }

  var hasFindings: Bool { samples.contains { !$0.wanted.isEmpty } }

  func check() throws {
    let left = Set(leftOver.map(\.caseID))
    let story = "\(contract.id), \(change.name): \(leftOver.map(\.reason))"
    if isChanged {
      #expect(contract.problem(broughtBy: after.source.document) == nil, "\(story)")
    }
    #expect(!leftOver.contains { $0.reason.isEmpty || $0.findings.isEmpty }, "\(story)")
    let open = samples.filter { !$0.wanted.isEmpty }
    let isAllLeft = open.allSatisfy { left.contains("\(contract.id)#\($0.name)") }
    #expect(isChanged != isAllLeft, "\(story)")
    for sample in samples where !left.contains("\(contract.id)#\(sample.name)") {
      let served = try #require(after.case(named: sample.name))
      let rest = Comparison(
        sample.response, to: served, of: after, readers: [], now: Stage.now
      ).findings
      #expect(rest.map(\.line) == [], "\(story)")
      // A long response is cut.
      guard !sample.wanted.isEmpty, sample.response.body.count < 4000,
        let example = served.response?.json
      else { continue }
      #expect(example.isEqual(to: try JSONDocument(parsing: sample.response.body).root), "\(story)")
    }
    for member in contract.source.document.root.members where member.key != "cases" {
      let now = after.source.document.root[member.key]
      #expect(now.map { $0.compact == member.value.compact } == true, "\(story)")
    }
  }
}

/// One way in which all good responses of an API change.
private struct ChangeOfResponses: Sendable {
  let name: String
  let apply: @Sendable (Sample) -> Sample

  init(_ name: String, _ apply: @escaping @Sendable (Sample) -> Sample) {
    self.name = name
    self.apply = apply
  }

  static let all = ofMembers + ofTheWhole + ofInnerValues + ofValues

  private static let ofMembers = [0, 2].flatMap { place in
    func at(
      _ change: @escaping @Sendable (String, Sample) -> [(String, Sample)]
    ) -> @Sendable (Sample) -> Sample {
      { body in
        body.mapMembers { members in
          members.enumerated().flatMap { $0 == place ? change($1.0, $1.1) : [$1] }
        }
      }
    }
    return [
      ChangeOfResponses("removed \(place)", at { _, _ in [] }),
      ChangeOfResponses("renamed \(place)", at { [("new-\($0)", $1)] }),
      ChangeOfResponses("null \(place)", at { name, _ in [(name, .null)] }),
      ChangeOfResponses("retyped \(place)", at { [($0, $1.retyped)] }),
      ChangeOfResponses("in an object \(place)", at { [($0, .object([("value", $1)]))] }),
      ChangeOfResponses("in a list \(place)", at { [($0, .array([$1]))] }),
      ChangeOfResponses("empty \(place)", at { [($0, $1.emptied)] }),
    ]
  }

  private static func adding(_ value: Sample) -> @Sendable (Sample) -> Sample {
    { $0.mapMembers { $0 + [("added", value)] } }
  }

  private static let ofTheWhole = [
    ChangeOfResponses("added", adding(.number(1))),
    ChangeOfResponses("added null", adding(.null)),
    ChangeOfResponses("added list", adding(.array([]))),
    ChangeOfResponses("added object", adding(.object([("a", .array([.object([("b", .null)])]))]))),
    ChangeOfResponses("in data") { .object([("data", $0)]) },
    ChangeOfResponses("in data of a page") {
      .object([("page", .number(1)), ("result", .object([("items", $0)]))])
    },
    ChangeOfResponses("in a list") { .array([$0]) },
    ChangeOfResponses("taken out") { body in
      switch body {
      case .array(let elements): elements.first ?? body
      case .object(let members): members.first { $1.isContainer }?.1 ?? body
      default: body
      }
    },
    ChangeOfResponses("empty", \.emptied),
    ChangeOfResponses("null") { _ in .null },
    ChangeOfResponses("a text") { _ in .string("no") },
    ChangeOfResponses("an error") { _ in
      .object([("error", .string("gone")), ("code", .number(1))])
    },
    ChangeOfResponses("all retyped") { $0.mapMembers { $0.map { ($0, $1.retyped) } } },
    ChangeOfResponses("one left") { $0.mapMembers { Array($0.prefix(1)) } },
    ChangeOfResponses("two for another") {
      $0.mapMembers { $0.dropFirst(2) + [("added", .string("x"))] }
    },
    ChangeOfResponses("longer") { body in
      if case .array(let elements) = body { return .array(elements + elements + elements) }
      return body.mapInner { inner in
        if case .array(let elements) = inner { .array(elements + elements) } else { inner }
      }
    },
    ChangeOfResponses("other keys") { $0.mapKeys { $0.uppercased() } },
  ]

  private static let ofInnerValues = [
    ChangeOfResponses("inside: removed") { body in
      body.mapInner { inner in
        switch inner {
        case .array(let elements): .array(Array(elements.dropFirst()))
        case .object(let members): .object(Array(members.dropFirst()))
        default: inner
        }
      }
    },
    ChangeOfResponses("inside: added") { body in
      body.mapInner { inner in
        switch inner {
        case .array(let elements): .array(elements + [.object([("more", .number(1))])])
        case .object(let members): .object(members + [("more", .number(1))])
        default: inner
        }
      }
    },
    ChangeOfResponses("inside: retyped") { body in
      body.mapInner { inner in
        switch inner {
        case .array(let elements): .array(elements.map(\.retyped))
        case .object(let members): .object(members.map { ($0, $1.retyped) })
        default: inner
        }
      }
    },
    ChangeOfResponses("inside: null") { $0.mapInner { $0.mapLeaves { _ in .null } } },
    ChangeOfResponses("inside: empty") { $0.mapInner(\.emptied) },
  ]

  private static let ofValues = [
    ChangeOfResponses("reworded") { $0.mapTexts { "\($0), reworded" } },
    ChangeOfResponses("lower case") { $0.mapTexts { $0.lowercased() } },
    ChangeOfResponses("no text") { $0.mapTexts { _ in "" } },
    ChangeOfResponses("relative") { body in
      body.mapTexts { text in
        text.contains("://") ? text.split(separator: "/").dropFirst(2).joined(separator: "/") : text
      }
    },
    ChangeOfResponses("negative") { $0.mapIntegers { .number(-1 - $0) } },
    ChangeOfResponses("huge") { $0.mapIntegers { _ in .number("1000000000000000001") } },
    ChangeOfResponses("fractional") { $0.mapIntegers { .number("\($0).5") } },
    ChangeOfResponses("dates since 1970") { body in
      body.mapIntegers { .number($0 > 100_000_000 ? $0 + 978_307_200 : $0) }
    },
    ChangeOfResponses("dates as texts") { body in
      body.mapIntegers { $0 > 100_000_000 ? .string("2026-01-01T00:00:00Z") : .number($0) }
    },
  ]
}

extension Sample {
  fileprivate var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}
