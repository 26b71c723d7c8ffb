import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyInterchange
import UnderstudyJSON
import UnderstudySystem

// Requests that were received.
extension AdminWork {
  func journalResponse(_ route: AdminRoute) async -> OwnResponse {
    do throws(AdminRefusal) {
      return try await journalResponseOrRefuse(route)
    } catch {
      return error.response
    }
  }

  private func journalResponseOrRefuse(
    _ route: AdminRoute
  ) async throws(AdminRefusal) -> OwnResponse {
    switch route {
    case .listRequests: return try await listRequests()
    case .deleteRequests:
      await server.forgetRequests(session: session)
      return .emptyObject
    case .resetRequests:
      await server.forgetRequests(session: session)
      return .empty(200)
    case .count:
      let pattern = try requestPattern(try body())
      let count = await entries().count { pattern.matches($0.request) }
      return .json(
        .object([("count", .int(api.options.keepsJournal ? count : -1)), disabled]))
    case .find:
      let pattern = try requestPattern(try body())
      let found = await entries().filter { pattern.matches($0.request) }
      return .json(.object([("requests", .array(found.map { logged($0).json })), disabled]))
    case .remove:
      let pattern = try requestPattern(try body())
      return await remove { pattern.matches($0.request) }
    case .removeOfStubs:
      let pattern = try contentPattern()
      return await remove { entry in
        (event(entry).stub?.root?["metadata"]).map { pattern.matches(content: $0.compact) } ?? false
      }
    case .unmatched:
      let found = await entries().filter(\.isUnmatched).reversed()
      return .json(.object([("requests", .array(found.map { logged($0).json })), disabled]))
    case .nearOfUnmatched:
      let missed = await entries().filter(\.isUnmatched)
      return .json(
        nearMisses(missed.reversed().flatMap { nearMisses(of: $0.request, logged($0).json) }))
    case .nearOfPattern: return try await nearOfPattern()
    case .getRequest:
      let number = try number()
      guard let entry = await entries().first(where: { $0.sequence == number }) else {
        throw .unknown
      }
      return .json(event(entry).json)
    case .deleteRequest:
      if let number = try number() { await server.forgetRequests([number], session: session) }
      return .emptyObject
    case .reset: return await resetAll()
    case .stopRecording: return try stopRecording()
    case .snapshot: return try await takeSnapshot()
    case .unmatchedStubs: return .json(Self.list(await unmatchedStubs()))
    case .deleteUnmatched:
      let ids = Set(await unmatchedStubs().map(\.id))
      change { _ = $0.remove { ids.contains($0.id) } }
      return .emptyObject
    default: throw .unknown
    }
  }

  /// Oldest first.
  private func entries() async -> [JournalEntry] {
    guard api.options.keepsJournal else { return [] }
    let entries = await server.journal(JournalQuery { $0.session = session })
    return showsSecrets ? entries : entries.map { $0.masked(by: server.mask) }
  }

  private var disabled: (key: String, value: JSONText?) {
    ("requestJournalDisabled", .bool(!api.options.keepsJournal))
  }

  private func logged(_ entry: JournalEntry) -> LoggedRequest {
    LoggedRequest(
      entry.request, at: entry.receivedAt,
      origin: Origin(isSecure: entry.record.isSecure, authority: server.origin.authority))
  }

  func event(_ entry: JournalEntry) -> ServeEvent {
    let name = entry.contract.flatMap { $0.split(separator: "/").last }.map(String.init)
    return ServeEvent(
      entry: entry, request: logged(entry), stub: name.flatMap(table.stub(ofContract:)))
  }

  private func number() throws(AdminRefusal) -> UInt64? { StubID.requestNumber(try id()) }

  private func requestPattern(_ root: JSONValue) throws(AdminRefusal) -> StubPattern {
    guard root.kind == .object else {
      throw .wrong("", "found \(root.summary), expected a request pattern")
    }
    // All requests came to this port.
    let isOfPort = root["port"]?.int == Int(server.address.port)
    let asked = JSONText.object(
      root.members.filter { $0.key != "port" || !isOfPort }.map { ($0.key, .value($0.value)) })
    do throws(StubRefusal) {
      return try StubPattern(StubText.pattern(asked.root ?? .null).root ?? .null)
    } catch {
      throw AdminRefusal(error)
    }
  }

  private func listRequests() async throws(AdminRefusal) -> OwnResponse {
    let options = ListOptions(request)
    let (since, stub) = (try options.since(), try options.stub())
    let all = await entries()
    var events = all.reversed().map { event($0) }
    if options.isUnmatched { events = events.filter(\.entry.isUnmatched) }
    if let stub { events = events.filter { $0.stub?.root?["id"]?.string?.lowercased() == stub } }
    let total = events.count
    if let since { events = events.filter { $0.entry.receivedAt > since } }
    let shown = try options.page(of: events)
    return .json(
      .object([
        ("requests", .array(shown.map(\.json))), ("meta", ["total": .int(total)]),
        disabled,
      ]))
  }

  private func remove(where isMeant: (JournalEntry) -> Bool) async -> OwnResponse {
    let removed = await entries().filter(isMeant)
    let events = removed.map { event($0).json }
    if !removed.isEmpty {
      await server.forgetRequests(Set(removed.map(\.sequence)), session: session)
    }
    return .json(["serveEvents": .array(events)])
  }

  private func unmatchedStubs() async -> [StubTable.Stub] {
    let served = Set(await entries().compactMap(\.contract))
    return table.stubs.reversed().filter { $0.contracts.allSatisfy { !served.contains($0.id) } }
  }

  // MARK: - Near misses

  private static let nearestCountMax = 3

  private func nearMisses(_ texts: [JSONText]) -> JSONText {
    ["nearMisses": .array(texts)]
  }

  /// The stubs nearest to a request.
  func nearMisses(of request: Request, _ logged: JSONText) -> [JSONText] {
    var named = request
    named.path = "/\(WireMockLibrary.upstreamName)\(request.path)"
    var seen: [JSONText] = []
    return server.explain(named, session: session).nearMisses.compactMap { near in
      guard let stub = table.stub(ofContract: near.contract.name), !seen.contains(stub) else {
        return nil
      }
      seen.append(stub)
      return ["request": logged, "stubMapping": stub, "matchResult": Self.result(near.distance)]
    }
  }

  private static func result(_ distance: Int) -> JSONText {
    ["distance": .double(Double(distance) / Double(distance + 16))]
  }

  private func nearOfPattern() async throws(AdminRefusal) -> OwnResponse {
    let root = try body()
    let pattern = try requestPattern(root)
    let shown = StubText.pattern(root)
    let nearest = await entries().reversed().map { ($0, pattern.distance(to: $0.request)) }
      .sorted { $0.1 < $1.1 }.prefix(Self.nearestCountMax)
    return .json(
      nearMisses(
        nearest.map { entry, distance in
          [
            "request": logged(entry).json, "requestPattern": shown,
            "matchResult": Self.result(distance),
          ]
        }))
  }

  func nearOfRequest() throws(AdminRefusal) -> OwnResponse {
    let root = try body()
    guard let url = root["url"]?.string else {
      throw .wrong("", "no url, expected a request")
    }
    let headers = (root["headers"] ?? .null).members.flatMap { member in
      let values = member.value.string.map { [$0] } ?? member.value.elements.compactMap(\.string)
      return values.map { HeaderField(name: member.key, value: $0) }
    }
    let asked = Request(
      root["method"]?.string ?? "ANY", url, headers: headers,
      body: Array((root["body"]?.string ?? "").utf8))
    return .json(nearMisses(nearMisses(of: asked, .value(root))))
  }
}
