import Findings
import JSON

/// What a worker tells the process that started it: a line of JSON.
enum WorkerLine: Equatable {
  /// So many mutants of a check are to come.
  case planned(check: Int, count: Int)
  /// Nothing can be said of a check.
  case obstacle(check: Int, reason: String)
  /// A mutant begins; whatever happens from here on is its doing.
  case begun(number: Int, check: Int, id: String)
  /// The mutant that began last did not end as it must.
  case found(type: FindingType, message: String)
  case finished

  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in
      switch self {
      case .planned(let check, let count):
        writer.string("planned")
        writer.int(check)
        writer.int(count)
      case .obstacle(let check, let reason):
        writer.string("obstacle")
        writer.int(check)
        writer.string(reason)
      case .begun(let number, let check, let id):
        writer.string("begun")
        writer.int(number)
        writer.int(check)
        writer.string(id)
      case .found(let type, let message):
        writer.string("found")
        writer.string(type.rawValue)
        writer.string(message)
      case .finished: writer.string("finished")
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  init?(parsing bytes: ArraySlice<UInt8>) {
    guard let values = (try? JSONDocument(parsing: Array(bytes))).map({ Array($0.root.elements) })
    else { return nil }
    switch (values.first?.string, values.count) {
    case ("planned", 3):
      guard let check = values[1].int, let count = values[2].int else { return nil }
      self = .planned(check: check, count: count)
    case ("obstacle", 3):
      guard let check = values[1].int, let reason = values[2].string else { return nil }
      self = .obstacle(check: check, reason: reason)
    case ("begun", 4):
      guard let number = values[1].int, let check = values[2].int, let id = values[3].string
      else { return nil }
      self = .begun(number: number, check: check, id: id)
    case ("found", 3):
      guard let type = values[1].string.flatMap(FindingType.init), let message = values[2].string
      else { return nil }
      self = .found(type: type, message: message)
    case ("finished", 1): self = .finished
    default: return nil
    }
  }
}
