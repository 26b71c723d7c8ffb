import UnderstudyFindings
import UnderstudyJSON

/// Reads named strings of an upstream's state, and what cases ask of them and do to them.
struct StateReader {
  let complaints: Complaints

  /// The values that a session or a scenario starts with. Anything but a string is kept as JSON.
  func values(_ value: JSONValue) -> [StateValue] {
    named(value) { member in
      if member.key.hasSuffix(".*") { complaints.addStateList(member) }
      guard let text = member.value.string else {
        if member.value.kind == .null {
          complaints.add(
            .wrongType, at: member.value, "found null, expected a value",
            fix: "leave the name out: what was never set is null")
          return nil
        }
        let json = String(decoding: member.value.compact, as: UTF8.self)
        return StateValue(name: member.key, value: json)
      }
      let template = Template(text)
      if template.plainText == nil || !template.mistakes.isEmpty {
        complaints.add(
          .badTemplate, at: member.value,
          "found \(member.value.summary), expected plain text: no request sets this state",
          fix: "write the value itself, without braces")
      }
      return StateValue(name: member.key, value: text)
    }
  }

  /// What a case asks of them, in `when`.
  func conditions(_ value: JSONValue) -> [StateCondition] {
    named(value) { member in
      let name = Template(member.key)
      // The name of a state that was never set has the empty string.
      let isUnset = member.value.kind == .null || member.value.string?.isEmpty == true
      let condition =
        isUnset
        ? Condition(.state, member.key, .absent, source: member.value)
        : ConditionReader(complaints: complaints).condition(.state, member.key, member.value)
      return condition.map { StateCondition(name: name, value: $0) }
    }
  }

  /// What a case does to them, in `then`.
  func changes(_ value: JSONValue) -> [StateChange] {
    named(value) { member in
      if member.value.kind == .null { return StateChange(name: Template(member.key), value: nil) }
      guard let text = member.value.string else {
        complaints.add(
          .wrongType, at: member.value,
          "found \(member.value.summary), expected string, or null to forget the name",
          fix: member.value.kind == .object || member.value.kind == .array
            ? "state holds text: \"{body}\" keeps the request's body"
            : "put it in quotes: \"\(String(decoding: member.value.compact, as: UTF8.self))\"")
        return nil
      }
      return StateChange(name: Template(member.key), value: Template(text))
    }
  }

  private func named<Result>(_ value: JSONValue, _ read: (JSONMember) -> Result?) -> [Result] {
    Fields.named(value, of: "state, strings by name", complaints).compactMap(read)
  }
}

extension Complaints {
  /// Reports a name that stands for several.
  func addStateList(_ member: JSONMember) {
    add(
      .badTemplate, atKeyOf: member,
      "found \"\(member.key)\", expected one name: only a response can read several",
      fix: "name one, or read all of them as {state.\(member.key)}")
  }
}
