import UnderstudyContractModel
import UnderstudyCore
package import UnderstudyJSON
import UnderstudySchema
import UnderstudySecrets

/// The JSON Schema (draft 2020-12) that samples of one body have in common.
///
/// Every sample matches it, and their order does not matter. Types, nullability and optional
/// members only widen with more samples. What takes several samples to show may come with one more:
/// formats and enumerations of strings, element types, and objects whose keys are data. A member
/// that was always `null` gets no type.
///
/// The folder derives schemas. Read `ShapeSamples`, which collects what samples have at one place
/// of a body; `StringSamples`, which decides on formats and enumerations; then this file, which
/// writes the schema. `InferenceSteps` lets a caller stop; what was inferred until then must not be
/// used.
///
/// Time grows with the size of the samples only: places, depth and the number of names are limited,
/// so no body can make an inference hang.
package struct InferredSchema: Sendable {
  /// How many places are described in full; beyond that, only types are.
  private static let placeCountMax = 2_000

  package let text: JSONText

  package init(samples: some Sequence<JSONValue>) {
    self.init(samples: samples, InferenceSteps())
  }

  init(samples: some Sequence<JSONValue>, _ steps: InferenceSteps) {
    let shape = ShapeSamples(steps)
    for (number, sample) in samples.enumerated() { shape.add(sample, ofSample: number) }
    var writer = JSONWriter()
    var placesLeft = Self.placeCountMax
    writer.schema(of: shape, &placesLeft)
    text = JSONText(unchecked: writer.bytes)
  }
}

extension JSONWriter {
  /// - Parameter isSecret: whether a name on the path marks a secret.
  fileprivate mutating func schema(
    of shape: ShapeSamples, _ placesLeft: inout Int, isSecret: Bool = false
  ) {
    placesLeft -= 1
    let types = shape.typeNames
    object { schema in
      guard types != ["null"], !types.isEmpty else { return }
      schema.key("type")
      if types.count == 1 {
        schema.string(types[0])
      } else {
        schema.array { for type in types { $0.string(type) } }
      }
      schema.strings(of: shape, types, isSecret)
      guard placesLeft > 0 else { return }
      if let elements = shape.elements, elements.saysSomething {
        schema.key("items")
        schema.schema(of: elements, &placesLeft, isSecret: isSecret)
      }
      if let values = shape.mapValues {
        guard values.saysSomething else { return }
        schema.key("additionalProperties")
        schema.schema(
          of: values, &placesLeft,
          isSecret: isSecret || shape.hasManyNames
            || shape.members.keys.contains { SecretNames.standard.hides($0.text) })
      } else {
        schema.members(of: shape, &placesLeft, isSecret)
      }
    }
  }

  private mutating func strings(
    of shape: ShapeSamples, _ types: [String], _ isSecret: Bool
  ) {
    if let format = shape.strings.format { member("format", format.rawValue) }
    let isOnlyString = shape.kinds.subtracting([.null]) == [.string]
    guard isOnlyString, !isSecret, let values = shape.strings.enumeration else { return }
    key("enum")
    array { array in
      for value in values { array.string(value) }
      if types.last == "null" { array.null() }
    }
  }

  private mutating func members(
    of shape: ShapeSamples, _ placesLeft: inout Int, _ isSecret: Bool
  ) {
    let members = shape.sortedMembers
    guard !members.isEmpty, members.count <= placesLeft else { return }
    let required = members.filter { $0.value.objectCount == shape.objectCount }.map(\.key)
    if !required.isEmpty { member("required", required) }
    key("properties")
    object { properties in
      for member in members where placesLeft > 0 {
        properties.key(member.key)
        properties.schema(
          of: member.value.shape, &placesLeft,
          isSecret: isSecret || SecretNames.standard.hides(member.key))
      }
    }
  }
}

extension ShapeSamples {
  fileprivate var saysSomething: Bool { !kinds.subtracting([.null]).isEmpty }

  /// In a fixed order, `null` last.
  fileprivate var typeNames: [String] {
    var names: [String] = []
    if kinds.contains(.object) { names.append("object") }
    if kinds.contains(.array) { names.append("array") }
    if kinds.contains(.string) { names.append("string") }
    if kinds.contains(.number) { names.append(hasDecimals ? "number" : "integer") }
    if kinds.contains(.boolean) { names.append("boolean") }
    if kinds.contains(.null) { names.append("null") }
    return names
  }
}
