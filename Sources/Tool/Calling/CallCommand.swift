import UnderstudyClient
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyServices

/// `understudy call` runs one of our services once.
enum CallCommand {
  private static let service = Parameter<CalledService>.argument(
    "SERVICE", "What to call.")
  private static let words = Parameter<[Word]>.arguments(
    "ARGUMENT", default: [],
    "How many dogs, the number of a joke, or the organisations whose repositories to list.")
  private static let baseURL = Parameter<UpstreamURL?>.optionalOption(
    "base-url", "URL", "Where the upstream is. Without it: its live API.")
  private static let timeout = Parameter<Wait>.option(
    "timeout", "TIME", default: Wait(.seconds(30)), "How long each request may take.")
  private static let token = Parameter<String?>.secret(
    "UNDERSTUDY_GITHUB_TOKEN",
    "A token that repos shows to GitHub itself, and never with --base-url.")

  static let command = Command(
    name: "understudy call",
    summary: "Calls one of our services and prints what it gives",
    discussion: [
      "The quickest way to see the whole chain work: contract, server, client and service. Without"
        + " --base-url it asks the live API; restaurants have none.",
      "With --format json the value is printed as contracts write it under \"expect\": an array of"
        + " objects for dogs (url, name), listings (id, sellerID, about, birthday, breed,"
        + " breederRating, cost, created, imageURL, name) and repos (name, fullName, description,"
        + " stars, language), one object for jokes (id, type, setup, punchline) and restaurants"
        + " (restaurants and favorites, each an array). What is not there is null.",
    ],
    parameters: [
      service.declaration, words.declaration, baseURL.declaration, timeout.declaration,
      token.declaration, OutputFormat.option.declaration,
    ],
    examples: [
      Command.Example(
        line: "understudy call jokes --base-url http://127.0.0.1:8080/joke",
        meaning: "Get a joke from the server that \"understudy serve\" started."),
      Command.Example(
        line: "understudy call dogs 5 --base-url http://127.0.0.1:8080/dog-ceo --format json",
        meaning: "Get dogs for another program."),
    ],
    exitCodes: [
      .pass: "The service has given a value.",
      .findings: "The upstream answered, but not as the service needs it.",
      .couldNotRun: "Could not run: wrong usage.",
      .couldNotCheck: "There was no whole answer, or the upstream was asked too often.",
    ],
    run: { arguments, terminal throws(Failure) in
      let format = try arguments.value(of: OutputFormat.option)
      let base = try arguments.value(of: baseURL)?.url
      let call = Call(
        service: try arguments.value(of: service),
        words: try arguments.value(of: words).map(\.argument), baseURL: base,
        token: base == nil ? try arguments.value(of: token) : nil)
      let ask = try call.prepare()
      var connection = CurlConfiguration()
      connection.ignoresProxies = base?.isLoopback ?? false
      var wiring = Wiring(CurlTransport(connection))
      wiring.options.totalTimeout = try arguments.value(of: timeout).duration
      switch try Blocking.value(of: { [wiring] in await ask(wiring) }) {
      case .success(let result):
        switch format {
        case .text: result.writeText(to: &terminal.output)
        case .json: terminal.output.write(json: result.json + "\n".utf8)
        }
        return .pass
      case .failure(let error):
        let (complaint, code) = call.explain(error)
        terminal.writeError(complaint)
        return code
      }
    })
}

/// The services that can be called.
enum CalledService: String, ArgumentValue, CaseIterable {
  case dogs, jokes, listings, repos, restaurants

  /// `nil` where there is none.
  var liveBaseURL: WebURL? {
    switch self {
    case .dogs: .dogCEO
    case .jokes: .jokes
    case .listings: .dogPatch
    case .repos: .gitHub
    case .restaurants: nil
    }
  }

  /// What the fake calls its upstream.
  var upstreamName: String {
    switch self {
    case .dogs: "dog-ceo"
    case .jokes: "joke"
    case .listings: "dogpatch"
    case .repos: "github"
    case .restaurants: "restaurants"
    }
  }
}

/// Where an upstream is.
struct UpstreamURL: ArgumentValue {
  static let shape = ValueShape.other("an address such as http://127.0.0.1:8080/joke")
  let url: WebURL

  init?(argument: String) {
    guard let url = WebURL(argument), !argument.contains("?") else { return nil }
    self.url = url
  }

  var argument: String { url.text }
}
