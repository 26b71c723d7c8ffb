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
    "a live case becomes the answer that was sent, whole, or it stays and the reason is said",
    arguments: contracts)
  func whole(contract: Contract) throws {
    var left: Set<String> = []
    var count = 0
    for change in ChangeOfAnswers.all {
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

/// One contract after an update with answers that have changed.
private struct PatchTrial {
  private let change: ChangeOfAnswers
  private let contract: Contract
  private let samples: [ContractChange.Sample]
  private let after: Contract
  private let isChanged: Bool
  let leftOver: [ContractUpdate.Remainder]

  init(_ change: ChangeOfAnswers, of contract: Contract) throws {
    self.change = change
    self.contract = contract
    var update = ContractChange(of: contract, now: Stage.now, isOver: { false })
    for played in contract.cases where played.isLive {
      guard let response = played.response else { continue }
      var body = response.bodyBytes
      if response.status / 100 == 2, let json = response.json {
        body = Array(change.apply(Sample(json)).json.utf8)
      }
      let answer = LiveAnswer(
        status: response.status, headers: response.headers, body: body, latency: .zero)
      let findings = Comparison(
        answer, to: played, of: contract, readers: [], now: Stage.now
      ).findings
      update.samples.append(
        ContractChange.Sample(
          name: played.name, answer: answer, findings: findings, wanted: findings))
    }
    samples = update.samples
    leftOver = update.run()
    isChanged = update.file != nil
    after = try #require(
      contract.edited(
        try JSONDocument(parsing: update.file?.bytes ?? contract.source.document.bytes)))
  }

  var hasFindings: Bool { samples.contains { !$0.findings.isEmpty } }

  func check() throws {
    let left = Set(leftOver.map(\.caseID))
    let story = "\(contract.id), \(change.name): \(leftOver.map(\.reason))"
    if isChanged {
      #expect(contract.problem(broughtBy: after.source.document) == nil, "\(story)")
    }
    #expect(!leftOver.contains { $0.reason.isEmpty || $0.findings.isEmpty }, "\(story)")
    let open = samples.filter { !$0.findings.isEmpty }
    let isAllLeft = open.allSatisfy { left.contains("\(contract.id)#\($0.name)") }
    #expect(isChanged != isAllLeft, "\(story)")
    for sample in samples where !left.contains("\(contract.id)#\(sample.name)") {
      let played = try #require(after.case(named: sample.name))
      let rest = Comparison(
        sample.answer, to: played, of: after, readers: [], now: Stage.now
      ).findings
      #expect(rest.map(\.line) == [], "\(story)")
      // A long answer is cut.
      guard !sample.findings.isEmpty, sample.answer.body.count < 4000,
        let example = played.response?.json
      else { continue }
      #expect(example.isEqual(to: try JSONDocument(parsing: sample.answer.body).root), "\(story)")
    }
    for member in contract.source.document.root.members where member.key != "cases" {
      let now = after.source.document.root[member.key]
      #expect(now.map { $0.compact == member.value.compact } == true, "\(story)")
    }
  }
}

/// One way in which all good answers of an API change.
private struct ChangeOfAnswers: Sendable {
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
      ChangeOfAnswers("removed \(place)", at { _, _ in [] }),
      ChangeOfAnswers("renamed \(place)", at { [("new-\($0)", $1)] }),
      ChangeOfAnswers("null \(place)", at { name, _ in [(name, .null)] }),
      ChangeOfAnswers("retyped \(place)", at { [($0, $1.retyped)] }),
      ChangeOfAnswers("in an object \(place)", at { [($0, .object([("value", $1)]))] }),
      ChangeOfAnswers("in a list \(place)", at { [($0, .array([$1]))] }),
      ChangeOfAnswers("empty \(place)", at { [($0, $1.emptied)] }),
    ]
  }

  private static func adding(_ value: Sample) -> @Sendable (Sample) -> Sample {
    { $0.mapMembers { $0 + [("added", value)] } }
  }

  private static let ofTheWhole = [
    ChangeOfAnswers("added", adding(.number(1))),
    ChangeOfAnswers("added null", adding(.null)),
    ChangeOfAnswers("added list", adding(.array([]))),
    ChangeOfAnswers("added object", adding(.object([("a", .array([.object([("b", .null)])]))]))),
    ChangeOfAnswers("in data") { .object([("data", $0)]) },
    ChangeOfAnswers("in data of a page") {
      .object([("page", .number(1)), ("result", .object([("items", $0)]))])
    },
    ChangeOfAnswers("in a list") { .array([$0]) },
    ChangeOfAnswers("taken out") { body in
      switch body {
      case .array(let elements): elements.first ?? body
      case .object(let members): members.first { $1.isContainer }?.1 ?? body
      default: body
      }
    },
    ChangeOfAnswers("empty", \.emptied),
    ChangeOfAnswers("null") { _ in .null },
    ChangeOfAnswers("a text") { _ in .string("no") },
    ChangeOfAnswers("an error") { _ in .object([("error", .string("gone")), ("code", .number(1))])
    },
    ChangeOfAnswers("all retyped") { $0.mapMembers { $0.map { ($0, $1.retyped) } } },
    ChangeOfAnswers("one left") { $0.mapMembers { Array($0.prefix(1)) } },
    ChangeOfAnswers("two for another") {
      $0.mapMembers { $0.dropFirst(2) + [("added", .string("x"))] }
    },
    ChangeOfAnswers("longer") { body in
      if case .array(let elements) = body { return .array(elements + elements + elements) }
      return body.mapInner { inner in
        if case .array(let elements) = inner { .array(elements + elements) } else { inner }
      }
    },
    ChangeOfAnswers("other keys") { $0.mapKeys { $0.uppercased() } },
  ]

  private static let ofInnerValues = [
    ChangeOfAnswers("inside: removed") { body in
      body.mapInner { inner in
        switch inner {
        case .array(let elements): .array(Array(elements.dropFirst()))
        case .object(let members): .object(Array(members.dropFirst()))
        default: inner
        }
      }
    },
    ChangeOfAnswers("inside: added") { body in
      body.mapInner { inner in
        switch inner {
        case .array(let elements): .array(elements + [.object([("more", .number(1))])])
        case .object(let members): .object(members + [("more", .number(1))])
        default: inner
        }
      }
    },
    ChangeOfAnswers("inside: retyped") { body in
      body.mapInner { inner in
        switch inner {
        case .array(let elements): .array(elements.map(\.retyped))
        case .object(let members): .object(members.map { ($0, $1.retyped) })
        default: inner
        }
      }
    },
    ChangeOfAnswers("inside: null") { $0.mapInner { $0.mapLeaves { _ in .null } } },
    ChangeOfAnswers("inside: empty") { $0.mapInner(\.emptied) },
  ]

  private static let ofValues = [
    ChangeOfAnswers("reworded") { $0.mapTexts { "\($0), reworded" } },
    ChangeOfAnswers("lower case") { $0.mapTexts { $0.lowercased() } },
    ChangeOfAnswers("no text") { $0.mapTexts { _ in "" } },
    ChangeOfAnswers("relative") { body in
      body.mapTexts { text in
        text.contains("://") ? text.split(separator: "/").dropFirst(2).joined(separator: "/") : text
      }
    },
    ChangeOfAnswers("negative") { $0.mapIntegers { .number(-1 - $0) } },
    ChangeOfAnswers("huge") { $0.mapIntegers { _ in .number("1000000000000000001") } },
    ChangeOfAnswers("fractional") { $0.mapIntegers { .number("\($0).5") } },
    ChangeOfAnswers("dates since 1970") { body in
      body.mapIntegers { .number($0 > 100_000_000 ? $0 + 978_307_200 : $0) }
    },
    ChangeOfAnswers("dates as texts") { body in
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
