import UnderstudyCore

import UnderstudyJSON

extension SchemaCompiler {
  /// The number of the schema at a value, which is scanned first if it is new.
  func index(of value: JSONValue, in location: SchemaLocation) -> Int {
    scan(SchemaLocation(value: value, document: location.document, resource: location.resource))
  }

  /// Adds a document and returns the number of its root schema.
  func addDocument(_ value: JSONValue, uri: URIReference) -> Int {
    let document = documents.count
    documents.append(uri.description)
    let location = SchemaLocation(value: value, document: document, resource: resources.count)
    addResource(location, uri: uri, within: .standard)
    return scan(location)
  }

  /// A resource without a `$schema` has the vocabularies of its parent resource.
  private func addResource(
    _ location: SchemaLocation, uri: URIReference, within outer: Vocabularies
  ) {
    resourceIndexes[uri] = resources.count
    resources.append(
      SchemaResource(
        uri: uri, root: location, vocabularies: vocabularies(of: location) ?? outer))
  }

  /// Records a schema and all schemas within it, with their names.
  ///
  /// Recurses as deep as the text is nested, which the parser limits.
  private func scan(_ given: SchemaLocation) -> Int {
    var location = given
    let identity = ValueIdentity(location)
    if let known = indexes[identity] { return known }
    let index = locations.count
    indexes[identity] = index
    locations.append(location)
    guard location.value.kind == .object else {
      if location.value.kind != .boolean {
        problem(
          at: location.value, in: location,
          "found \(location.value.summary), expected a schema: an object, true or false")
      }
      return index
    }
    if let id = location.value["$id"], let uri = resourceURI(id, in: location) {
      enter(uri, at: id, from: &location)
      locations[index] = location
    }
    noteAnchor(.anchor, of: location, index: index)
    noteAnchor(.dynamicAnchor, of: location, index: index)
    scanMembers(of: location)
    return index
  }

  private func enter(_ uri: URIReference, at id: JSONValue, from location: inout SchemaLocation) {
    if let known = resourceIndexes[uri] {
      // A document found by the URI that is also its `$id` is not a second resource.
      if ValueIdentity(resources[known].root) != ValueIdentity(location) {
        problem(
          at: id, in: location, "the \"$id\" \"\(uri)\" is given twice",
          fix: "give each schema its own \"$id\"")
      }
      return
    }
    let outer = resources[location.resource].vocabularies
    location.resource = resources.count
    addResource(location, uri: uri, within: outer)
  }

  private func resourceURI(_ id: JSONValue, in location: SchemaLocation) -> URIReference? {
    guard let text = id.string, let reference = URIReference(text),
      reference.fragment?.isEmpty ?? true
    else {
      problem(
        at: id, in: location, "found \(id.summary) as \"$id\", expected a URI without a fragment",
        fix: "use \"$anchor\" to name a part of a schema")
      return nil
    }
    return resources[location.resource].uri.resolving(reference).withoutFragment
  }

  private func noteAnchor(_ keyword: Keyword, of location: SchemaLocation, index: Int) {
    guard let value = location.value[keyword.rawValue] else { return }
    guard let name = value.string, Self.isAnchor(name) else {
      problem(
        at: value, in: location,
        "found \(value.summary) as \"\(keyword.rawValue)\", expected a name of letters, digits, "
          + "\"-\", \"_\" and \".\"")
      return
    }
    let resource = resources[location.resource]
    if let known = resource.anchors[name] ?? resource.dynamicAnchors[name], known != index {
      problem(
        at: value, in: location, "the anchor \"\(name)\" is given twice",
        fix: "give each anchor of a schema its own name")
      return
    }
    if keyword == .anchor {
      resources[location.resource].anchors[name] = index
    } else {
      resources[location.resource].dynamicAnchors[name] = index
    }
  }

  private static func isAnchor(_ name: String) -> Bool {
    guard let first = name.utf8.first, first.isLetter || first == UInt8(ascii: "_") else {
      return false
    }
    return name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.".utf8.contains($0) }
  }

  private func scanMembers(of location: SchemaLocation) {
    for member in location.value.members {
      guard let keyword = Keyword.named(member.key) else {
        noteUnknown(member, in: location)
        continue
      }
      if let replacement = keyword.replacement {
        warning(
          at: member.value, in: location,
          "\"\(keyword.rawValue)\" is from an older draft",
          fix: "write \(replacement)")
      }
      let vocabularies = resources[location.resource].vocabularies
      guard !vocabularies.isDisjoint(with: keyword.vocabulary) else { continue }
      switch keyword.holds {
      case .noSchema: break
      case .oneSchema: _ = index(of: member.value, in: location)
      case .schemas:
        for element in member.value.elements { _ = index(of: element, in: location) }
      case .namedSchemas:
        for inner in member.value.members { _ = index(of: inner.value, in: location) }
      case .namedSchemasOrLists:
        for inner in member.value.members where inner.value.kind != .array {
          _ = index(of: inner.value, in: location)
        }
      }
    }
  }

  /// Names that start with `x-` are custom keywords; `x-time` and `x-date` are ours and keywords like any other.
  private func noteUnknown(_ member: JSONMember, in location: SchemaLocation) {
    guard !member.key.hasPrefix("x-") else { return }
    let names = Keyword.allCases.lazy.map(\.rawValue)
    warning(
      at: member.value, in: location,
      "\"\(member.key)\" is not a keyword and has no effect",
      fix: Spelling.suggestion(for: member.key, among: names)
        ?? "name it \"x-\(member.key)\" if it is a note for others")
  }
}
