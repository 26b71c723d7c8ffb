import UnderstudyJSON
import UnderstudySchema

extension SchemaView {
  func view(at step: BodyStep) -> SchemaView {
    switch step {
    case .member(let name): member(name)
    case .slot(let index): slot(index)
    case .each:
      parts.contains { $0["items"] != nil } ? elements : entries
    }
  }
}
