import UnderstudyClient
import UnderstudyServices
import UnderstudySystem
public import UnderstudyTool

extension Showcase {
  /// The apps of the five articles, in a terminal.
  public static let commands = [
    command(
      "dogs", of: "dog-ceo", "Shows three dogs at random", live: .dogCEO,
      more: [
        .option(
          "pictures-url", "URL",
          "The address of pictures, such as http://127.0.0.1:8080/dog-ceo-images. Default: that of"
            + " the live API, or none with --base-url.")
      ]
    ) { input, wiring, url in
      let pictures = try input.url("pictures-url", of: "dog-ceo-images")
      return DogsApp(
        service: LiveDogService(
          wiring, baseURL: url, picturesBaseURL: pictures ?? .dogCEOPictures),
        showsPictures: pictures != nil || input["base-url"] == nil)
    },
    command(
      "restaurants", of: "restaurants", "Shows restaurants, and takes favorites by number",
      live: nil
    ) { _, wiring, url in
      RestaurantsApp(service: LiveRestaurantService(wiring, baseURL: url))
    },
    command("jokes", of: "joke", "Tells one joke after the other", live: .jokes) {
      _, wiring, url in
      JokesApp(service: LiveJokeService(wiring, baseURL: url))
    },
    command("listings", of: "dogpatch/api/v1", "Shows dogs for sale", live: .dogPatch) {
      _, wiring, url in
      ListingsApp(service: LiveDogPatchService(wiring, baseURL: url))
    },
    command(
      "repos", of: "github", "Shows the repositories of organisations on GitHub", live: .gitHub,
      argument: ("ORGANISATION", "The organisations. Default: apple."),
      about: ["The token in UNDERSTUDY_GITHUB_TOKEN, if set, is sent only to GitHub itself."]
    ) { input, wiring, url in
      let token = input["base-url"] == nil ? Environment["UNDERSTUDY_GITHUB_TOKEN"] : nil
      return RepositoriesApp(
        service: LiveRepositoryService(wiring, baseURL: url, token: token),
        organisations: input.arguments.isEmpty ? ["apple"] : input.arguments)
    },
  ]

  private typealias Make =
    @MainActor @Sendable (ToolCommand.Input, Wiring, WebURL) throws -> any App

  /// - Parameters:
  ///   - path: the path of the upstream on a fake.
  ///   - live: its address without `--base-url`; `nil` for the fake on the default port.
  private static func command(
    _ name: String, of path: String, _ summary: String, live: WebURL?,
    argument: (name: String, help: String)? = nil, about: [String] = [],
    more: [ToolCommand.Option] = [], _ make: @escaping Make
  ) -> ToolCommand {
    let fake = "http://127.0.0.1:8080/\(path)"
    return ToolCommand(
      name, summary: summary,
      discussion: [
        "On a terminal the app runs until q is pressed; its keys are shown below it. Elsewhere it"
          + " prints its screen once and exits."
      ] + about,
      argument: argument,
      options: [
        .option(
          "base-url", "URL",
          "Where the upstream is, such as \(fake). Without it: "
            + (live == nil ? "there, since it has no live API." : "its live API."))
      ] + more,
      examples: [
        (
          "showcase \(name) --base-url \(fake)",
          "Use the server that \"understudy serve\" started."
        )
      ]
    ) { input in
      let given = try input.url("base-url", of: path)
      guard let url = given ?? live ?? WebURL(fake) else { return .couldNotRun }
      var connection = CurlConfiguration()
      connection.ignoresProxies = given?.isLoopback ?? (live == nil)
      let wiring = Wiring(CurlTransport(connection))
      return try await show { try make(input, wiring, url) }
    }
  }

  @MainActor
  private static func show(_ make: @MainActor () throws -> any App) async throws -> ExitCode {
    let app = try make()
    let console = ProcessConsole()
    defer { console.close() }
    return await app.run(on: console) ? .pass : .findings
  }
}

extension ToolCommand.Input {
  fileprivate func url(_ option: String, of path: String) throws -> WebURL? {
    guard let text = self[option] else { return nil }
    guard let url = WebURL(text), !text.contains("?") else {
      throw ToolCommand.UsageError(
        "found \"\(text)\" for --\(option), expected an address such as"
          + " http://127.0.0.1:8080/\(path)")
    }
    return url
  }
}
