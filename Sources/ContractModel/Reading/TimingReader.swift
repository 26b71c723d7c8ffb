import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Reads `delay`, `pace` and `stall`.
struct TimingReader {
  private static let delayKeys = ["fixed", "uniform", "lognormal"]
  private static let delayNames = JSONNames(delayKeys)
  private static let lognormalKeys = ["median", "sigma", "max"]
  private static let lognormalNames = JSONNames(lognormalKeys)
  private static let paceNames: JSONNames = ["chunks", "over", "bytesPerSecond"]
  private static let stallNames: JSONNames = ["atByte", "atEvent"]

  let complaints: Complaints

  func delay(_ value: JSONValue) -> Delay? {
    if let text = value.string ?? value.number?.text {
      complaints.add(
        .wrongType, at: value, "found \(value.summary), expected an object: a delay",
        fix: Double(text) == nil
          ? "write { \"fixed\": \"\(text)\" }"
          : "write { \"fixed\": \"\(text)ms\" } or { \"fixed\": \"\(text)s\" }")
      return nil
    }
    guard let fields = Fields(value, of: "a delay", keys: Self.delayNames, complaints),
      let key = fields.exactlyOne(of: Self.delayKeys)
    else { return nil }
    let delay: Delay? =
      switch key {
      case "fixed": fields.duration(key).map { .fixed($0) }
      case "uniform": uniform(fields)
      default: fields[key].flatMap(lognormal)
      }
    if let delay, delay.max == .zero {
      fields.complain(
        .badValue, key, "the delay is zero", fix: "choose a longer one, or remove it")
    }
    return delay
  }

  private func uniform(_ fields: Fields) -> Delay? {
    guard let value = fields["uniform"] else { return nil }
    let bounds = Array(value.elements)
    guard bounds.count == 2 else {
      complaints.add(
        .wrongType, at: value, "found \(value.summary), expected two durations: [\"1s\", \"3s\"]")
      return nil
    }
    guard let low = fields.duration(of: bounds[0]), let high = fields.duration(of: bounds[1]) else {
      return nil
    }
    guard low <= high else {
      complaints.add(
        .badValue, at: value,
        "found a range that ends before it starts, expected the lower bound first")
      return nil
    }
    return .uniform(low...high)
  }

  private func lognormal(_ value: JSONValue) -> Delay? {
    guard
      let fields = Fields(
        value, of: "a lognormal delay", keys: Self.lognormalNames, complaints)
    else { return nil }
    let required = Self.lognormalKeys.map { fields.require($0) }
    guard !required.contains(where: { $0 == nil }), let median = fields.duration("median"),
      let max = fields.duration("max")
    else { return nil }
    guard let sigma = fields["sigma"]?.number?.double, sigma > 0, sigma <= 10 else {
      fields.complain(
        .badValue, "sigma",
        "found \(fields["sigma"]?.summary ?? "nothing"), expected a number above 0 and at most 10")
      return nil
    }
    guard median <= max else {
      fields.complain(
        .badValue, "max", "the maximum is below the median",
        fix: "choose a \"max\" above \"median\"")
      return nil
    }
    return .lognormal(median: median, sigma: sigma, max: max)
  }

  func pace(_ value: JSONValue) -> Pace? {
    guard let fields = Fields(value, of: "a pace", keys: Self.paceNames, complaints),
      let key = fields.exactlyOne(of: ["chunks", "bytesPerSecond"])
    else { return nil }
    if key == "bytesPerSecond" {
      if fields.has("over") {
        fields.complain(
          .conflictingKeys, "over", "found \"over\" beside \"bytesPerSecond\", expected one pace",
          fix: "remove \"over\"")
      }
      return fields.int(key, in: 1...1_000_000_000, "a number of bytes from 1").map {
        .bytesPerSecond($0)
      }
    }
    guard fields.require("over") != nil, let over = fields.duration("over"),
      let count = fields.int("chunks", in: 1...100_000, "a number of pieces from 1 to 100000")
    else { return nil }
    return .chunks(count: count, over: over)
  }

  func stall(_ value: JSONValue, bodyByteCount: Int?) -> Stall? {
    if let text = value.string {
      switch text {
      case "beforeHead": return .beforeHead
      case "afterHead": return .afterHead
      default: break
      }
    }
    guard value.kind == .object else {
      complaints.add(
        value.kind == .string ? .badValue : .wrongType, at: value,
        "found \(value.summary), expected \"beforeHead\", \"afterHead\" or { \"atByte\": 100 }")
      return nil
    }
    guard let fields = Fields(value, of: "a stall", keys: Self.stallNames, complaints),
      let key = fields.exactlyOne(of: ["atByte", "atEvent"])
    else { return nil }
    if key == "atEvent" {
      return fields.int(key, in: 0...Int.max, "a number of events from 0").map { .atEvent($0) }
    }
    if bodyByteCount == 0 {
      fields.complain(
        .badValue, "atByte", "an empty body cannot stall",
        fix: "stall at \"afterHead\", or use \"like\" with a case that has a body")
      return nil
    }
    let last = (bodyByteCount ?? .max) - 1
    return fields.int("atByte", in: 0...last, "a byte inside the body, from 0 to \(last)").map {
      .atByte($0)
    }
  }
}
