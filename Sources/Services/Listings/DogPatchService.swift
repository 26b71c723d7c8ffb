import UnderstudyClient
package import UnderstudyCore

/// The dogs for sale.
package protocol DogPatchService: Sendable {
  /// The oldest first, as the API sorts them.
  func dogs() async throws(ServiceError) -> [Listing]
}

/// Asks DogPatch.
package struct LiveDogPatchService: DogPatchService {
  private let client: UpstreamClient
  private let now: @Sendable () -> Moment

  /// - Parameter now: dates are plausible or not by it.
  package init(
    _ wiring: Wiring = .shared, baseURL: WebURL = .dogPatch,
    now: @escaping @Sendable () -> Moment = { .now }
  ) {
    client = UpstreamClient(baseURL, wiring)
    self.now = now
  }

  package func dogs() async throws(ServiceError) -> [Listing] {
    let listings = try await client.get([Listing].self, client.baseURL.appending("dogs"))
    let now = now()
    for (index, listing) in listings.enumerated() {
      for (key, date) in [("birthday", listing.birthday), ("created", listing.created)]
      where !date.isPlausible(now: now) {
        throw .invalidData(
          "/\(index)/\(key): found \(date.seconds), expected seconds since 2001 that are neither"
            + " over a year from now nor before 1981")
      }
    }
    return listings.unique(by: \.id)
  }
}
