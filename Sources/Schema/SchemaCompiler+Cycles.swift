import UnderstudyJSON

extension SchemaCompiler {
  /// Complains about schemas that apply themselves to the very value they are applied to: they
  /// would never end.
  ///
  /// A `$dynamicRef` is left out, since where it leads depends on the way there; such a cycle is
  /// caught while validating.
  func findCycles(in nodes: [SchemaNode]) {
    var states = [State](repeating: .unseen, count: nodes.count)
    for start in nodes.indices where states[start] == .unseen {
      // A stack of our own: chains of references may be far longer than schemas are deep.
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
      at: place, in: location, "found a schema that refers to itself without going deeper",
      fix: "refer to it below \"properties\", \"items\" or the like")
  }
}
