import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

/// Reads `consumers.json`.
struct ConsumersReader {
  private static let names: JSONNames = [
    "summary", "upstreams", "in", "command", "sources", "environment", "arguments", "errors",
  ]

  /// Where commands run.
  let folder: String
  let complaints: Complaints

  func read(_ root: JSONValue) -> [Consumer] {
    Fields.named(root, of: "consumers by name", complaints).compactMap { member in
      member.key == "$schema" ? nil : consumer(member)
    }
  }

  private func consumer(_ member: JSONMember) -> Consumer? {
    let isGoodName =
      !member.key.isEmpty
      && member.key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) }
    if !isGoodName {
      complaints.add(
        .badName, atKeyOf: member,
        "found consumer \"\(member.key)\", expected a name such as \"repos.list\"")
    }
    guard let fields = Fields(member.value, of: "a consumer", keys: Self.names, complaints) else {
      return nil
    }
    let required = [
      fields.require("upstreams"), fields.has("command") ? fields.source : fields.require("errors"),
    ]
    guard required.allSatisfy({ $0 != nil }) else { return nil }
    return Consumer(
      name: member.key, summary: fields.string("summary"),
      upstreamNames: fields.strings("upstreams") ?? [], command: command(fields),
      folder: folder, sources: sources(fields), variableNames: variableNames(fields),
      toolName: toolName(fields),
      arguments: arguments(fields), errors: errors(fields), source: member.value)
  }

  private func command(_ fields: Fields) -> [String]? {
    guard let value = fields["command"] else { return nil }
    if let extra = fields.present(["in", "arguments", "errors"]).first {
      fields.complain(
        .conflictingKeys, extra,
        "found \"\(extra)\" beside \"command\", expected it for a service",
        fix: "remove one of the two")
    }
    let words = value.kind == .array ? value.elements.compactMap(\.string) : []
    let isRunnable =
      words.count == value.count && words.first?.isEmpty == false
      && !words.contains { $0.utf8.contains(0) }
    if !isRunnable {
      fields.complain(
        .badValue, "command", "found \(value.summary), expected a program and its arguments",
        fix: "write the command as it is run: [\"python3\", \"client.py\"]")
    }
    return words
  }

  private func sources(_ fields: Fields) -> [String] {
    guard let value = fields["sources"] else { return [] }
    if !fields.has("command") {
      fields.complain(
        .conflictingKeys, "sources",
        "found \"sources\" without \"command\", expected it for a command",
        fix: "remove it: a service shows what it reads by itself")
    }
    let paths = fields.strings(in: value)
    for (path, element) in zip(paths, value.elements) where paths.count == value.count {
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      if parts.contains(where: { ["", ".", ".."].contains($0) }) || path.utf8.contains(0) {
        complaints.add(
          .badValue, at: element,
          "found \"\(path)\", expected a file or folder below the one that the contracts folder is in,"
            + " such as \"src\"")
      }
    }
    return paths
  }

  private func variableNames(_ fields: Fields) -> [String] {
    guard let value = fields["environment"] else { return [] }
    let names = fields.strings(in: value)
    for (name, element) in zip(names, value.elements) where names.count == value.count {
      let isName =
        name.first?.isNumber == false
        && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      if !isName {
        complaints.add(
          .badValue, at: element,
          "found \"\(name)\", expected the name of a variable, such as \"JAVA_HOME\"")
      } else if SecretVariables.hides(name) {
        complaints.add(
          .badValue, at: element,
          "found \"\(name)\", expected a variable that is not a credential by its name",
          fix: "remove it: consumers get no credentials, and responses come from the fake")
      }
    }
    return names.filter { !SecretVariables.hides($0) }
  }

  private func toolName(_ fields: Fields) -> String? {
    guard let name = fields.string("in") else { return nil }
    let isName =
      !name.isEmpty
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_+".contains($0)) }
    guard isName else {
      fields.complain(
        .badValue, "in",
        "found \"\(name)\", expected the name of an executable, such as \"showcase\"")
      return nil
    }
    return name
  }

  private func arguments(_ fields: Fields) -> [Consumer.Argument] {
    guard let value = fields["arguments"] else { return [] }
    return Fields.named(value, of: "types by argument", complaints).compactMap { member in
      payloadType(member.value, allowsNull: false).map {
        Consumer.Argument(name: member.key, type: $0)
      }
    }
  }

  private func errors(_ fields: Fields) -> [Consumer.DeclaredError] {
    guard let value = fields["errors"] else { return [] }
    return Fields.named(value, of: "payload types by error", complaints).compactMap { member in
      if member.value.isNull { return Consumer.DeclaredError(name: member.key, payload: nil) }
      return payloadType(member.value, allowsNull: true).map {
        Consumer.DeclaredError(name: member.key, payload: $0)
      }
    }
  }

  private func payloadType(_ value: JSONValue, allowsNull: Bool) -> Consumer.PayloadType? {
    if let type = value.string.flatMap(Consumer.PayloadType.init(rawValue:)) { return type }
    let names = Consumer.PayloadType.allCases.map(\.rawValue)
    complaints.add(
      value.kind == .string ? .badValue : .wrongType, at: value,
      "found \(value.summary), expected one of \(listed(names))\(allowsNull ? ", or null for none" : "")",
      fix: value.string.flatMap { Spelling.suggestion(for: $0, among: names) })
    return nil
  }
}

extension Consumer.PayloadType {
  /// Whether a value is of this type.
  func accepts(_ value: JSONValue) -> Bool {
    switch self {
    case .string: value.kind == .string
    case .integer: value.number?.isInteger ?? false
    case .number: value.kind == .number
    case .boolean: value.kind == .boolean
    case .array: value.kind == .array
    case .object: value.kind == .object
    case .any: true
    }
  }
}
