import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Checks the expectations of a case against the declared consumers.
struct ExpectationLint {
  let contract: Contract
  let names: LibraryNames
  let complaints: Complaints

  func check(_ served: Case) {
    for expectation in served.expectations {
      guard let declared = names.consumers[expectation.consumer] else {
        complaints.add(
          .unknownConsumer, at: expectation.source,
          "consumer \"\(expectation.consumer)\" is not declared in consumers.json",
          fix: names.consumers.isEmpty
            ? "write a consumers.json that declares it"
            : spellingSuggestion(
              for: expectation.consumer, among: names.consumerNames,
              noun: "the consumers"))
        continue
      }
      let consumer = declared.consumer
      if !declared.upstreamNames.contains(contract.upstreamName) {
        complaints.add(
          .unknownConsumer, at: expectation.source,
          "consumers.json says that consumer \"\(consumer.name)\" does not use \(contract.upstreamName)",
          fix: "add \"\(contract.upstreamName)\" to its \"upstreams\"")
      }
      checkKind(of: expectation, consumer)
      if let arguments = expectation.arguments { check(arguments, of: declared) }
      if case .error(let name, let payload) = expectation.outcome, !consumer.isCommand {
        check(name, payload, of: consumer, at: expectation.source)
      }
    }
  }

  /// Mistakes copied by `like` are reported at their source.
  private func checkKind(of expectation: Expectation, _ consumer: Consumer) {
    let key =
      switch expectation.outcome {
      case .value: "value"
      case .error: "error"
      case .exit: "exitCode"
      }
    guard consumer.isCommand != (key == "exitCode"), let source = expectation.source[key] else {
      return
    }
    complaints.add(
      .unknownKey, at: source,
      consumer.isCommand
        ? "found \"\(key)\" of the command \(consumer.name), expected \"exitCode\""
        : "found \"exitCode\" of the service \(consumer.name), expected \"value\" or \"error\"",
      fix: consumer.isCommand
        ? nil
        : "if it is a command, declare it in consumers.json with \"command\": [\"python3\", \"client.py\"]"
    )
  }

  private func check(_ arguments: JSONValue, of declared: LibraryNames.DeclaredConsumer) {
    let consumer = declared.consumer
    for member in arguments.members {
      guard let type = declared.argumentType(of: member) else {
        complaints.add(
          .unknownArgument, atKeyOf: member,
          "\(consumer.name) has no argument \"\(member.key)\"",
          fix: spellingSuggestion(
            for: member.key, among: consumer.arguments.map(\.name), noun: "its arguments"))
        continue
      }
      if !type.accepts(member.value) {
        complaints.add(
          .wrongType, at: member.value,
          "found \(member.value.summary), expected \(type.rawValue) for \"\(member.key)\"")
      }
    }
  }

  private func check(
    _ name: String, _ payload: JSONValue?, of consumer: Consumer, at source: JSONValue
  ) {
    var place: JSONValue { source["error"] ?? source }
    guard let error = consumer.errors.first(where: { ExactText($0.name) == ExactText(name) }) else {
      complaints.add(
        .unknownError, at: place,
        "consumers.json declares no error \"\(name)\" for \(consumer.name)",
        fix: spellingSuggestion(
          for: name, among: consumer.errors.map(\.name), noun: "its errors"))
      return
    }
    switch (error.payload, payload) {
    case (nil, nil): break
    case (nil, let found?):
      complaints.add(
        .unknownError, at: place, "\"\(name)\" has no payload, found \(found.summary)",
        fix: "write \"\(name)\"")
    case (let type?, nil):
      complaints.add(
        .unknownError, at: place,
        "found \"\(name)\" alone, expected it with \(type.article) payload",
        fix: "write { \"\(name)\": … }")
    case (let type?, let found?):
      guard !type.accepts(found) else { break }
      complaints.add(
        .unknownError, at: found,
        "found \(found.summary) with \"\(name)\", expected \(type.article) payload")
    }
  }
}

extension Consumer.PayloadType {
  fileprivate var article: String {
    switch self {
    case .integer, .array, .object: "an \(rawValue)"
    case .any: "a"
    default: "a \(rawValue)"
    }
  }
}
