import UnderstudyCore
import UnderstudyJSON

extension SchemaCompiler {
  func dynamicReference(_ reader: KeywordReader) -> Reference? {
    guard let target = reference(.dynamicRef, reader) else { return nil }
    let resource = resources[locations[target].resource]
    guard let text = reader.value(.dynamicRef)?.string,
      let name = URIReference(text)?.decodedFragment,
      resource.dynamicAnchors[name] == target
    else { return Reference(target: target) }
    let number = dynamicNames[name] ?? dynamicNames.count
    dynamicNames[name] = number
    return Reference(target: target, dynamicName: number)
  }

  /// The schema a `$ref` or `$dynamicRef` leads to.
  func reference(_ keyword: Keyword, _ reader: KeywordReader) -> Int? {
    guard let value = reader.value(keyword), let text = reader.string(keyword) else { return nil }
    guard let relative = URIReference(text) else {
      return reader.mismatch(
        value, keyword, expected: "a URI",
        fix: "percent-encode other characters, such as %20 for a space")
    }
    let uri = resources[reader.location.resource].uri.resolving(relative)
    guard let resource = resource(uri.withoutFragment, for: value, keyword, reader) else {
      return nil
    }
    guard let fragment = uri.decodedFragment else {
      return reader.mismatch(value, keyword, expected: "a fragment in UTF-8")
    }
    if fragment.isEmpty { return index(ofRoot: resource) }
    if fragment.hasPrefix("/") {
      return index(at: fragment, of: resource, for: value, keyword, reader)
    }
    let named = resources[resource]
    if let target = named.anchors[fragment] ?? named.dynamicAnchors[fragment] { return target }
    let names = (Array(named.anchors.keys) + named.dynamicAnchors.keys).sorted()
    problem(
      at: value, in: reader.location,
      "\"\(keyword.rawValue)\" points to \"\(text)\", but there is no anchor \"\(fragment)\"",
      fix: Spelling.suggestion(for: fragment, among: names))
    return nil
  }

  private func index(ofRoot resource: Int) -> Int {
    let root = resources[resource].root
    return index(of: root.value, in: root)
  }

  private func resource(
    _ uri: URIReference, for value: JSONValue, _ keyword: Keyword, _ reader: KeywordReader
  ) -> Int? {
    if let known = resourceIndexes[uri] { return known }
    if let document = document(of: uri) {
      _ = addDocument(document, uri: uri)
      return resourceIndexes[uri]
    }
    let near = resources.lazy.map(\.uri.description).filter { !$0.isEmpty }
    problem(
      at: value, in: reader.location,
      "\"\(keyword.rawValue)\" points to \"\(uri)\", which does not exist",
      fix: Spelling.suggestion(for: uri.description, among: near))
    return nil
  }

  func document(of uri: URIReference) -> JSONValue? {
    let name = uri.description
    if let text = MetaSchemas.text(of: name) {
      // The texts are ours, and a test parses each of them.
      return try? JSONDocument(parsing: text).root
    }
    return resolver?(name)
  }

  /// The schema at a JSON pointer, which may be outside the usual places.
  private func index(
    at pointer: String, of resource: Int, for value: JSONValue, _ keyword: Keyword,
    _ reader: KeywordReader
  ) -> Int? {
    guard let pointer = JSONPointer(parsing: pointer) else {
      return reader.mismatch(value, keyword, expected: "a JSON pointer after \"#\"")
    }
    var location = resources[resource].root
    for token in pointer.tokens {
      guard let next = child(token, of: location) else {
        let names = location.value.members.map(\.key)
        problem(
          at: value, in: reader.location,
          "\"\(keyword.rawValue)\" points to \"\(reader.string(keyword) ?? "")\", but there is "
            + "no \"\(token)\" in \(location.value.summary)",
          fix: Spelling.suggestion(for: token, among: names))
        return nil
      }
      let inner = SchemaLocation(
        value: next, document: location.document, resource: location.resource)
      location = indexes[ValueIdentity(inner)].map { locations[$0] } ?? inner
    }
    return index(of: location.value, in: location)
  }
}

extension SchemaCompiler {
  /// A member or an element. Members of large objects, such as `$defs`, are indexed, since many
  /// references may lead there.
  private func child(_ token: String, of location: SchemaLocation) -> JSONValue? {
    guard location.value.kind == .object, location.value.count > 16 else {
      return location.value.value(at: JSONPointer([token]))
    }
    let identity = ValueIdentity(location)
    let index =
      memberIndexes[identity]
      ?? Dictionary(
        location.value.members.map { (ExactText($0.key), $0.value) }, uniquingKeysWith: { $1 })
    memberIndexes[identity] = index
    return index[ExactText(token)]
  }

  /// The keywords that a resource's `$schema` enables, or `nil` when it has none.
  func vocabularies(of location: SchemaLocation) -> Vocabularies? {
    guard let value = location.value["$schema"] else { return nil }
    guard let text = value.string, let uri = URIReference(text)?.withoutFragment else {
      problem(at: value, in: location, "found \(value.summary) as \"$schema\", expected a URI")
      return nil
    }
    if uri.description == Vocabularies.standardSchemaURI { return .standard }
    guard let metaSchema = document(of: uri) else {
      problem(
        at: value, in: location, "unknown \"$schema\" \"\(text)\"",
        fix: "write \"\(Vocabularies.standardSchemaURI)\"")
      return nil
    }
    guard let declared = metaSchema["$vocabulary"] else {
      return vocabulariesByDefault(of: metaSchema, named: text, at: value, in: location)
    }
    var vocabularies: Vocabularies = .core
    for member in declared.members {
      if let known = Vocabularies.named(member.key) {
        vocabularies.formUnion(known)
      } else if member.value.bool == true {
        problem(
          at: value, in: location,
          "the \"$schema\" \"\(text)\" needs the unknown vocabulary "
            + "\"\(member.key)\"")
      }
    }
    return vocabularies
  }

  /// A meta-schema without vocabularies has those of its own meta-schema; they are known only if
  /// that is ours.
  private func vocabulariesByDefault(
    of metaSchema: JSONValue, named text: String, at value: JSONValue, in location: SchemaLocation
  ) -> Vocabularies? {
    let own = metaSchema["$schema"]?.string.flatMap(URIReference.init)?.withoutFragment
    guard own.map({ $0.description == Vocabularies.standardSchemaURI }) ?? true else {
      problem(
        at: value, in: location,
        "the \"$schema\" \"\(text)\" is not of draft 2020-12",
        fix: "write \"\(Vocabularies.standardSchemaURI)\"")
      return nil
    }
    return .standard
  }
}
