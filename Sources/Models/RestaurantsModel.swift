import Observation
package import UnderstudyServices

/// Restaurants and favorites, and the way from one to the other.
///
/// While it loads, another load is ignored; while a restaurant moves, so is another move of it. A
/// failure changes nothing but the alert, and what is cancelled not even that. Of several errors the
/// first is shown, and each of the others when the one before is dismissed; a load that succeeds
/// takes those of loads away.
///
/// The article that this follows stays at `.pending` when a load fails, and shows the last error alone.
/// That is the same for a first load. For a later one it would hide lists that are still good, and of
/// two moves that fail the first would go unsaid.
@MainActor @Observable
package final class RestaurantsModel: StatefulModel {
  package enum Status: Hashable, Sendable {
    case pending
    case empty
    case loaded(restaurants: [Restaurant], favorites: [Restaurant])
  }

  package struct ErrorDetails: Hashable, Sendable {
    package let title: String
    package let message: String
    /// Whether the alert offers to load again.
    package let isRetry: Bool

    package init(title: String, message: String, isRetry: Bool) {
      self.title = title
      self.message = message
      self.isRetry = isRetry
    }
  }

  package struct State: Hashable, Sendable {
    package var status = Status.pending
    /// By name: those that are on their way from one list to the other.
    package var pendingNames: Set<String> = []
    package var selected: Restaurant?
    /// The one that is shown comes first.
    package var errors: [ErrorDetails] = []

    package init(
      _ status: Status = .pending, pendingNames: Set<String> = [], errors: [ErrorDetails] = []
    ) {
      self.status = status
      self.pendingNames = pendingNames
      self.errors = errors
    }
  }

  package static let emptyMessage = "There are no restaurants here yet"
  package static let emptyImageName = "no-restaurants"

  package private(set) var state = State()
  @ObservationIgnored private var isLoading = false
  @ObservationIgnored private var movesWhileLoading: [Move] = []
  private let service: any RestaurantService
  private let stream = StateStream(State())

  package init(service: any RestaurantService) {
    self.service = service
  }

  package var states: AsyncStream<State> { stream.listen() }
  package var status: Status { state.status }
  package var errorDetails: ErrorDetails? { state.errors.first }
  package var isPresentAlert: Bool { errorDetails != nil }
  package var selectedRestaurant: Restaurant? { state.selected }
  package var isPushToDetailsView: Bool { state.selected != nil }

  package func isPending(_ restaurant: Restaurant) -> Bool {
    state.pendingNames.contains(restaurant.name)
  }

  package func load() async {
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

  /// Lists that were asked for before a restaurant moved may not know of it.
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
  package func retry() async {
    dismissAlert()
    await load()
  }

  package func dismissAlert() {
    change { if !$0.errors.isEmpty { $0.errors.removeFirst() } }
  }

  /// Pushes the details of a restaurant; `nil` pops them.
  package func select(_ restaurant: Restaurant?) {
    change { $0.selected = restaurant }
  }

  package func addToFavorites(_ restaurant: Restaurant) async {
    await move(restaurant) { service throws(ServiceError) in
      .add(try await service.addFavorite(named: restaurant.name))
    }
  }

  package func deleteFromFavorites(_ restaurant: Restaurant) async {
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

/// A restaurant's way from one list to the other, as the service confirmed it.
private enum Move {
  case add(Restaurant)
  case delete(Restaurant)

  /// The same however often it is applied.
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
