import Testing
import UnderstudyContractModel
import UnderstudyCore

/// The only places that secrets may be sent to.
@Suite struct SecretHostTests {
  private static let library = ContractLibrary(reading: [
    "shop/upstream.json": """
    { "baseURL": "https://shop.example/v1",
      "secrets": { "X-Key": "{UNDERSTUDY_SHOP_KEY}", "Authorization": "Bearer {UNDERSTUDY_SHOP_TOKEN}" } }
    """,
    "open/upstream.json": #"{ "baseURL": "https://open.example" }"#,
  ])

  private static func hosts(_ origins: [String: [String]]) throws -> SecretHosts {
    SecretHosts(
      try origins.mapValues { try Set($0.map { try #require(WebURL(base: $0)) }) })
  }

  private static func message(_ body: () throws -> Void) -> [String?] {
    do {
      try body()
      return ["none"]
    } catch let failure as Failure {
      return [failure.message, failure.fix]
    } catch {
      return ["\(error)"]
    }
  }

  @Test("a variable that no upstream has is misspelt")
  func names() throws {
    let upstreams = Self.library.upstreams
    for names in [[], ["UNDERSTUDY_SHOP_KEY"], ["UNDERSTUDY_SHOP_KEY", "UNDERSTUDY_SHOP_TOKEN"]] {
      let hosts = try Self.hosts(Dictionary(uniqueKeysWithValues: names.map { ($0, []) }))
      #expect(Self.message { try hosts.checkNames(of: upstreams) } == ["none"])
    }
    let near = try Self.hosts(["UNDERSTUDY_SHOP_KEYS": [], "UNDERSTUDY_SHOP_KEY": []])
    #expect(
      Self.message { try near.checkNames(of: upstreams) } == [
        "found --secret UNDERSTUDY_SHOP_KEYS, expected a variable of \"secrets\" in an upstream.json",
        "did you mean \"UNDERSTUDY_SHOP_KEY\"?",
      ])
    let far = try Self.hosts(["X": []])
    let message = "found --secret X, expected a variable of \"secrets\" in an upstream.json"
    #expect(
      Self.message { try far.checkNames(of: upstreams) }
        == [message, "known: UNDERSTUDY_SHOP_KEY, UNDERSTUDY_SHOP_TOKEN"])
    #expect(Self.message { try far.checkNames(of: []) } == [message, nil])
  }

  @Test("a secret goes to the places that are named for it, and to no other")
  func places() throws {
    let shop = try #require(Self.library.upstreams.first { $0.name == "shop" })
    let open = try #require(Self.library.upstreams.first { $0.name == "open" })
    let here = try #require(WebURL("https://shop.example/v1/a"))
    let there = try #require(WebURL("https://evil.example/v1/a"))
    let both = try Self.hosts([
      "UNDERSTUDY_SHOP_TOKEN": ["https://shop.example", "https://eu.shop.example"]
    ])
    for url in [here, there] {
      #expect(Self.message { try SecretHosts().check(shop, at: url) } == ["none"])
      #expect(Self.message { try both.check(open, at: url) } == ["none"])
    }
    #expect(Self.message { try both.check(shop, at: here) } == ["none"])
    let found = Self.message { try both.check(shop, at: there) }
    #expect(
      found.last == "correct \"baseURL\", or name this host in --secret, too, if it may get it")
    #expect(
      found.first.map { $0?.split(separator: ": ").last.map(String.init) }
        == .some(
          "found https://evil.example, expected https://eu.shop.example or https://shop.example, the"
            + " only place that may get UNDERSTUDY_SHOP_TOKEN"))
  }
}
