/// What clocks show in a place: UTC, a fixed offset, or a zone of the IANA database with its
/// daylight saving time.
///
/// The folder computes dates as templates and schemas need them, without Foundation. Read this
/// file, then `ZoneFolder`, which finds zones on the machine and reads each once; `ZoneTable` and
/// `ZoneRule`, which have the changes of a zone up to a year and after it; then `DateStep` and
/// `DatePattern`, which move and write a date.
///
/// Values never change after reading. Offsets come from the machine's database, so results depend
/// on its version. A local time that is skipped or shown twice always gives the same moment, as
/// `instant(ofLocal:preferring:)` says.
package struct Zone: Sendable {
  package static let utc = Zone(name: "UTC", fixed: 0)

  /// `UTC`, `+02:00` or `Europe/Berlin`; zones of one name are equal.
  package let name: String
  private let fixed: Int
  private let table: ZoneTable?

  private init(name: String, fixed: Int) {
    (self.name, self.fixed, table) = (name, fixed, nil)
  }

  /// Clocks that are so many seconds ahead of UTC.
  init(fixed offset: Int) { self.init(name: offset.asOffset(hasColon: true), fixed: offset) }

  init(name: String, _ table: ZoneTable) {
    (self.name, fixed, self.table) = (name, 0, table)
  }

  /// Reads `UTC`, `Z`, `+02:00` or the name of a zone in a folder.
  package init(_ text: String, in folder: ZoneFolder = .machine) throws(Failure) {
    if text == "UTC" || text == "Z" {
      self = .utc
    } else if let sign = text.utf8.first, sign == .plus || sign == .hyphen {
      guard let seconds = Self.seconds(ofOffset: text.dropFirst()) else {
        throw Failure(
          message: "found offset \"\(text)\", expected hours and minutes", fix: "write \"+02:00\"")
      }
      self.init(name: text, fixed: sign == .hyphen ? -seconds : seconds)
    } else {
      self = try folder.zone(named: text)
    }
  }

  private static func seconds(ofOffset text: Substring) -> Int? {
    let digits = text.utf8.filter { $0 != .colon }
    let hasColon = text.utf8.count == 5 && text.utf8.dropFirst(2).first == .colon
    guard digits.allSatisfy(\.isDigit), digits.count == 4,
      hasColon || text.utf8.count == 4, let number = Int(String(decoding: digits, as: UTF8.self)),
      number < 2_400, number % 100 < 60
    else { return nil }
    return number / 100 * 3_600 + number % 100 * 60
  }

  /// How far clocks are ahead of UTC.
  package func offset(at unixSeconds: Int) -> Int {
    table?.offset(at: unixSeconds) ?? fixed
  }

  /// The second at which clocks show a local time, given as if it were in UTC.
  ///
  /// A time that clocks skip is moved forward by what they skip. Of a time that they show twice,
  /// it is the one with the preferred offset, otherwise the first.
  func instant(ofLocal local: Int, preferring preferred: Int? = nil) -> Int {
    if let preferred, offset(at: local - preferred) == preferred { return local - preferred }
    // No zone changes twice within two days.
    let (before, after) = (offset(at: local - 86_400), offset(at: local + 86_400))
    let early = local - before
    if offset(at: early) == before { return early }
    return offset(at: local - after) == after ? local - after : early
  }
}

extension Zone: Hashable {
  package static func == (left: Self, right: Self) -> Bool { left.name == right.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
