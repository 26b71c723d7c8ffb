import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// Finds parameters that do not look like identifiers: the segments in which siblings such as
/// `/products/TEA-1` and `/products/MUG-1` differ, where their responses have one shape.
///
/// Each place of the paths is looked at once, from the left: what is a parameter there is one in
/// all paths that begin so.
struct SlugGuess {
  /// Siblings that may be one contract, though nothing but their shape says so.
  struct Offer {
    /// `/products/{id}`
    let path: String
    let values: [String]
    /// The index of the first exchange.
    let first: Int
  }

  /// The path of each exchange, and whether some of it is a guess.
  private(set) var templates: [(segments: [PathTemplate.Segment], isGuess: Bool)] = []
  /// The exchanges that got a parameter here.
  private(set) var changed: Set<Int> = []
  private(set) var offers: [Offer] = []
  private let exchanges: [RecordedExchange]
  private let isOpen: [Bool]
  private var shapes: [Int: ResponseShape] = [:]

  /// Longer paths are left as they are.
  private static let segmentCountMax = 32
  /// How many shapes are told apart among siblings.
  private static let shapeCountMax = 8

  /// - Parameter templates: of the exchanges; those that are given stay as they are.
  init(
    _ exchanges: [RecordedExchange],
    _ templates: [(segments: [PathTemplate.Segment], source: PathGuess.Source)]
  ) {
    self.exchanges = exchanges
    self.templates = templates.map { ($0.segments, $0.source == .guess) }
    isOpen = zip(exchanges, templates).map { exchange, template in
      template.source != .given && exchange.operation == nil
        && template.segments.count <= Self.segmentCountMax
    }
    let depth = templates.indices.filter { isOpen[$0] }.map { templates[$0].segments.count }.max()
    for place in 0..<(depth ?? 0) { look(at: place) }
    for index in changed {
      self.templates[index].segments = PathGuess.named(
        exchanges[index].segments, self.templates[index].segments.map(\.isParameter))
    }
  }

  private mutating func look(at place: Int) {
    var families: [String: [Int]] = [:]
    var order: [String] = []
    for index in exchanges.indices where exchanges[index].method == "GET" {
      guard let value = literal(of: index, at: place), !Self.isVersion(value) else { continue }
      let key = start(of: index, place) + "/{}" + end(of: index, after: place)
      if families[key] == nil { order.append(key) }
      families[key, default: []].append(index)
    }
    var slugs: [String: Set<String>] = [:]
    for key in order {
      guard let family = families[key], let first = family.first else { continue }
      let found = values(of: family, at: place)
      guard !found.values.isEmpty else { continue }
      if found.areSlugs {
        slugs[start(of: first, place), default: []].formUnion(found.values)
      } else {
        offer(found.values, of: first, at: place)
      }
    }
    guard !slugs.isEmpty else { return }
    for index in exchanges.indices {
      guard let value = literal(of: index, at: place),
        slugs[start(of: index, place)]?.contains(value) == true
      else { continue }
      templates[index].segments[place] = .parameter("id")
      templates[index].isGuess = true
      changed.insert(index)
    }
  }

  private func literal(of index: Int, at place: Int) -> String? {
    guard isOpen[index], place < templates[index].segments.count,
      case .literal(let text) = templates[index].segments[place], !text.isEmpty
    else { return nil }
    return text
  }

  private func start(of index: Int, _ place: Int) -> String {
    templates[index].segments[..<place].map(\.keyText).joined()
  }

  private func end(of index: Int, after place: Int) -> String {
    templates[index].segments[(place + 1)...].map(\.keyText).joined()
  }

  /// `v1`, which tells APIs apart.
  private static func isVersion(_ text: String) -> Bool {
    text.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "v")
      && text.utf8.dropFirst().first?.isDigit == true
  }

  // MARK: - Siblings

  /// The values of siblings whose responses have one shape, and of those that only failed.
  ///
  /// They are slugs if at least two, and half of all, have a digit or are in their own responses.
  /// What comes first in a path must be in the responses.
  private mutating func values(
    of family: [Int], at place: Int
  ) -> (values: [String], areSlugs: Bool) {
    var order: [String] = []
    var indices: [String: [Int]] = [:]
    for index in family {
      guard let value = literal(of: index, at: place) else { continue }
      if indices[value] == nil { order.append(value) }
      indices[value, default: []].append(index)
    }
    guard order.count > 1 else { return ([], false) }
    var clusters: [(shape: ResponseShape, values: [String], likely: Int)] = []
    var failed: [String] = []
    for value in order {
      let own = indices[value] ?? []
      if own.allSatisfy({ exchanges[$0].responses.allSatisfy { $0.status >= 400 } }) {
        failed.append(value)
        continue
      }
      guard let shape = firstShape(of: own) else { continue }
      let hasDigit = place > 0 && value.utf8.contains(where: \.isDigit)
      let isLikely = hasDigit || shape.texts.contains(value.lowercased())
      if let known = clusters.firstIndex(where: { $0.shape.resembles(shape) }) {
        clusters[known].values.append(value)
        clusters[known].likely += isLikely ? 1 : 0
      } else if clusters.count < Self.shapeCountMax {
        clusters.append((shape, [value], isLikely ? 1 : 0))
      }
    }
    let largest = clusters.reduce(nil as (shape: ResponseShape, values: [String], likely: Int)?) {
      $0.map { $0.values.count } ?? 0 < $1.values.count ? $1 : $0
    }
    guard let largest, largest.values.count > 1 else { return ([], false) }
    let areSlugs = largest.likely > 1 && 2 * largest.likely >= largest.values.count
    if areSlugs { return (largest.values + failed, true) }
    return place > 0 && largest.shape.isTelling ? (largest.values, false) : ([], false)
  }

  private mutating func offer(_ values: [String], of first: Int, at place: Int) {
    var parameters = templates[first].segments.map(\.isParameter)
    parameters[place] = true
    let path = PathGuess.named(exchanges[first].segments, parameters).pathText
    offers.append(Offer(path: path, values: values, first: first))
  }

  private mutating func firstShape(of indices: [Int]) -> ResponseShape? {
    for index in indices {
      if let known = shapes[index] { return known }
      let response = exchanges[index].responses.first { 200..<300 ~= $0.status }
      guard let response, let root = JSONDocument(valid: response.body)?.root,
        let shape = ResponseShape(root)
      else { continue }
      shapes[index] = shape
      return shape
    }
    return nil
  }
}

/// The members of a JSON response, or of the first element of its array.
private struct ResponseShape {
  private static let memberCountMax = 100
  private static let wrapperCountMax = 3

  private let isArray: Bool
  private let kinds: [String: JSONValue.Kind]
  /// The texts in it, and in the objects in it, in lower case.
  let texts: Set<String>

  /// `nil` where there are no members.
  init?(_ root: JSONValue) {
    var value = root
    var isArray = false
    for _ in 0..<Self.wrapperCountMax {
      if value.kind == .array, let first = value[0] {
        (value, isArray) = (first, true)
      } else if value.count == 1, let only = value.members.first(where: { _ in true })?.value,
        only.kind == .object || only.kind == .array
      {
        value = only
      } else {
        break
      }
    }
    guard value.kind == .object, value.count > 0 else { return nil }
    let members = Array(value.members.prefix(Self.memberCountMax))
    self.isArray = isArray
    kinds = Dictionary(members.map { ($0.key, $0.value.kind) }, uniquingKeysWith: { $1 })
    let inner = members.flatMap { $0.value.members.prefix(Self.memberCountMax) }
    texts = Set((members + inner).compactMap { $0.value.string?.lowercased() })
  }

  /// Whether it has enough members that others do not have them by chance.
  var isTelling: Bool { kinds.count > 2 }

  /// Whether most members are in both, and are of one kind there.
  func resembles(_ other: ResponseShape) -> Bool {
    guard isArray == other.isArray else { return false }
    let shared = kinds.keys.filter { other.kinds[$0] != nil }
    let union = kinds.count + other.kinds.count - shared.count
    guard shared.count > 1, 10 * shared.count >= 6 * union else { return false }
    return shared.allSatisfy { key in
      kinds[key] == other.kinds[key] || kinds[key] == .null || other.kinds[key] == .null
    }
  }
}

extension PathTemplate.Segment {
  fileprivate var isParameter: Bool { if case .parameter = self { true } else { false } }

  /// Neither a slash nor braces are in the text of a literal as it is sent.
  fileprivate var keyText: String {
    switch self {
    case .literal(let text): "/\(PercentEncoding.encode(text))"
    case .parameter: "/{}"
    }
  }
}
