import UnderstudyModels
import UnderstudyServices

/// Three dogs at random.
final class DogsApp: App {
  let model: DogsModel
  private let showsPictures: Bool

  /// - Parameter showsPictures: whether the service has an address for pictures.
  init(service: any DogService, showsPictures: Bool) {
    model = DogsModel(service: service)
    self.showsPictures = showsPictures
  }

  func appear() async {
    await model.load()
    await loadPictures()
  }

  func press(_ key: Character) async {
    guard key == "r" else { return }
    await model.retry()
    await loadPictures()
  }

  private func loadPictures() async {
    guard showsPictures, case .loaded(let dogs) = model.state.status else { return }
    for dog in dogs { await model.loadPicture(of: dog) }
  }

  func screen(of state: DogsModel.State) -> Screen {
    var screen = Screen(title: DogsModel.title)
    switch state.status {
    case .idle: break
    case .loading: screen.isLoading = true
    case .loaded([]): screen.lines = ["No dogs"]
    case .loaded(let dogs):
      screen.lines = dogs.map { dog in
        dog.name + (showsPictures ? "  " + Self.words(for: state.pictures[dog]) : "")
      }
    }
    if state.error != nil {
      screen.alert = Screen.Alert(title: model.alertTitle, button: DogsModel.retryTitle)
    }
    screen.keys = [("r", state.error == nil ? "other dogs" : DogsModel.retryTitle)]
    return screen
  }

  private static func words(for phase: DogsModel.PicturePhase?) -> String {
    switch phase {
    case nil, .placeholder: "(picture loading)"
    case .image(let picture): "(\(picture.contentType), \(picture.bytes.count) bytes)"
    case .failure: "(no picture)"
    }
  }
}

/// Restaurants, and which of them are favorites.
final class RestaurantsApp: App {
  let model: RestaurantsModel

  init(service: any RestaurantService) { model = RestaurantsModel(service: service) }

  func appear() async { await model.load() }

  /// A digit moves a restaurant from one list to the other.
  func press(_ key: Character) async {
    if key == "r" {
      if model.errorDetails.map(\.isRetry) ?? true {
        await model.retry()
      } else {
        model.dismissAlert()
      }
      return
    }
    guard let number = key.wholeNumberValue, number > 0,
      case .loaded(let restaurants, let favorites) = model.status
    else { return }
    if number <= restaurants.count {
      await model.addToFavorites(restaurants[number - 1])
    } else if number <= restaurants.count + favorites.count {
      await model.deleteFromFavorites(favorites[number - 1 - restaurants.count])
    }
  }

  func screen(of state: RestaurantsModel.State) -> Screen {
    var screen = Screen(title: "Restaurants")
    switch state.status {
    case .pending: screen.isLoading = state.errors.isEmpty
    case .empty: screen.lines = [RestaurantsModel.emptyMessage]
    case .loaded(let restaurants, let favorites):
      let rows = (restaurants + favorites).enumerated().map { index, restaurant in
        let isPending = state.pendingNames.contains(restaurant.name)
        return "\(index + 1) \(restaurant.name), \(restaurant.waitingTime) min, \(restaurant.rate)"
          + (isPending ? " …" : "")
      }
      screen.lines =
        rows.prefix(restaurants.count) + ["", "Favorites"] + rows.dropFirst(restaurants.count)
      screen.keys = [("1-9", "add to favorites, or delete from them")]
    }
    if let details = state.errors.first {
      let button = details.isRetry ? "RETRY" : "OK"
      screen.alert = Screen.Alert(
        title: details.title, message: details.message, button: button)
      screen.keys.append(("r", button))
    } else {
      screen.keys.append(("r", "load again"))
    }
    return screen
  }
}

/// One joke after the other.
final class JokesApp: App {
  let model: JokeModel

  init(service: any JokeService) { model = JokeModel(service: service) }

  func appear() async { await model.tellAnother() }

  func press(_ key: Character) async {
    if key == "r" || key == " " { await model.tellAnother() }
  }

  func screen(of state: JokeModel.State) -> Screen {
    var screen = Screen(title: "Jokes")
    screen.keys = [("r", JokeModel.buttonTitle)]
    switch state {
    case .idle: break
    case .loading: screen.isLoading = true
    case .loaded(let joke): screen.lines = [joke.setup, joke.punchline]
    case .failed(let message):
      screen.alert = Screen.Alert(title: message, button: JokeModel.buttonTitle)
    }
    return screen
  }
}

/// Dogs for sale.
final class ListingsApp: App {
  let model: ListingsModel

  init(service: any DogPatchService) { model = ListingsModel(service: service) }

  func appear() async { await refresh() }

  func press(_ key: Character) async {
    if key == "r" { await refresh() }
  }

  private func refresh() async {
    model.refresh()
    await model.task?.value
  }

  func screen(of state: ListingsModel.State) -> Screen {
    var screen = Screen(title: "Dogs for sale")
    screen.isLoading = state.isRefreshing
    screen.lines = state.viewModels.map { "\($0.name), \($0.breed), \($0.price)" }
    if !state.errorMessage.isEmpty {
      screen.alert = Screen.Alert(title: state.errorMessage, button: "RETRY")
    } else if state.viewModels.isEmpty, !state.isRefreshing {
      screen.lines = ["No dogs for sale"]
    }
    screen.keys = [("r", screen.alert == nil ? "refresh" : "RETRY")]
    return screen
  }
}

/// The repositories of organisations.
final class RepositoriesApp: App {
  let model: RepositoriesModel
  private let organisations: [String]

  init(service: any RepositoryService, organisations: [String]) {
    model = RepositoriesModel(service: service)
    self.organisations = organisations
  }

  func appear() async { await model.load(organisations: organisations) }

  func press(_ key: Character) async {
    if key == "r" { await appear() }
  }

  func screen(of state: RepositoriesModel.State) -> Screen {
    var screen = Screen(title: "Repositories of \(organisations.joined(separator: ", "))")
    screen.keys = [("r", "load again")]
    switch state {
    case .idle: break
    case .loading: screen.isLoading = true
    case .loaded([]): screen.lines = ["No repositories"]
    case .loaded(let repositories):
      screen.lines = repositories.map { repository in
        "\(repository.fullName), \(repository.stars) stars"
          + (repository.description.map { ", \($0)" } ?? "")
      }
    case .failed(let message):
      screen.alert = Screen.Alert(title: message, button: "RETRY")
      screen.keys = [("r", "RETRY")]
    }
    return screen
  }
}
