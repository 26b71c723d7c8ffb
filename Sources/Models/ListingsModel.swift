public import Observation
public import UnderstudyClient
public import UnderstudyServices

/// The dogs for sale, with pull to refresh.
///
/// A refresh while one runs is ignored. A failed refresh empties the list and shows the reason; a
/// cancelled one keeps the list.
@MainActor @Observable
public final class ListingsModel: StatefulModel {
  /// All that the screen shows.
  public struct State: Hashable, Sendable {
    public var isRefreshing = false
    public var viewModels: [ListingViewModel] = []
    /// Empty when there is nothing to say.
    public var errorMessage = ""

    public init(
      isRefreshing: Bool = false, viewModels: [ListingViewModel] = [], errorMessage: String = ""
    ) {
      self.isRefreshing = isRefreshing
      self.viewModels = viewModels
      self.errorMessage = errorMessage
    }
  }

  public private(set) var state = State()
  /// The refresh that runs.
  @ObservationIgnored public private(set) var task: Task<Void, Never>?
  @ObservationIgnored private var refreshCount = 0
  private let service: any DogPatchService
  private let stream = StateStream(State())

  public init(service: any DogPatchService) {
    self.service = service
  }

  deinit { task?.cancel() }

  public var states: AsyncStream<State> { stream.listen() }
  public var viewModels: [ListingViewModel] { state.viewModels }
  public var isRefreshing: Bool { state.isRefreshing }

  public func refresh() {
    guard task == nil else { return }
    refreshCount += 1
    change {
      $0.isRefreshing = true
      $0.errorMessage = ""
    }
    // Waiting for the response must not keep the model alive.
    task = Task { [weak self, service, number = refreshCount] in
      do throws(ServiceError) {
        let listings = try await service.dogs()
        self?.finish(number) { $0.viewModels = listings.map(ListingViewModel.init) }
      } catch {
        self?.finish(number) {
          guard !error.isCancellation else { return }
          ($0.viewModels, $0.errorMessage) = ([], error.message)
        }
      }
    }
  }

  public func cancel() {
    guard let task else { return }
    task.cancel()
    self.task = nil
    change { $0.isRefreshing = false }
  }

  /// Ignores a cancelled refresh, since another may be running.
  private func finish(_ number: Int, _ step: (inout State) -> Void) {
    guard task != nil, number == refreshCount else { return }
    task = nil
    change {
      $0.isRefreshing = false
      step(&$0)
    }
  }

  private func change(_ step: (inout State) -> Void) {
    step(&state)
    stream.send(state)
  }
}

/// One line of the list.
public struct ListingViewModel: Hashable, Sendable {
  public let id: String
  public let name: String
  public let breed: String
  /// `$399.99`
  public let price: String
  public let imageURL: WebURL

  public init(_ listing: Listing) {
    id = listing.id
    name = listing.name
    breed = listing.breed
    let cents = Int(exactly: (listing.cost * 100).rounded()) ?? 0
    price = "$\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
    imageURL = listing.imageURL
  }
}
