import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyRecording
import UnderstudySystem
import UnderstudyWireMockAdmin

/// `understudy wiremock` takes the place of `java -jar wiremock.jar`.
enum WireMockCommand {
  private static let rootFolder = Parameter.option(
    "root-dir", "FOLDER", .path, default: ".", "The folder with mappings and __files.")
  private static let address = Parameter.option(
    "bind-address", "ADDRESS", .host, default: "127.0.0.1",
    "The address to listen on. An address that other machines can reach needs an admin token of at"
      + " least \(ServeOptions.tokenLengthMin) characters.")
  private static let isTemplated = Parameter.flag(
    "global-response-templating",
    "Every response has expressions, not only those of stubs that say so.")
  private static let isLenient = Parameter.flag(
    "lenient",
    "Serve stubs without transformers and matchers that are Java code, instead of refusing them.")
  private static let isVerbose = Parameter.flag("verbose", "Print a line for every request.")
  private static let hasNoBanner = Parameter.flag(
    "disable-banner", "Print nothing at the start but the address.")
  private static let hasNoJournal = Parameter.flag(
    "no-request-journal", "Remember no requests.")
  private static let journalCount = Parameter.option(
    "max-request-journal-entries", "COUNT", .count, "How many requests are remembered.")
  private static let allowsPages = Parameter.flag(
    "enable-stub-cors", "Allow pages of any site to read the responses of stubs.")
  private static let credentials = Parameter.option(
    "admin-api-basic-auth", "NAME:PASSWORD", .word,
    "The credentials that requests to /__admin need.")

  static let command = Command(
    name: "understudy wiremock",
    summary: "Stands in for WireMock, with its options and its admin API",
    discussion: """
      Serves the stubs in FOLDER/mappings, with bodies from FOLDER/__files, and responds to \
      WireMock's clients at /__admin: they make and remove stubs, ask for requests and move \
      scenarios. Where a stub cannot be served as it says, they get 422 with the reason; a stub that names a file that is not there yet is taken, \
      and its requests get 500 until it is. Stubs \
      that clients save are written to the folder, as WireMock does.

      POST /__admin/recordings/start with a targetBaseUrl forwards all requests to that API, and \
      stop makes stubs of its responses, and writes them to the folder. If other machines can \
      reach the server, forwarded requests need the admin token in the header Understudy-Token.

      Clients of /~NAME/… have stubs, requests and scenarios of their own, which they make at \
      /~NAME/__admin.

      WireMock's other options are accepted where they make no difference here, such as \
      --container-threads; those for keystores, proxies and extensions are not. In place of \
      --https-port there is --tls, by which the port responds to HTTPS and HTTP; "understudy ca" \
      shows how clients trust it.

      Prints its address, and with --verbose a line for every request. Ctrl-C or SIGTERM stops it.
      """,
    parameters: [
      ServeOptions.port.declaration, rootFolder.declaration, address.declaration,
      ServeOptions.tls.declaration,
      ServeOptions.adminToken.declaration, credentials.declaration, isTemplated.declaration,
      isLenient.declaration,
      hasNoJournal.declaration, journalCount.declaration,
      allowsPages.declaration, isVerbose.declaration, hasNoBanner.declaration,
      OutputFormat.option.declaration,
    ],
    jsonOutput:
      "The lines of understudy serve.",
    examples: [
      "understudy wiremock --port 8080 --root-dir src/test/resources":
        "Serve the stubs of a project, and take more from its tests.",
      "understudy wiremock --port 0 --verbose":
        "Begin without stubs, on any free port, and print every request.",
    ],
    variables: StateFolder.variables,
    foreignOptions: { WireMockOptions.all },
    exitCodes: [
      .pass: "The server was stopped.",
      .couldNotRun:
        "Could not run: wrong usage, an address already in use, or for --tls an authority that has"
        + " ended or no OpenSSL 3.",
    ],
    run: { arguments, terminal throws(Failure) in
      try WireMockOptions.check(arguments.foreign)
      let folder = try arguments.value(of: rootFolder)
      var options = WireMockAPI.Options()
      options.isTemplated = try arguments.value(of: isTemplated)
      options.isLenient = try arguments.value(of: isLenient)
      options.keepsJournal = try !arguments.value(of: hasNoJournal)
      options.credentials = try arguments.value(of: credentials)
      let stubs = ServeWireMock(folder, options) { () throws(Failure) in
        try ImportFiles.stubs(in: folder, onlyInMappings: true)
      }
      var configuration = ServerConfiguration()
      try ServeOptions.setAddress(
        of: &configuration, try arguments.value(of: address), arguments)
      // Clients compare bodies.
      configuration.limits.journalBodyByteCountMax = 1 << 20
      if let count = try arguments.value(of: journalCount) {
        configuration.limits.journalRecordCountMax = count
      }
      configuration.allowsCORS = try arguments.value(of: allowsPages)
      configuration.namesCases = false
      configuration.live = LiveForwarder(isLedAway: true).ask
      let trust = try ServeOptions.setCertificates(
        of: &configuration, for: [], arguments, &terminal)
      let hasBanner = try !arguments.value(of: hasNoBanner)
      let format = try arguments.value(of: OutputFormat.option)
      let isVerbose = try arguments.value(of: isVerbose)
      var watch: ContractWatch
      do throws(SystemError) {
        watch = try stubs.watch()
      } catch {
        throw .cannotServe(error)
      }
      let api = try stubs.read()
      ServeWireMock.configure(&configuration, api)
      configuration.callbackSender = CallbackClient()
      if hasBanner {
        if !arguments.foreign.isEmpty {
          terminal.errors.write(
            line: "without effect here: \(arguments.foreign.joined(separator: ", "))")
        }
        stubs.tellRefusals(of: api, to: &terminal.errors)
      }
      watch.start(with: ServeWireMock.library(api))
      do throws(SystemError) {
        let queue = try ExchangeQueue()
        if isVerbose {
          configuration.listener = { queue.post($0) }
          configuration.callbackListener = { queue.post($0, $1) }
        }
        var session = try ServeSession(
          watch, configuration, queue, format, stubs: api, trust: trust)
        return try session.serve(InitialCases(), on: &terminal)
      } catch {
        throw .cannotServe(error)
      }
    })
}
