import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON

/// The stubs for one method and shape of path, which become a contract.
struct WireMockEndpoint {
  let method: String
  /// The path with the names of the contract's parameters.
  private(set) var path: WireMockURL.Path
  private(set) var candidates: [WireMockCandidate] = []

  init(_ first: WireMockCandidate) {
    method = first.method
    path = first.path
    add(first)
  }

  mutating func add(_ candidate: WireMockCandidate) {
    for (index, name) in candidate.path.names where path.names[index] == nil {
      path.names[index] = name
    }
    candidates.append(candidate)
  }

  /// `things-id`, with the method unless it is GET.
  var stem: String {
    let words = path.segments.enumerated().map { ($1?.decodedQuery ?? path.name(of: $0)).slug }
    let named = (words + (path.hasTail ? ["rest"] : [])).filter { !$0.isEmpty }
    let stem = named.isEmpty ? "root" : named.joined(separator: "-")
    let whole = method == "GET" ? stem : "\(method.lowercased())-\(stem)"
    return String(decoding: whole.utf8.prefix(80), as: UTF8.self).slug
  }

  /// A contract, and what did not fit.
  func contract(
    _ response: (WireMockCandidate, WireMockURL.Path) throws(WireMockStub.Unusable) ->
      WireMockResponse
  ) -> WireMockContract {
    var notes: [ImportNote] = []
    let served = served(response, &notes)
    let conditions = served.map { self.conditions(of: $0.candidate) }
    let common = Self.common(conditions)
    let bodies = Set(served.map { $0.candidate.body })
    let body = bodies.count == 1 ? bodies.first ?? nil : nil
    let commonKeys = Set(common.map(\.key))
    var names = UniqueNames()
    var defaultName: String?
    var asked: Set<JSONText> = []
    var cases: [CaseDraft] = []
    for (index, (candidate, response)) in served.enumerated() {
      var when = candidate.when(
        conditions[index].filter { !commonKeys.contains($0.key) },
        body: body == nil ? candidate.body : nil)
      let isAsked = when.map { !asked.insert($0).inserted } ?? false
      let name = names.name(response.stem(of: candidate.stub))
      if defaultName != nil || isAsked {
        notes.append(
          candidate.stub.note(.skipped, because: "an earlier stub matches all of its requests"))
        when = nil
      } else if when == nil {
        defaultName = name
      }
      cases.append(response.draft(of: candidate, named: name, when: when))
    }
    let parameters = common.map { ($0.key, $0.condition as JSONText?) }
    // Without a default case, a request that no case asks for is not served.
    let byDefault = defaultName.map { JSONText.string($0) } ?? .null
    let draft = ContractDraft(
      named: stem,
      [
        "summary": "Imported from WireMock: \(method) \(path.template)",
        "request": [
          "method": .string(method), "path": .string(path.template),
          "parameters": common.isEmpty ? nil : .object(parameters),
          "body": body,
        ],
        "default": defaultName == cases.first?.name ? nil : byDefault,
      ], cases: cases, [WireMockContract.originKey: .string(WireMockContract.origin)],
      files: Self.unique(served.compactMap(\.response.file)))
    return WireMockContract(
      draft: draft, stubs: served.map(\.candidate.stub), notes: notes,
      nameStepCount: names.stepCount)
  }

  /// The stubs that a case can be made of, in the order in which they match.
  private func served(
    _ response: (WireMockCandidate, WireMockURL.Path) throws(WireMockStub.Unusable) ->
      WireMockResponse,
    _ notes: inout [ImportNote]
  ) -> [(candidate: WireMockCandidate, response: WireMockResponse)] {
    var served: [(candidate: WireMockCandidate, response: WireMockResponse)] = []
    for candidate in candidates.sorted(by: WireMockCandidate.precedes) {
      do throws(WireMockStub.Unusable) {
        let response = try response(candidate, path)
        notes += response.notes.map { candidate.stub.note($0, $1, because: $2) }
        served.append((candidate, response))
      } catch {
        notes.append(candidate.stub.note(.leftOut, error.pointer, because: error.reason))
      }
    }
    return served
  }

  private static func unique(
    _ files: [(path: String, bytes: [UInt8])]
  ) -> [(path: String, bytes: [UInt8])] {
    var paths: Set<String> = []
    return files.filter { paths.insert($0.path).inserted }
  }

  private func conditions(
    of candidate: WireMockCandidate
  ) -> [(key: String, condition: JSONText)] {
    let patterns = candidate.path.patterns.sorted { $0.key < $1.key }.map { index, pattern in
      (key: "path.\(path.name(of: index))", condition: ["matches": .string(pattern)] as JSONText)
    }
    return patterns + candidate.parameters
  }

  private struct Asked: Hashable {
    let key: String
    let condition: JSONText

    init(_ asked: (key: String, condition: JSONText)) {
      (key, condition) = (asked.key, asked.condition)
    }
  }

  /// The conditions that all have. That there is no further query parameter is only common where
  /// all name the same ones.
  private static func common(
    _ all: [[(key: String, condition: JSONText)]]
  ) -> [(key: String, condition: JSONText)] {
    guard let first = all.first else { return [] }
    let shared = all.dropFirst().reduce(into: Set(first.map(Asked.init))) { shared, own in
      shared.formIntersection(own.map(Asked.init))
    }
    var common = first.filter { shared.contains(Asked($0)) }
    let keys = Set(common.map(\.key))
    let hasOtherQuery = all.contains {
      $0.contains { $0.key.hasPrefix("query.") && !keys.contains($0.key) }
    }
    if hasOtherQuery { common.removeAll { $0.key == "query.*" } }
    return common
  }
}

extension WireMockCandidate {
  /// What its case asks of a request beyond what the contract asks; `nil` for nothing.
  fileprivate func when(
    _ conditions: [(key: String, condition: JSONText)], body: JSONText?
  ) -> JSONText? {
    let request = conditions.map { ($0.key, $0.condition as JSONText?) } + [("body", body)]
    let asks = !conditions.isEmpty || body != nil
    guard asks || state != nil else { return nil }
    return ["request": asks ? .object(request) : nil, "state": state]
  }
}

/// A contract made of stubs.
struct WireMockContract {
  static let originKey = "x-import"
  static let origin = "wiremock"

  var draft: ContractDraft
  /// The stubs of its cases, in order.
  let stubs: [WireMockStub]
  var notes: [ImportNote] = []
  /// How many names were tried for its cases, for tests.
  var nameStepCount = 0
}
