import UnderstudyClient

/// A moment in seconds since the beginning of 2001, as DogPatch counts since October 2021. Until
/// then it counted from 1970, which no check of types can see.
public struct ReferenceDate: Hashable, Sendable {
  private static let secondsFrom1970To2001 = 978_307_200.0
  /// 1 January 2030: contracts do not depend on a machine's clock before that.
  private static let earliestNow = Moment(unixSeconds: 1_893_456_000)
  private static let yearSeconds = 31_556_952.0

  public let seconds: Double

  public init(seconds: Double) { self.seconds = seconds }

  /// `2026-11-17T17:25:12.106Z`; what lies before 1970 or after 2222 is moved to these.
  public var text: String {
    let exact = ((seconds + Self.secondsFrom1970To2001) * 1_000).rounded(.down)
    let milliseconds = Int64(exactly: min(max(exact, 0), 8e12)) ?? 0
    return Moment(microseconds: milliseconds * 1_000).exactRFC3339
  }

  /// Whether this is at most 20 years before 2001 and at most a year from now. A date in seconds
  /// since 1970 reads 31 years too late, so one of the last thirty years never passes.
  func isPlausible(now: Moment) -> Bool {
    let latest = Double(max(now, Self.earliestNow).unixSeconds) + Self.yearSeconds
    return seconds >= -20 * Self.yearSeconds && seconds + Self.secondsFrom1970To2001 <= latest
  }
}

extension ReferenceDate: Decodable {
  public init(from decoder: any Decoder) throws {
    seconds = try decoder.singleValueContainer().decode(Double.self)
  }
}
