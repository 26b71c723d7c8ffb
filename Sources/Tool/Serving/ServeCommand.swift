import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyRecording
import UnderstudySystem

/// `understudy serve` serves contracts on a port until it is stopped.
///
/// Read this file with `ServeOptions` and `InitialCases`, then `ServeSession`, which runs the
/// server until it is stopped. Finished requests come through the `ExchangeQueue` to the
/// `ServeLog`, which prints them as text (`RequestLines`, `RequestPace`) or as JSON (`EventLines`).
/// `WireMockCommand` and `ServeWireMock` serve stubs of WireMock in place of contracts.
///
/// One thread prints, and the queue is bounded, so that output never slows a response.
enum ServeCommand {
  static let command = Command(
    name: "understudy serve",
    summary: "Serves contracts as a fake of their upstreams",
    discussion: """
      Every upstream responds below its name, /dog-ceo/…, under the Host of its live API, and with \
      --ports on its own port. The case served is the one the request prefers (Prefer: \
      example=not-found, or Prefer: code=404), else the next of a script, else the one chosen by \
      --case, else the first whose "when" matches, else the default.

      Changed files are reloaded: valid contracts take effect at once; errors are reported and the \
      old contracts stay. Ctrl-C or SIGTERM stops the server once open requests are served, after \
      five seconds at most; a second one stops it at once.

      With --tls, every port responds to HTTPS and HTTP. "understudy ca" shows how clients trust \
      the certificates, which are for this machine, its addresses, and the hosts of the upstreams.

      With --proxy, clients of live APIs meet the fake without a changed line, once HTTP_PROXY and \
      HTTPS_PROXY have its address and they trust its certificates: a request to the host of an \
      upstream gets what the contracts say, one to any other host gets 502, or with --pass-through \
      reaches that host, untouched and without being decrypted. The name in the proxy's URL is the \
      session: http://worker-3:-@127.0.0.1:8080. If other machines can reach the server, the \
      password must be the admin token. "understudy run" does all this for a command, and --format \
      json prints the variables to set. With --temporary-authority, the certificates are trusted by \
      nobody else, and nothing of them remains.

      The dashboard is a page that shows each request as it arrives, and chooses, holds and \
      scripts what is served; --open opens it in a browser.

      Prints its address and a line for every request, with the nearest contracts if none \
      responds; with --quiet no lines for requests. A terminal shows up to 200 requests a second \
      and counts the others by case.

      With --record, unmatched requests go to the live API: the client gets its response, and a \
      contract is written, as by "understudy record", and responds from then on. A contract \
      recorded in this run serves only requests that were recorded; others go to the live API too. \
      With --record-all every request goes there, and contracts recorded in this run learn from \
      each response. Requests that are not recorded are printed with the reason. --upstream \
      NAME=URL adds a new upstream. Pages of another site may send requests to a live API only if \
      --allow-origin names it. If other machines can reach the server, such requests need the \
      admin token in the header Understudy-Token, which is not forwarded. With --allow-save in \
      place of --record, clients start and stop recordings by the admin API.
      """,
    tables: { [ServeLimit.table] },
    parameters: [Selection.wholeContracts.declaration, Selection.folder.declaration]
      + ServeOptions.declarations,
    optionGroups: [ServeRecording.group] + ServeOptions.groups,
    jsonOutput: """
      A line for each event, an object with the key event: listening (url, page, proxy, \
      upstreams, certificate, which is the file that clients of HTTPS trust, environment, an object \
      with the variables by which clients use the proxy), request (time, method, target, contract, \
      case, status, delayActualMilliseconds, delayConfiguredMilliseconds, sentBytes, outcome, \
      message, nearest), callback (contract, case, name, method, url, outcome, status, \
      expectedStatus, message, fix), dropped (requests that \
      came too fast to print), reloaded (changes, upstreams), rejected (message, diagnostics), \
      recorded (files), unrecorded (message, diagnostics) or stopped (requests, cutOff).
      """,
    examples: [
      "understudy serve": "Serve the contracts below ./Contracts on port 8080.",
      "understudy serve --port 0 --case dog-ceo/random-images=not-found":
        "Serve them on any free port, one contract with this case.",
      "understudy serve --record --upstream users=https://api.example.com/v1":
        "Serve them, and record requests to /users/v1/….",
    ],
    variables: StateFolder.variables,
    exitCodes: [
      .pass: "The server was stopped.",
      .couldNotRun:
        "Could not run: wrong usage, contracts with errors, an address already in use, or for --tls"
        + " an authority that has ended or no OpenSSL 3.",
    ],
    run: { arguments, terminal throws(Failure) in
      var configuration = try ServeOptions.configuration(arguments)
      let format = try arguments.value(of: OutputFormat.option)
      let selection = try Selection(arguments, by: Selection.wholeContracts)
      let recording = try ServeRecording.prepare(arguments, selection)
      // What is recorded may be merged into the contracts, which takes all of them.
      let purpose = recording == nil ? ContractLibrary.Purpose.serving : .reading
      let paths = if let recording { [recording.folder] } else { try selection.paths }
      var watch: ContractWatch
      do throws(SystemError) {
        watch = try ContractWatch(paths, for: purpose)
      } catch {
        throw .cannotServe(error)
      }
      let library =
        if let recording { recording.library } else {
          try ContractLibrary.load(paths, for: purpose)
        }
      try Selection.requireSound(library, &terminal)
      // Recording read its contracts before the watch began.
      watch.start(with: library, mayHaveChanged: recording != nil)
      let initialCases = try InitialCases(arguments, library)
      if try arguments.value(of: ServeOptions.allowSave) {
        configuration.saving = try ServeSaving(into: selection)
        if recording == nil {
          configuration.recording = try ServeRecording.recorder(into: selection)
        }
      }
      let recorded = (recording?.recorder.baseURLs.values.map(\.host) ?? [])
        .filter { !NetworkHost($0).isLoopback }
      let hosts = Set(library.upstreams.hostNames + recorded).sorted()
      let trust = try ServeOptions.setCertificates(
        of: &configuration, for: hosts,
        isTemporary: try arguments.value(of: ServeOptions.temporaryAuthority), arguments,
        &terminal)
      try initialCases.check(configuration)
      let parents = try ServeOptions.parents(arguments)
      let isQuiet = try arguments.value(of: ServeOptions.quiet)
      let opensPage = try arguments.value(of: ServeOptions.open)
      do throws(SystemError) {
        let queue = try ExchangeQueue()
        if !isQuiet {
          configuration.listener = { queue.post($0) }
          configuration.callbackListener = { queue.post($0, $1) }
        }
        configuration.relay = recording?.recorder.configuration
        configuration.live = LiveForwarder().ask
        configuration.callbackSender = CallbackClient()
        var session = try ServeSession(
          watch, configuration, queue, format, recorder: recording?.recorder,
          trust: trust, parents: parents, opensPage: opensPage)
        return try session.serve(initialCases, on: &terminal)
      } catch {
        throw .cannotServe(error)
      }
    })
}
