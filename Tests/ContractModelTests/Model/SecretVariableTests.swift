import Testing

@testable import UnderstudyContractModel

/// Which variables an upstream's secrets may come from.
@Suite struct SecretVariableTests {
  /// What lint says of a secret of one upstream, beside the others.
  private static func findings(
    _ variable: String, of upstream: String, beside others: [String]
  ) -> [String] {
    var files: [String: String] = [:]
    for name in others + [upstream] {
      files["\(name)/upstream.json"] = "{ \"baseURL\": \"https://\(name).example\" }"
      files["\(name)/thing.json"] = Sample.thing
    }
    files["\(upstream)/upstream.json"] = """
      { "baseURL": "https://\(upstream).example", "secrets": { "X-Key": "{\(variable)}" } }
      """
    let library = ContractLibrary(reading: files)
    let sent = library.upstreams.flatMap(\.secrets).map(\.environmentName)
    let findings = library.findings.filter { $0.type == .secret }
    #expect(sent == (findings.isEmpty ? [variable] : []), "what lint refuses is never sent")
    return findings.map { "\($0.message); \($0.fix ?? "")" }
  }

  @Test(
    "has the name of its upstream, dashes as underscores",
    arguments: [
      ("UNDERSTUDY_DOG_CEO_TOKEN", "dog-ceo"), ("UNDERSTUDY_DOG_CEO_A", "dog-ceo"),
      ("UNDERSTUDY_DOG_KEY_2", "dog"), ("UNDERSTUDY_DOG_CEO_IMAGES_KEY", "dog-ceo-images"),
      ("UNDERSTUDY_DOG_CEO_IMAGE_KEY", "dog-ceo"), ("UNDERSTUDY_ADMIN_KEY", "admin"),
      ("UNDERSTUDY_A__B_KEY", "a--b"),
    ])
  func own(variable: String, upstream: String) {
    #expect(
      Self.findings(variable, of: upstream, beside: ["dog", "dog-ceo", "dog-ceo-images"]) == [])
  }

  @Test(
    "of upstreams whose names begin alike, the longest that fits has a variable",
    arguments: [
      ("UNDERSTUDY_DOG_CEO_TOKEN", "dog", "dog-ceo"),
      ("UNDERSTUDY_DOG_CEO_IMAGES_KEY", "dog-ceo", "dog-ceo-images"),
      ("UNDERSTUDY_DOG_CEO_IMAGES_KEY", "dog", "dog-ceo-images"),
      ("UNDERSTUDY_DOG_TOKEN", "dog-ceo", "dog"),
    ])
  func others(variable: String, upstream: String, owner: String) {
    let start = upstream.uppercased().replacing("-", with: "_")
    #expect(
      Self.findings(variable, of: upstream, beside: ["dog", "dog-ceo", "dog-ceo-images"]) == [
        "found {\(variable)}, which belongs to \(owner), expected a variable of \(upstream):"
          + " {UNDERSTUDY_\(start)_…}; name another one, such as {UNDERSTUDY_\(start)_TOKEN}"
      ])
  }

  @Test("a variable without a word of its own belongs to nobody")
  func bare() {
    #expect(
      Self.findings("UNDERSTUDY_DOG_", of: "dog", beside: []) == [
        "found {UNDERSTUDY_DOG_}, expected a variable of dog: {UNDERSTUDY_DOG_…};"
          + " name another one, such as {UNDERSTUDY_DOG_TOKEN}"
      ])
  }

  @Test(
    "proposes one that neither the tool nor another upstream has",
    arguments: [
      ("admin", [], "UNDERSTUDY_ADMIN_KEY"), ("dog", ["dog-token"], "UNDERSTUDY_DOG_TOKEN"),
      ("url", [], nil),
    ] as [(String, Set<String>, String?)])
  func example(upstream: String, others: Set<String>, expected: String?) {
    #expect(SecretVariable.example(for: upstream, among: others) == expected)
  }

  @Test("an upstream whose variables are all the tool's own has to be renamed")
  func unusable() {
    #expect(
      Self.findings("UNDERSTUDY_URL_KEY", of: "url", beside: []) == [
        "found {UNDERSTUDY_URL_KEY}, which belongs to the tool itself, expected a variable of url:"
          + " {UNDERSTUDY_URL_…}; rename the upstream"
      ])
  }
}
