import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON

extension BodyEdit {
  private static let addedBytesMax = 4000

  /// Applies a difference that concerns only the example; returns the reason if it cannot.
  mutating func editExample(
    _ difference: AnswerDifference, _ path: [BodyStep], _ comparison: BodyComparison
  ) throws(JSONEditError) -> String? {
    if path.isEmpty { return "the whole example is of another kind" }
    let containers = examplePointers(at: Array(path.dropLast()))
    switch difference.type {
    case .schemaFieldAdded:
      return try add(path, containers, comparison)
    case .schemaFieldRemoved:
      guard let name = path.last?.name else { return HeadPatch.unseen }
      for container in containers where document.root.value(at: container)?[name] != nil {
        try remove(container.appending(name))
      }
      return nil
    case .schemaNullabilityChanged, .schemaTypeChanged:
      return try widen(path, comparison)
    default: return "it cannot be written into an example"
    }
  }

  private mutating func add(
    _ path: [BodyStep], _ containers: [JSONPointer], _ comparison: BodyComparison
  ) throws(JSONEditError) -> String? {
    let parent = Array(path.dropLast())
    guard let name = path.last?.name, let shape = comparison.foundShape.shape(atPath: path),
      let value = shape.first
    else { return HeadPatch.unseen }
    // The type of a masked value is unknown.
    if shape.kinds.contains(where: { $0.first.holdsUnknown }) { return Self.secret }
    let properties = properties(at: parent, of: value.pointer.parent.flatMap(found.value(at:)))
    if let properties { try set(properties.appending(name), to: shape.schemaOfKinds) }
    guard value.byteRange.count <= Self.addedBytesMax else {
      return properties == nil ? "its value is too long for an example" : nil
    }
    let objects = comparison.foundShape.shape(atPath: parent)
    let isEverywhere =
      comparison.foundShape.shape(atPath: parent)?.member(name)?.count == objects?.count(.object)
    for container in isEverywhere ? containers[...] : containers.prefix(1) {
      guard let object = document.root.value(at: container), object.kind == .object else {
        continue
      }
      guard object[name] == nil else { continue }
      let counterpart = JSONPointer(Array(container.tokens.dropFirst(body.tokens.count)) + [name])
      let own = found.value(at: counterpart) ?? value
      if own.holdsUnknown { return Self.secret }
      try set(container.appending(name), to: own.lineText)
    }
    return nil
  }

  /// Makes an example show each kind of value that was found.
  private mutating func widen(
    _ path: [BodyStep], _ comparison: BodyComparison
  ) throws(JSONEditError) -> String? {
    guard let shape = comparison.foundShape.shape(atPath: path) else { return HeadPatch.unseen }
    var missing = shape.kinds.sorted {
      $0.first.byteRange.lowerBound < $1.first.byteRange.lowerBound
    }
    let pointers = examplePointers(at: path)
    var kept: Set<JSONValue.Kind> = []
    var free: [JSONPointer] = []
    for pointer in pointers {
      guard let value = document.root.value(at: pointer) else { continue }
      if shape.first(value.kind) != nil, kept.insert(value.kind).inserted { continue }
      free.append(pointer)
    }
    missing.removeAll { kept.contains($0.kind) }
    if missing.contains(where: { $0.first.holdsUnknown }) { return Self.secret }
    for seen in missing {
      guard let pointer = free.popLast() else {
        // An example that is only null leaves the kind open.
        if seen.kind == .null, let pointer = pointers.first, kept.count == 1 {
          try set(pointer, to: "null")
          return nil
        }
        return try say(shape, path)
      }
      try set(pointer, to: seen.first.lineText)
    }
    return nil
  }

  /// If the example has too few values to show all kinds, a schema can name them.
  private mutating func say(
    _ shape: Shape, _ path: [BodyStep]
  ) throws(JSONEditError) -> String? {
    let object = shape.first?.pointer.parent.flatMap(found.value(at:))
    guard let name = path.last?.name,
      let properties = properties(at: Array(path.dropLast()), of: object)
    else { return "the example has too few values to show all kinds, and there is no schema" }
    try set(properties.appending(name), to: shape.schemaOfKinds)
    return nil
  }
}

extension Shape {
  /// A schema that only lists the kinds of value found.
  var schemaOfKinds: String {
    let types = Set(kinds.map(\.first.schemaType)).sorted().map(\.quoted)
    if kinds.allSatisfy({ $0.kind == .null }) { return "{}" }
    return types.count == 1
      ? "{ \"type\": \(types[0]) }" : "{ \"type\": [\(types.joined(separator: ", "))] }"
  }
}
