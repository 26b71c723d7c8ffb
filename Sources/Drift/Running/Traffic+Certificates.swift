import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings

extension [Traffic] {
  /// Warns of certificates that end within this many days: once for each host and port, at the
  /// first upstream whose requests went there.
  func certificateFindings(
    withinDays days: Int, of now: Moment, _ upstreams: [Upstream]
  ) -> [Finding] {
    var ends = reduce(into: [:]) { $0.merge($1.certificateEnds, uniquingKeysWith: Swift.min) }
    return upstreams.flatMap { upstream in
      let origins = first { $0.upstream == upstream.name }?.secureOrigins ?? []
      return origins.sorted { $0.text < $1.text }.compactMap { origin in
        ends.removeValue(forKey: origin).flatMap { end in
          upstream.certificateFinding(of: origin, endingIn: end - now, at: end, withinDays: days)
        }
      }
    }
  }
}

extension Upstream {
  fileprivate func certificateFinding(
    of origin: WebURL, endingIn remaining: Duration, at end: Moment, withinDays days: Int
  ) -> Finding? {
    guard remaining > .zero, remaining <= .seconds(days * 86_400) else { return nil }
    let wholeDays = Int(remaining.components.seconds / 86_400)
    let time = wholeDays > 0 ? wholeDays.of("day") : "less than a day"
    return Finding(
      .warning, .certificateEnds,
      "the certificate of \(origin.authority) ends on \(end.date) (in \(time)), expected more than"
        + " \(days.of("day"))",
      at: Place(file, basePosition),
      fix: "ask \(owner ?? "whoever runs \(name)") to renew it: once it has ended, no client can"
        + " connect")
  }
}
