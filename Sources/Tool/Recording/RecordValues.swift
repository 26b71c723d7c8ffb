import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift

extension ValueFormat<WebURL> {
  /// What to record.
  static var recorded: Self {
    Self(
      .other("an address such as https://api.example.com/users/1"),
      fix: { text in
        WebURL.namesUser(text)
          ? "leave out the user and password, and send them with --header 'Authorization: ...'"
          : WebURL.fix(for: String(text.prefix { $0 != "?" && $0 != "#" }))
      },
      parse: { WebURL(recording: $0) })
  }
}

extension ValueFormat<PathTemplate> {
  static var pathTemplate: Self {
    Self(
      .other("a path of a contract, such as '/users/{name}'"),
      fix: { text in
        do throws(Failure) {
          _ = try PathTemplate(parsing: text)
          return nil
        } catch {
          return error.fix
        }
      },
      parse: { try? PathTemplate(parsing: $0) })
  }
}

/// An upstream's name, optionally with its URL: `example`, `example=https://…/api/v1`.
struct UpstreamName: Sendable {
  static let format = ValueFormat(
    .other("a name of lower-case letters, digits and dashes, or NAME=URL"),
    fix: { text in
      guard let equals = text.firstIndex(of: "="), isName(text[..<equals]) else { return nil }
      return WebURL.fix(for: String(text[text.index(after: equals)...]))
    },
    parse: UpstreamName.init)

  let argument: String
  let name: String
  let baseURL: WebURL?

  private init?(argument: String) {
    let name = argument.prefix { $0 != "=" }
    guard Self.isName(name) else { return nil }
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

  static func isName(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && !text.hasPrefix("-")
      && text.utf8.allSatisfy { $0.isDigit || $0 == .hyphen || 0x61...0x7A ~= $0 }
  }
}
