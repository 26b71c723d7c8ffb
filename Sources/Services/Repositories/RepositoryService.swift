public import UnderstudyClient

/// Repositories on GitHub.
///
/// The example with pages and a token: `Links` finds the next page, and
/// `RepositoryService+Organisations` calls for several organisations at once. The token goes to
/// addresses below the base URL only.
public protocol RepositoryService: Sendable {
  /// The repositories of an organisation, from all pages.
  func repositories(of organisation: String) async throws(ServiceError) -> [Repository]
  /// The repositories from an address, all pages; fails without a request if it is not the
  /// upstream's.
  func repositories(from url: String) async throws(ServiceError) -> [Repository]
  func repository(owner: String, name: String) async throws(ServiceError) -> Repository
}

/// Asks GitHub's REST API, version 2022-11-28.
public struct LiveRepositoryService: RepositoryService {
  private static let pageCountMax = 1_000
  private static let perPage = 100

  private let client: UpstreamClient
  private let followsLinksOutside: Bool

  /// - Parameters:
  ///   - token: goes with every request to the base URL's own addresses, and to no other.
  ///   - followsLinksOutside: whether a page may lead to an address that is not beneath `baseURL`.
  public init(
    _ wiring: Wiring = .shared, baseURL: WebURL = .gitHub, token: String? = nil,
    followsLinksOutside: Bool = false
  ) {
    client = UpstreamClient(
      baseURL, wiring,
      headers: [
        ("Accept", "application/vnd.github+json"), ("X-GitHub-Api-Version", "2022-11-28"),
      ],
      secrets: token.map { [("Authorization", "Bearer \($0)")] } ?? [],
      limitsRate: true)
    self.followsLinksOutside = followsLinksOutside
  }

  public func repositories(of organisation: String) async throws(ServiceError) -> [Repository] {
    try await pages(
      from: client.baseURL.appending(
        "orgs", organisation, "repos", query: [("per_page", String(Self.perPage))]))
  }

  public func repositories(from url: String) async throws(ServiceError) -> [Repository] {
    guard let first = WebURL(url), admits(first) else { throw .invalidURL(url) }
    return try await pages(from: first)
  }

  public func repository(
    owner: String, name: String
  ) async throws(ServiceError) -> Repository {
    try await client.get(
      Repository.self, client.baseURL.appending("repos", owner, name), revalidates: true)
  }

  /// Follows the links from page to page. An item that moves to the next page meanwhile appears
  /// twice and counts once.
  private func pages(from first: WebURL) async throws(ServiceError) -> [Repository] {
    var repositories: [Repository] = []
    var visited: Set<WebURL> = []
    var next: WebURL? = first
    while let url = next {
      guard visited.count < Self.pageCountMax else {
        throw .invalidData("more than \(Self.pageCountMax) pages, expected fewer")
      }
      guard visited.insert(url).inserted else {
        throw .invalidData("found a link back to \(url), expected one to a new page")
      }
      let response = try await client.get(url, revalidates: true)
      repositories += try client.value([Repository].self, in: response)
      next = try following(response)
    }
    return repositories.unique(by: \.fullName)
  }

  private func following(_ response: ClientResponse) throws(ServiceError) -> WebURL? {
    let lines = response.headers.values(of: "Link")
    guard !lines.isEmpty else { return nil }
    let text = lines.joined(separator: ", ")
    guard let links = Links(text) else {
      throw .invalidData("found the header \"Link: \(text)\", expected links")
    }
    guard let target = links["next"] else { return nil }
    guard let url = WebURL(target), admits(url) else {
      throw .invalidData("found a link to \(target), expected one below \(client.baseURL)")
    }
    return url
  }

  private func admits(_ url: WebURL) -> Bool {
    followsLinksOutside || client.baseURL.contains(url)
  }
}
