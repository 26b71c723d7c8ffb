import UnderstudyClient
import UnderstudyCore
import UnderstudyRecording
import UnderstudyServices

/// One call of a service, as the command line asks for it.
struct Call {
  typealias Ask = @Sendable (Wiring) async -> Result<CallResult, ServiceError>

  let service: CalledService
  let words: [String]
  /// `nil` for the live API.
  let baseURL: WebURL?
  let token: String?

  /// Everything that can be wrong with the call itself comes out here, before anything is asked.
  func prepare() throws(Failure) -> Ask {
    guard let url = baseURL ?? service.liveBaseURL else {
      throw .noLiveAPI(service.rawValue, upstream: service.upstreamName)
    }
    switch service {
    case .dogs:
      let count = try number("how many dogs, such as 3", from: 0) ?? 3
      return ask { wiring throws(ServiceError) in
        .dogs(try await LiveDogService(wiring, baseURL: url).randomDogs(count: count))
      }
    case .jokes:
      let id = try number("the number of a joke, such as 1", from: 1)
      return ask { wiring throws(ServiceError) in
        let jokes = LiveJokeService(wiring, baseURL: url)
        guard let id else { return .joke(try await jokes.randomJoke()) }
        return .joke(try await jokes.joke(id: id))
      }
    case .listings:
      try expectNoWords()
      return ask { wiring throws(ServiceError) in
        .listings(try await LiveDogPatchService(wiring, baseURL: url).dogs())
      }
    case .repos:
      guard !words.isEmpty else { throw .noOrganisation() }
      return ask { [words, token] wiring throws(ServiceError) in
        let repositories = LiveRepositoryService(wiring, baseURL: url, token: token)
        return .repositories(try await repositories.repositories(ofEach: words).flatMap(\.self))
      }
    case .restaurants:
      try expectNoWords()
      return ask { wiring throws(ServiceError) in
        .restaurants(try await LiveRestaurantService(wiring, baseURL: url).load())
      }
    }
  }

  /// What to say of an error, and the exit code it comes to.
  func explain(_ error: ServiceError) -> (Failure, ExitCode) {
    let place = baseURL ?? service.liveBaseURL
    let upstream = place?.text ?? service.rawValue
    switch error {
    case .connectivity(let failure):
      let isFake = baseURL != nil && failure.kind == .cannotConnect
      return (
        .noAnswer(
          from: upstream, failure,
          fix: isFake ? "start \"understudy serve\", or name the address it printed" : nil),
        .couldNotCheck
      )
    case .rateLimited:
      return (Failure(message: "\(upstream): \(error)"), .couldNotCheck)
    case .invalidData, .unexpectedStatus:
      return (Failure(message: "\(upstream): \(error)"), .findings)
    case .invalidURL:
      return (Failure(message: "\(error)"), .couldNotRun)
    }
  }

  private func ask(
    _ body: @escaping @Sendable (Wiring) async throws(ServiceError) -> CallResult
  ) -> Ask {
    { wiring in
      do throws(ServiceError) {
        return .success(try await body(wiring))
      } catch {
        return .failure(error)
      }
    }
  }

  private func number(_ meaning: String, from least: Int) throws(Failure) -> Int? {
    guard let word = words.first else { return nil }
    if words.count > 1 {
      throw .extraArgument(words[1], usage: "understudy call \(service.rawValue) \(word)")
    }
    guard let number = Int(word), number >= least else {
      throw .badCallArgument(word, expected: meaning)
    }
    return number
  }

  private func expectNoWords() throws(Failure) {
    if let word = words.first {
      throw .extraArgument(word, usage: "understudy call \(service.rawValue)")
    }
  }
}

extension Failure {
  fileprivate static func noLiveAPI(_ service: String, upstream: String) -> Self {
    Self(
      message: "\(service) have no live API to ask",
      fix: "start \"understudy serve\" and add --base-url http://127.0.0.1:8080/\(upstream)")
  }

  fileprivate static func noOrganisation() -> Self {
    Self(
      message: "missing ARGUMENT, expected an organisation on GitHub",
      fix: "write understudy call repos apple")
  }

  fileprivate static func badCallArgument(_ word: String, expected: String) -> Self {
    Self(message: "found \"\(word)\" for ARGUMENT, expected \(expected)")
  }
}
