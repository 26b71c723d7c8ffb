import UnderstudyFindings
import UnderstudyJSON

/// A message from a worker to its parent process: a line of JSON.
enum WorkerLine: Equatable {
  /// A check has started another attempt.
  case begun(check: Int)
  /// An attempt at a check has ended, but not the check.
  case attempted(check: Int)
  /// A check has ended.
  case checked(check: Int, Check)
  /// The number of mutants of a check.
  case planned(check: Int, count: Int)
  /// A check could not be checked.
  case notChecked(check: Int, reason: String)
  /// A mutant has started; it is blamed for anything that happens from here on.
  case mutant(number: Int, check: Int, id: String)
  /// The last mutant started had a wrong outcome.
  case found(type: FindingType, message: String)
  case finished
  /// A command has started, with its process number.
  case commandBegun(process: Int)
  case commandEnded(process: Int)

  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in
      switch self {
      case .begun(let check):
        writer.string("begun")
        writer.int(check)
      case .attempted(let check):
        writer.string("attempted")
        writer.int(check)
      case .checked(let index, let check):
        writer.string("checked")
        writer.int(index)
        check.write(to: &writer)
      case .planned(let check, let count):
        writer.string("planned")
        writer.int(check)
        writer.int(count)
      case .notChecked(let check, let reason):
        writer.string("obstacle")
        writer.int(check)
        writer.string(reason)
      case .mutant(let number, let check, let id):
        writer.string("mutant")
        writer.int(number)
        writer.int(check)
        writer.string(id)
      case .found(let type, let message):
        writer.string("found")
        writer.string(type.rawValue)
        writer.string(message)
      case .finished: writer.string("finished")
      case .commandBegun(let process):
        writer.string("commandBegun")
        writer.int(process)
      case .commandEnded(let process):
        writer.string("commandEnded")
        writer.int(process)
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  /// Returns `nil` for a line that is not a worker's; a service may have written it.
  init?(parsing bytes: ArraySlice<UInt8>) {
    guard let values = (try? JSONDocument(parsing: Array(bytes))).map({ Array($0.root.elements) })
    else { return nil }
    let number = values.count > 1 ? values[1].workerNumber : nil
    switch (values.first?.string, values.count) {
    case ("begun", 2):
      guard let number else { return nil }
      self = .begun(check: number)
    case ("attempted", 2):
      guard let number else { return nil }
      self = .attempted(check: number)
    case ("checked", 3):
      guard let number, let check = try? JSONTreeDecoder().decode(Check.self, from: values[2])
      else { return nil }
      self = .checked(check: number, check)
    case ("planned", 3):
      guard let number, let count = values[2].workerNumber else { return nil }
      self = .planned(check: number, count: count)
    case ("obstacle", 3):
      guard let number, let reason = values[2].string else { return nil }
      self = .notChecked(check: number, reason: reason)
    case ("mutant", 4):
      guard let number, let check = values[2].workerNumber, let id = values[3].string
      else { return nil }
      self = .mutant(number: number, check: check, id: id)
    case ("found", 3):
      guard let type = values[1].string.flatMap(FindingType.init), let message = values[2].string
      else { return nil }
      self = .found(type: type, message: message)
    case ("finished", 1): self = .finished
    case ("commandBegun", 2):
      guard let number else { return nil }
      self = .commandBegun(process: number)
    case ("commandEnded", 2):
      guard let number else { return nil }
      self = .commandEnded(process: number)
    default: return nil
    }
  }
}

/// Instructions for a worker: a line of JSON.
package enum WorkerOrder: Equatable, Sendable {
  /// Checks by their numbers in the plan, one at a time or many, and the time limit of each in
  /// addition to its contract's delay.
  case checks([Int], areAlone: Bool, guardTime: Duration)
  /// The mutants from this number on.
  case mutants(from: Int)

  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.array { writer in
      switch self {
      case .checks(let numbers, let areAlone, let guardTime):
        writer.string("checks")
        writer.bool(areAlone)
        writer.int(guardTime.milliseconds)
        writer.array { writer in
          for number in numbers { writer.int(number) }
        }
      case .mutants(let first):
        writer.string("mutants")
        writer.int(first)
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  init?(parsing bytes: [UInt8]) {
    guard let values = (try? JSONDocument(parsing: bytes)).map({ Array($0.root.elements) })
    else { return nil }
    switch (values.first?.string, values.count) {
    case ("checks", 4):
      guard let areAlone = values[1].bool, let milliseconds = values[2].workerNumber
      else { return nil }
      self = .checks(
        values[3].elements.compactMap(\.workerNumber), areAlone: areAlone,
        guardTime: .milliseconds(milliseconds))
    case ("mutants", 2):
      guard let first = values[1].workerNumber else { return nil }
      self = .mutants(from: first)
    default: return nil
    }
  }
}

extension JSONValue {
  /// A count or an index small enough to add without overflow.
  fileprivate var workerNumber: Int? { int.flatMap { 0...Int(Int32.max) ~= $0 ? $0 : nil } }
}
