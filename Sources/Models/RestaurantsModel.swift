public import Observation
public import UnderstudyServices

/// Restaurants and favorites, and moves between the two lists.
///
/// While it loads, another load is ignored; while a restaurant moves, another move of it is
/// ignored. A failure changes only the alert, and a cancellation changes nothing. Errors are shown
/// one at a time, each when the one before is dismissed; a successful load removes those of loads.
///
/// The article that this follows stays at `.pending` when a load fails, and shows only the last
/// error. For a first load that is equivalent. Later it would hide valid lists, and the first of
/// two failed moves.
@MainActor @Observable
public final class RestaurantsModel: StatefulModel {
  /// How far loading has come.
  public enum Status: Hashable, Sendable {
    case pending
    case empty
    case loaded(restaurants: [Restaurant], favorites: [Restaurant])
  }

  /// An alert, as the screen shows it.
  public struct ErrorDetails: Hashable, Sendable {
    public let title: String
    public let message: String
    /// Whether the alert offers to load again.
    public let isRetry: Bool

    public init(title: String, message: String, isRetry: Bool) {
      self.title = title
      self.message = message
      self.isRetry = isRetry
    }
  }

  /// All that the screen shows.
  public struct State: Hashable, Sendable {
    public var status = Status.pending
    /// By name: those that are on their way from one list to the other.
    public var pendingNames: Set<String> = []
    public var selected: Restaurant?
    /// The one that is shown comes first.
    public var errors: [ErrorDetails] = []

    public init(
      _ status: Status = .pending, pendingNames: Set<String> = [], errors: [ErrorDetails] = []
    ) {
      self.status = status
      self.pendingNames = pendingNames
      self.errors = errors
    }
  }

  public static let emptyMessage = "There are no restaurants here yet"
  public static let emptyImageName = "no-restaurants"

  public private(set) var state = State()
  @ObservationIgnored private var isLoading = false
  @ObservationIgnored private var movesWhileLoading: [Move] = []
  private let service: any RestaurantService
  private let stream = StateStream(State())

  public init(service: any RestaurantService) {
    self.service = service
  }

  public var states: AsyncStream<State> { stream.listen() }
  public var status: Status { state.status }
  public var errorDetails: ErrorDetails? { state.errors.first }
  public var isPresentAlert: Bool { errorDetails != nil }
  public var selectedRestaurant: Restaurant? { state.selected }
  public var isPushToDetailsView: Bool { state.selected != nil }

  public func isPending(_ restaurant: Restaurant) -> Bool {
    state.pendingNames.contains(restaurant.name)
  }

  public func load() async {
    guard !isLoading else { return }
    (isLoading, movesWhileLoading) = (true, [])
    let before = state.status
    change { $0.status = .pending }
    do throws(ServiceError) {
      let lists = try await service.load()
      finishLoading(with: Status(lists))
    } catch {
      finishLoading(with: before, error)
    }
  }

  /// Lists requested before a restaurant moved may not include the move.
  private func finishLoading(with status: Status, _ error: ServiceError? = nil) {
    isLoading = false
    change {
      $0.status = movesWhileLoading.reduce(status) { $1.applied(to: $0) }
      if let error {
        $0.report(error, isRetry: true)
      } else {
        $0.errors.removeAll(where: \.isRetry)
      }
    }
  }

  /// Dismisses the alert that offers it, and loads again.
  public func retry() async {
    dismissAlert()
    await load()
  }

  public func dismissAlert() {
    change { if !$0.errors.isEmpty { $0.errors.removeFirst() } }
  }

  /// Pushes the details of a restaurant; `nil` pops them.
  public func select(_ restaurant: Restaurant?) {
    change { $0.selected = restaurant }
  }

  public func addToFavorites(_ restaurant: Restaurant) async {
    await move(restaurant) { service throws(ServiceError) in
      .add(try await service.addFavorite(named: restaurant.name))
    }
  }

  public func deleteFromFavorites(_ restaurant: Restaurant) async {
    await move(restaurant) { service throws(ServiceError) in
      .delete(try await service.deleteFavorite(named: restaurant.name))
    }
  }

  private func move(
    _ restaurant: Restaurant,
    by ask: (any RestaurantService) async throws(ServiceError) -> Move
  ) async {
    guard !isPending(restaurant) else { return }
    change { $0.pendingNames.insert(restaurant.name) }
    do throws(ServiceError) {
      let move = try await ask(service)
      if isLoading { movesWhileLoading.append(move) }
      change {
        $0.pendingNames.remove(restaurant.name)
        $0.status = move.applied(to: $0.status)
      }
    } catch {
      change {
        $0.pendingNames.remove(restaurant.name)
        $0.report(error, isRetry: false)
      }
    }
  }

  private func change(_ step: (inout State) -> Void) {
    step(&state)
    stream.send(state)
  }
}

/// A move of a restaurant, as confirmed by the service.
private enum Move {
  case add(Restaurant)
  case delete(Restaurant)

  /// Idempotent.
  func applied(to status: RestaurantsModel.Status) -> RestaurantsModel.Status {
    var (restaurants, favorites): ([Restaurant], [Restaurant]) = ([], [])
    switch status {
    case .pending: return status
    case .empty: break
    case .loaded(let loaded, let loadedFavorites):
      (restaurants, favorites) = (loaded, loadedFavorites)
    }
    switch self {
    case .add(let restaurant):
      restaurants.removeAll { $0.name == restaurant.name }
      if !favorites.contains(where: { $0.name == restaurant.name }) { favorites.append(restaurant) }
    case .delete(let restaurant):
      favorites.removeAll { $0.name == restaurant.name }
      if !restaurants.contains(where: { $0.name == restaurant.name }) {
        restaurants.append(restaurant)
      }
    }
    return .loaded(restaurants: restaurants, favorites: favorites)
  }
}

extension RestaurantsModel.Status {
  fileprivate init(_ lists: RestaurantLists) {
    self =
      lists.isEmpty
      ? .empty : .loaded(restaurants: lists.restaurants, favorites: lists.favorites)
  }
}

extension RestaurantsModel.State {
  fileprivate mutating func report(_ error: ServiceError, isRetry: Bool) {
    guard !error.isCancellation else { return }
    errors.append(.init(title: "Request Failed", message: error.message, isRetry: isRetry))
  }
}
