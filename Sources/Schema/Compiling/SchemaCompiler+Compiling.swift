import UnderstudyJSON

extension SchemaCompiler {
  func compile(_ value: JSONValue) throws(SchemaError) -> SchemaProgram {
    let root = addDocument(value, uri: .empty)
    var nodes: [SchemaNode] = []
    while nodes.count < locations.count {
      let location = locations[nodes.count]
      let keywords = KeywordGroups(KeywordReader(location, compiler: self))
      nodes.append(
        SchemaNode(
          location.value, document: location.document, resource: location.resource, keywords))
    }
    findCycles(in: nodes)
    guard problems.isEmpty else { throw SchemaError(problems: inOrder(problems)) }
    warnings = inOrder(warnings)
    return SchemaProgram(
      nodes: nodes, root: root, documents: documents, dynamicAnchors: dynamicAnchors())
  }

  private func inOrder(_ problems: [SchemaProblem]) -> [SchemaProblem] {
    problems.sorted {
      ($0.place.document, $0.place.position) < ($1.place.document, $1.place.position)
    }
  }

  private func dynamicAnchors() -> DynamicAnchors {
    let targets = resources.map { resource in
      resource.dynamicAnchors.compactMap { name, target in
        dynamicNames[name].map { (name: $0, target: target) }
      }
    }
    return DynamicAnchors(targets: targets, nameCount: dynamicNames.count)
  }

  /// Reports schemas that apply themselves to the same value: they would never end.
  ///
  /// `$dynamicRef` is skipped, since its target depends on the path there; such a cycle is detected
  /// during validation.
  private func findCycles(in nodes: [SchemaNode]) {
    var states = [State](repeating: .unseen, count: nodes.count)
    for start in nodes.indices where states[start] == .unseen {
      // An explicit stack: chains of references may be much longer than schemas are deep.
      var path: [(node: Int, rest: ArraySlice<Int>)] = [(start, nodes[start].inPlace[...])]
      states[start] = .open
      while let last = path.indices.last {
        guard let next = path[last].rest.popFirst() else {
          states[path[last].node] = .done
          path.removeLast()
          continue
        }
        switch states[next] {
        case .unseen:
          states[next] = .open
          path.append((next, nodes[next].inPlace[...]))
        case .open: complain(about: nodes[path[last].node])
        case .done: break
        }
      }
    }
  }

  private enum State {
    case unseen, open, done
  }

  private func complain(about node: SchemaNode) {
    let place = node.source["$ref"] ?? node.source
    let location = SchemaLocation(
      value: node.source, document: node.document, resource: node.resource)
    problem(
      at: place, in: location, "the schema refers to itself without going deeper",
      fix: "refer to it below \"properties\", \"items\" or the like")
  }
}
