public import Observation
public import UnderstudyServices

/// Dogs at random with their pictures.
///
/// While it loads, another load is ignored. A failed load keeps the previous state and adds an
/// alert; a cancelled one only keeps the state.
///
/// The article that this follows stays at `.loading` after a failure. Here that would show a
/// spinner forever, since a retry is a load and is ignored while one runs. The article also treats
/// a response other than 200 as an empty list, which is an error here.
@MainActor @Observable
public final class DogsModel: StatefulModel {
  /// How far loading has come.
  public enum Status: Hashable, Sendable {
    case idle
    case loading
    case loaded([Dog])
  }

  /// What the alert is about.
  public enum Problem: Hashable, Sendable {
    case loadDogs
    case parsingDogs
  }

  /// What is shown in a picture's place.
  public enum PicturePhase: Hashable, Sendable {
    case placeholder
    case image(Picture)
    case failure
  }

  /// All that the screen shows.
  public struct State: Hashable, Sendable {
    public var status = Status.idle
    public var error: Problem?
    /// What is shown for each picture that was asked for.
    public var pictures: [Dog: PicturePhase] = [:]

    public init(_ status: Status = .idle, _ error: Problem? = nil) {
      self.status = status
      self.error = error
    }
  }

  public static let title = "Dogs"
  /// The title of the alert's button.
  public static let retryTitle = "RETRY"

  public private(set) var state = State()
  /// Pictures that were asked for before the dogs changed are nobody's any more.
  @ObservationIgnored private var loadCount = 0
  private let service: any DogService
  private let count: Int
  private let stream = StateStream(State())

  public init(service: any DogService, count: Int = 3) {
    self.service = service
    self.count = count
  }

  public var states: AsyncStream<State> { stream.listen() }

  /// Empty when there is nothing to alert to.
  public var alertTitle: String {
    switch state.error {
    case .loadDogs: "Error loading dogs"
    case .parsingDogs: "Error parsing dogs"
    case nil: ""
    }
  }

  public func load() async {
    guard state.status != .loading else { return }
    let before = state.status
    change {
      $0.status = .loading
      $0.error = nil
    }
    do throws(ServiceError) {
      let dogs = try await service.randomDogs(count: count)
      loadCount += 1
      change {
        $0.status = .loaded(dogs)
        $0.pictures = [:]
      }
    } catch {
      change {
        $0.status = before
        $0.error = error.isCancellation ? nil : Problem(error)
      }
    }
  }

  public func retry() async { await load() }

  public func picture(of dog: Dog) -> PicturePhase { state.pictures[dog] ?? .placeholder }

  /// Fetches a picture unless it is there or on its way.
  public func loadPicture(of dog: Dog) async {
    if let phase = state.pictures[dog], phase != .failure { return }
    let number = loadCount
    change { $0.pictures[dog] = .placeholder }
    let phase: PicturePhase?
    do throws(ServiceError) {
      phase = .image(try await service.picture(of: dog))
    } catch {
      phase = error.isCancellation ? nil : .failure
    }
    if number == loadCount { change { $0.pictures[dog] = phase } }
  }

  private func change(_ step: (inout State) -> Void) {
    step(&state)
    stream.send(state)
  }
}

extension DogsModel.Problem {
  init(_ error: ServiceError) {
    if case .invalidData = error { self = .parsingDogs } else { self = .loadDogs }
  }
}
