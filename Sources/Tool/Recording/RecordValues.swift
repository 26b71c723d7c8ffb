import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift

/// What to record.
struct RecordedURL: ArgumentValue {
  static let shape = ValueShape.other("an address such as https://api.example.com/users/1")

  static func fix(for argument: String) -> String? {
    WebURL.namesUser(argument)
      ? "leave out the user and password, and send them with --header 'Authorization: ...'"
      : WebURL.fix(for: String(argument.prefix { $0 != "?" && $0 != "#" }))
  }

  let url: WebURL

  init?(argument: String) {
    guard let url = WebURL(recording: argument) else { return nil }
    self.url = url
  }

  var argument: String { url.text }
}

/// An upstream's name, optionally with its URL: `example`, `example=https://…/api/v1`.
struct UpstreamName: ArgumentValue {
  static let shape = ValueShape.other(
    "a name of lower-case letters, digits and dashes, or NAME=URL")
  let argument: String
  let name: String
  let baseURL: WebURL?

  static func fix(for argument: String) -> String? {
    guard let equals = argument.firstIndex(of: "="),
      Self(argument: String(argument[..<equals])) != nil
    else { return nil }
    return WebURL.fix(for: String(argument[argument.index(after: equals)...]))
  }

  init?(argument: String) {
    let name = argument.prefix { $0 != "=" }
    let isName = name.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isName, let first = name.first, first != "-" else { return nil }
    if name.endIndex < argument.endIndex {
      guard let url = WebURL(base: String(argument[argument.index(after: name.endIndex)...])) else {
        return nil
      }
      baseURL = url
    } else {
      baseURL = nil
    }
    self.argument = argument
    self.name = String(name)
  }
}

extension PathTemplate: ArgumentValue {
  static let shape = ValueShape.other("a path of a contract, such as '/users/{name}'")

  static func fix(for argument: String) -> String? {
    do throws(Failure) {
      _ = try PathTemplate(parsing: argument)
      return nil
    } catch {
      return error.fix
    }
  }

  init?(argument: String) {
    guard let template = try? Self(parsing: argument) else { return nil }
    self = template
  }

  var argument: String { text }
}
