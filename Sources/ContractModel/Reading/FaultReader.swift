import UnderstudyFindings
import UnderstudyJSON

/// Reads `fault`.
struct FaultReader {
  private static let names: JSONNames = ["name", "atEvent"]

  /// The fault, and the number of events before it.
  static func read(_ fields: Fields) -> (fault: Fault?, atEvent: Int?) {
    guard let value = fields["fault"], value.kind == .object else {
      return (fields.choice("fault", rule: .unknownFault), nil)
    }
    guard
      let inner = Fields(value, of: "a fault", keys: names, fields.complaints),
      inner.require("name") != nil, let fault: Fault = inner.choice("name", rule: .unknownFault)
    else { return (nil, nil) }
    if !fault.isInBody {
      inner.complain(
        .badValue, "name",
        "found \(fault.rawValue) in an object, expected a fault in the body",
        fix: "write \"fault\": \"\(fault.rawValue)\", or name CONNECTION_RESET_IN_BODY")
    }
    return (fault, inner.int("atEvent", in: 0...Int.max, "a number of events from 0"))
  }
}
