import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON

/// The times of a stub, in milliseconds, as far as a contract can have them.
struct WireMockTimes {
  typealias Unusable = WireMockStub.Unusable

  let value: JSONValue
  private let pointer: String

  init(_ value: JSONValue, at pointer: String) {
    self.value = value
    self.pointer = pointer
  }

  /// Whole, and from 0; `nil` if the stub has none.
  subscript(key: String) -> Double? {
    get throws(Unusable) {
      guard let value = value[key], !value.isNull else { return nil }
      guard let time = value.number?.double ?? value.string.flatMap({ Double($0) }), time < 1e12
      else {
        throw Unusable(
          "\(pointer)/\(key)",
          "found \(value.summary), expected a number of milliseconds below 1000000000000")
      }
      return max(0, time.rounded())
    }
  }

  func unusable(_ reason: String) -> Unusable { Unusable(pointer, reason) }
}

extension JSONText {
  static func milliseconds(_ time: Double) -> JSONText { .string("\(Int(clamping: time))ms") }
}
