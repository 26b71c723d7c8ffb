import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySystem

/// Any word that is not empty.
struct Word: ArgumentValue {
  static let shape = ValueShape.other("a word")
  let argument: String

  init(_ text: String) { argument = text }

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self.argument = argument
  }
}

/// An address to listen on. Names are not resolved, since they may have several addresses.
struct ListenHost: ArgumentValue {
  static let shape = ValueShape.other("an IPv4 or IPv6 address of this machine, or localhost")
  let argument: String

  init(_ text: String) { argument = text }

  init?(argument: String) {
    guard SocketAddress(host: argument, port: 0).isNumeric else { return nil }
    self.argument = argument
  }

  static func fix(for argument: String) -> String? {
    "write 127.0.0.1 or ::1 for this machine only, 0.0.0.0 or :: for all machines"
  }
}

/// An origin, as browsers send it: `http://localhost:3000`.
struct PageOrigin: ArgumentValue {
  static let shape = ValueShape.other("an address without a path, such as http://localhost:3000")
  let argument: String
  let origin: String

  init?(argument: String) {
    guard let url = WebURL(base: argument), url.path.isEmpty else { return nil }
    self.argument = argument
    origin = url.description
  }
}

struct PortNumber: ArgumentValue {
  static let shape = ValueShape.other("a port: 0 to 65535")
  let value: UInt16

  init(_ value: UInt16) { self.value = value }

  init?(argument: String) {
    guard let value = UInt16(argument) else { return nil }
    self.value = value
  }

  var argument: String { String(value) }
}

struct Count: ArgumentValue {
  static let shape = ValueShape.other("a number from 1 to 1000000")
  let value: Int

  init(_ value: Int) { self.value = value }

  init?(argument: String) {
    guard let value = Int(argument), (1...1_000_000).contains(value) else { return nil }
    self.value = value
  }

  var argument: String { String(value) }
}

struct ThreadCount: ArgumentValue {
  static let shape = ValueShape.other("a number from 1 to 128")
  let value: Int

  init(_ value: Int) { self.value = value }

  init?(argument: String) {
    guard let value = Int(argument), (1...128).contains(value) else { return nil }
    self.value = value
  }

  var argument: String { String(value) }
}

struct Seed: ArgumentValue {
  static let shape = ValueShape.other("a number of at least 0")
  let value: UInt64

  init(_ value: UInt64) { self.value = value }

  init?(argument: String) {
    guard let value = UInt64(argument) else { return nil }
    self.value = value
  }

  var argument: String { String(value) }
}

struct Factor: ArgumentValue {
  static let shape = ValueShape.other("a number from 0 to 1000, such as 0.1")
  let value: Double

  init(_ value: Double) { self.value = value }

  init?(argument: String) {
    guard let value = Double(argument), (0...1000).contains(value) else { return nil }
    self.value = value
  }

  var argument: String { value == value.rounded() ? String(Int(clamping: value)) : String(value) }
}

/// A number of bytes, optionally in units of 1024: `32K`, `16M`.
struct ByteCount: ArgumentValue {
  static let shape = ValueShape.other("a size up to 1024M, such as 32K")
  private static let units = ["K": 1 << 10, "M": 1 << 20]
  let value: Int

  init(_ value: Int) { self.value = value }

  init?(argument: String) {
    let unit = argument.last.flatMap { Self.units[String($0)] }
    guard let number = Int(unit == nil ? argument : String(argument.dropLast())),
      (1...(1 << 30)).contains(number), number * (unit ?? 1) <= 1 << 30
    else { return nil }
    value = number * (unit ?? 1)
  }

  var argument: String {
    let unit = Self.units.sorted { $0.value > $1.value }.first { value % $0.value == 0 }
    return unit.map { "\(value / $0.value)\($0.key)" } ?? String(value)
  }
}

/// The size limit of a request's head, large enough for a short one.
struct HeadByteCount: ArgumentValue {
  static let shape = ValueShape.other("a size from 256 to 1024M, such as 32K")
  let bytes: ByteCount

  init(_ value: Int) { bytes = ByteCount(value) }

  init?(argument: String) {
    guard let bytes = ByteCount(argument: argument), bytes.value >= 256 else { return nil }
    self.bytes = bytes
  }

  var argument: String { bytes.argument }
}

/// A duration as contracts write it.
struct Wait: ArgumentValue {
  static let shape = ValueShape.other(
    "a time above 0 and up to 277777h with its unit, such as 500ms or 30s")
  let duration: Duration
  let argument: String

  init(_ duration: Duration) {
    self.duration = duration
    argument = "\(duration.components.seconds)s"
  }

  init?(argument: String) {
    guard let duration = Duration(contractText: argument), duration > .zero else { return nil }
    self.duration = duration
    self.argument = argument
  }
}

/// A name and its value: `dog-ceo/random-images=malformed`.
struct Assignment: ArgumentValue {
  static let shape = ValueShape.other("NAME=VALUE")
  static func shape(of valueName: String) -> ValueShape { .other(valueName) }
  let name: String
  let value: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let name = parts.first, let value = parts.last, !name.isEmpty,
      !value.isEmpty
    else { return nil }
    (self.name, self.value) = (String(name), String(value))
  }

  var argument: String { "\(name)=\(value)" }
}

struct HeaderLine: ArgumentValue {
  static let shape = ValueShape.other("a header line, such as 'Accept: text/html'")
  let argument: String
  let field: HeaderField

  init?(argument: String) {
    guard let colon = argument.firstIndex(of: ":"), colon != argument.startIndex else { return nil }
    let value = argument[argument.index(after: colon)...].drop { $0 == " " }
    field = HeaderField(name: String(argument[..<colon]), value: String(value))
    self.argument = argument
  }
}
