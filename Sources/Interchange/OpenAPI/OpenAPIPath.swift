import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting

/// The path of an operation as a contract has it.
struct OpenAPIPath {
  /// Why no contract can have it.
  struct Unusable: Error {
    let reason: String
  }

  let template: PathTemplate
  /// The names of the contract's parameters, by their names in the document.
  let names: [String: String]
  /// Query parameters that some documents write into the path.
  let query: [(name: String, value: String)]

  init(_ written: String) throws(Unusable) {
    guard !written.contains("#") else {
      throw Unusable(reason: "its path has a fragment, which is never sent")
    }
    let mark = written.firstIndex(of: "?") ?? written.endIndex
    query = written[mark...].dropFirst().split(separator: "&").map { field in
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
    var names: [String: String] = [:]
    var taken = UniqueNames()
    let segments = written[..<mark].split(separator: "/", omittingEmptySubsequences: false).map {
      segment -> String in
      guard segment.hasPrefix("{"), segment.hasSuffix("}"), segment.utf8.count > 2 else {
        return Self.encoded(segment)
      }
      let name = String(segment.dropFirst().dropLast())
      let legal = String(
        decoding: name.utf8.map { byte in
          byte.isLetterOrDigit || byte == .hyphen || byte == UInt8(ascii: "_")
            ? byte : UInt8(ascii: "_")
        }, as: UTF8.self)
      let own = taken.name(legal)
      names[name] = own
      return "{\(own)}"
    }
    self.names = names
    do throws(Failure) {
      template = try PathTemplate(parsing: segments.joined(separator: "/"))
    } catch {
      throw Unusable(reason: error.message)
    }
  }

  /// What a URL cannot have is encoded; braces are left, since they are reported.
  private static func encoded(_ segment: Substring) -> String {
    var text = ""
    for scalar in segment.unicodeScalars {
      if scalar.value > 0x20, scalar.value < 0x7F, !"\"<>^`|\\".unicodeScalars.contains(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        text += PercentEncoding.encode(String(scalar))
      }
    }
    return text
  }

  /// Equal for two paths that the same requests have.
  var shape: [String] {
    template.shape + query.map { "\($0.name)=\($0.value)" }
  }

  /// `pets-id`
  var stem: String {
    template.text.split(separator: "/").map { String($0).slug }.filter { !$0.isEmpty }
      .joined(separator: "-")
  }
}
