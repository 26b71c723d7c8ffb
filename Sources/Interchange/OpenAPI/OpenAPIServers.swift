package import UnderstudyCore
import UnderstudyJSON

/// Where the API of a document is.
package struct OpenAPIServers {
  /// An address under which the API is.
  package struct Located {
    package let text: String
    /// `nil` for the host that serves the document itself.
    package let host: String?
    package let path: String
    package let place: Place
  }

  /// The address of the first server; `nil` when it has none of its own.
  private(set) var baseURL: WebURL?
  /// The path of the first server, without a slash at its end; `nil` where no server is named.
  private(set) var path: String?
  private(set) var notes: [ImportNote] = []
  /// The servers that say where they are; `/` is wherever the document itself is.
  private(set) var located: [Located] = []

  init(_ root: OpenAPINode) {
    let servers = root["servers"]?.elements ?? []
    for (number, server) in servers.enumerated() {
      let text = Self.filled(server)
      let url = WebURL(base: text)
      if text != "/", let path = url?.path ?? (text.hasPrefix("/") ? Self.trimmed(text) : nil) {
        located.append(
          Located(text: text.visible, host: url?.host, path: path, place: server.place))
      }
      if number == 0 {
        baseURL = url
        path = baseURL?.path ?? (text.hasPrefix("/") ? Self.trimmed(text) : nil)
        if baseURL == nil {
          notes.append(
            server.note(
              .skipped, text.visible,
              because: "no request can be sent there; --upstream NAME=URL names the live API"))
        }
      } else {
        notes.append(server.note(.skipped, text.visible, because: "the first server is taken"))
      }
    }
  }

  private static func trimmed(_ path: String) -> String {
    var path = path
    while path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// The URL with the defaults of its variables.
  private static func filled(_ server: OpenAPINode) -> String {
    var text = server.text("url") ?? ""
    for (name, variable) in server["variables"]?.entries ?? [] {
      let value = variable.value["default"]
      text = text.replacing(
        "{\(name)}", with: value?.string ?? value?.number?.text ?? "")
    }
    return text
  }
}
