import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// A named operation of a GraphQL API, of which all operations have one URL.
struct GraphQLOperation: Hashable, Sendable {
  static let nameKey = "operationName"
  static let variablesKey = "variables"

  let name: String

  /// Reads the operation's name from a request's body, or from a condition on one. Fails unless the
  /// name follows GraphQL's grammar.
  init?(in body: JSONValue) {
    guard let name = body[Self.nameKey]?.string, Self.isName(name) else { return nil }
    self.name = name
  }

  /// The operation that a contract describes.
  init?(of contract: Contract) {
    let tests = contract.request.method == "POST" ? contract.request.body?.tests ?? [] : []
    let named = tests.lazy.compactMap { test in
      switch test {
      case .contains(let json, _), .equals(let json, _): Self(in: json)
      default: nil
      }
    }
    guard let first = named.first else { return nil }
    self = first
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !first.isDigit else { return false }
    return text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
  }

  /// A file name for it: `hero-query` for `HeroQuery`.
  var slug: String {
    var words = ""
    let letters = Array(name)
    for (index, letter) in letters.enumerated() {
      if index > 0, letter.isUppercase {
        let endsWord = index + 1 < letters.count && letters[index + 1].isLowercase
        if endsWord || !letters[index - 1].isUppercase { words.append("-") }
      }
      words.append(letter)
    }
    return words.slug
  }
}

extension RecordedExchange {
  /// The GraphQL operation that it asks for by name.
  var operation: GraphQLOperation? {
    guard method == "POST" else { return nil }
    return JSONDocument(valid: body).flatMap { GraphQLOperation(in: $0.root) }
  }

  /// The variables of its GraphQL operation.
  var variables: JSONValue? {
    JSONDocument(valid: body)?.root[GraphQLOperation.variablesKey].flatMap {
      $0.kind == .object && $0.count > 0 ? $0 : nil
    }
  }
}
