public import UnderstudyClient

/// The dogs for sale.
///
/// The example of a date that has changed its meaning: `Listing` has a `ReferenceDate`, which
/// counts from 2001 where it counted from 1970 before. No type check sees that, so a date that is
/// not plausible is an error of the service.
public protocol DogPatchService: Sendable {
  /// The oldest first, as the API sorts them.
  func dogs() async throws(ServiceError) -> [Listing]
}

/// Asks DogPatch.
public struct LiveDogPatchService: DogPatchService {
  private let client: UpstreamClient
  private let now: @Sendable () -> Moment

  /// - Parameter now: dates are plausible or not by it.
  public init(
    _ wiring: Wiring = .shared, baseURL: WebURL = .dogPatch,
    now: @escaping @Sendable () -> Moment = { .now }
  ) {
    client = UpstreamClient(baseURL, wiring)
    self.now = now
  }

  public func dogs() async throws(ServiceError) -> [Listing] {
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
