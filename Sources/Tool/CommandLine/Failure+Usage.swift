import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySystem

extension Failure {
  /// A failure, not a plain help page: a script that lost its command must not pass.
  static func missingCommand(known: [String]) -> Self {
    Self(
      message: "no command given",
      fix: "name one: \(known.joined(separator: ", "))")
  }

  /// Swift reads a program's arguments there.
  static let unreadableArguments = Self(
    message: "no arguments, not even the program's name: /proc cannot be read",
    fix: "mount it: mount -t proc proc /proc")

  static func incomplete(for files: [String]) -> Self {
    Self(
      message: files.count.of("file") + (files.count == 1 ? " has" : " have")
        + " errors and may be listed only in part: \(files.joined(separator: ", "))",
      fix: "see \"understudy lint\"")
  }

  static func unknownCommand(_ word: String, known: [String]) -> Self {
    Self(
      message: "unknown command \"\(word)\"",
      fix: Spelling.suggestion(for: word, among: known)
        ?? "the commands are \(known.joined(separator: ", "))")
  }

  static func unknownOption(_ word: String, known: [String], help: String) -> Self {
    Self(
      message: "unknown option \"\(word)\"",
      fix: Spelling.suggestion(for: word, among: known) ?? "see \"\(help)\"")
  }

  static func misplacedOption(_ word: String, commandLine: String) -> Self {
    Self(
      message: "option \"\(word)\" comes before the command",
      fix: "put it after the command: \(commandLine)")
  }

  static func missingValue(of option: String, shape: ValueShape) -> Self {
    Self(message: "missing value of \"\(option)\", expected \(shape.expected)")
  }

  /// A forgotten value is more likely than one that looks like an option.
  static func optionForValue(_ word: String, of option: String, shape: ValueShape) -> Self {
    Self(
      message: "found \"\(word)\" after \"\(option)\", expected \(shape.expected)",
      fix: shape.choices.isEmpty ? "if \"\(word)\" is the value, write \(option)=\(word)" : nil)
  }

  static func valueOfFlag(_ option: String, value: String) -> Self {
    Self(
      message: "\"\(option)\" takes no value, found \"\(value)\"",
      fix: "write only \(option)")
  }

  static func givenTwice(_ option: String, _ first: String, _ second: String) -> Self {
    Self(
      message: "\(option) is given twice, as \"\(first)\" and \"\(second)\"",
      fix: "keep one of them")
  }

  static func badValue(
    _ value: String, of place: String, shape: ValueShape, fix: String?
  ) -> Self {
    let source = place == shape.expected ? "" : " for \(place)"
    return Self(
      message: "found \"\(value)\"\(source), expected \(shape.expected)",
      fix: fix)
  }

  static func missingArgument(_ name: String, shape: ValueShape, usage: String) -> Self {
    Self(message: "missing \(name), expected \(shape.expected)", fix: "write \(usage)")
  }

  static func extraArgument(_ word: String, usage: String) -> Self {
    Self(message: "unexpected argument \"\(word)\"", fix: "write \(usage)")
  }

  // MARK: - Serving

  static func openWithoutToken(_ host: String) -> Self {
    Self(
      message: "other machines can reach \"\(host)\", but no admin token is set",
      fix: "set UNDERSTUDY_ADMIN_TOKEN, or leave out --bind")
  }

  /// The token itself is not shown.
  static func weakToken(_ host: String) -> Self {
    Self(
      message: "other machines can reach \"\(host)\", but the admin token is too easy to guess:"
        + " expected at least \(ServeOptions.tokenLengthMin) visible ASCII characters",
      fix: "generate one: UNDERSTUDY_ADMIN_TOKEN=$(openssl rand -hex 16)")
  }

  static func nothingToUse() -> Self {
    Self(
      message: "nothing to change",
      fix:
        "name a case or a mode, such as dog-ceo/random-images=not-found or dog-ceo=off, or add --reset"
    )
  }

  static func noServer(_ url: WebURL, _ error: SystemError) -> Self {
    Self(
      message: "no response from \(url): \(error)",
      fix: error.code == .connectionRefused
        ? "start \"understudy serve\", or give the address it printed with --url" : nil)
  }

  static func wrongAdminToken(_ url: WebURL) -> Self {
    Self(
      message: "the server at \(url) rejected the admin token",
      fix: "set UNDERSTUDY_ADMIN_TOKEN to the token the server was started with")
  }

  static func noUnderstudy(_ url: WebURL, _ found: String) -> Self {
    Self(
      message: "the server at \(url) is not understudy: \(found)",
      fix: "give the address that \"understudy serve\" printed with --url")
  }

  static func unknownName(
    _ name: String, _ kind: String, of option: String, known: [String]
  ) -> Self {
    let list =
      known.count <= 12 ? "known: \(known.joined(separator: ", "))" : "see \"understudy list\""
    return Self(
      message: "unknown \(kind) \"\(name)\" in \(option)",
      fix: known.isEmpty ? nil : Spelling.suggestion(for: name, among: known) ?? list)
  }

  static func cannotRun(_ program: String, _ error: SystemError) -> Self {
    let fix: String? =
      switch error.code {
      case .notFound where program.contains("/"):
        "name an existing program; a script's first line must name one, too"
      case .notFound: "name a program on the PATH, or give its path: ./\(program)"
      default: nil
      }
    return Self(message: error.description, fix: fix)
  }

  static func cannotServe(_ error: SystemError) -> Self {
    let fix: String? =
      switch error.code {
      case .addressInUse:
        "stop the program that listens there, or choose another port: --port 0 takes a free one"
      case .addressNotAvailable: "name an address of this machine, such as --bind 127.0.0.1"
      case .accessDenied: "choose port 1024 or higher"
      case .tooManyOpenFiles: "choose fewer --threads, or allow more open files: ulimit -n 65536"
      case .outOfRange: "choose a --port that leaves enough ports above it for all upstreams"
      default: nil
      }
    return Self(message: error.description, fix: fix)
  }
}
