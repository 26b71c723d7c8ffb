import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudyCore

@Suite struct ZoneTests {
  /// A file as `zic` writes it, with one change in 1970 and then a rule.
  static func file(changes: [(Int, UInt8)] = [(0, 1)], offsets: [Int], rule: String) -> [UInt8] {
    func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
      (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func header(_ changeCount: Int, _ typeCount: Int) -> [UInt8] {
      Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
        + [0, 0, 0, changeCount, typeCount, 4].flatMap { number($0, 4) }
    }
    let names = Array("ABC\0".utf8)
    return header(0, 1) + [0, 0, 0, 0, 0, 0] + names
      + header(changes.count, offsets.count) + changes.flatMap { number($0.0, 8) }
      + changes.map(\.1) + offsets.flatMap { number($0, 4) + [0, 0] } + names
      + Array("\n\(rule)\n".utf8)
  }

  static let berlin = file(offsets: [3_208, 3_600], rule: "CET-1CEST,M3.5.0,M10.5.0/3")

  @Test("reads changes, and the rule that follows the last of them")
  func table() throws {
    let table = try #require(ZoneTable(Self.berlin))
    #expect(table.offset(at: -1) == 3_208)
    #expect(table.offset(at: 0) == 3_600)
    // 2450-07-01
    #expect(table.offset(at: 15_163_027_200) == 7_200)
  }

  @Test(
    "follows the rules of POSIX",
    arguments: [
      // Around 2026-03-29T01:00Z and 2026-10-25T01:00Z.
      ("CET-1CEST,M3.5.0,M10.5.0/3", [(1_774_745_999, 3_600), (1_774_746_000, 7_200)]),
      ("CET-1CEST,M3.5.0,M10.5.0/3", [(1_792_889_999, 7_200), (1_792_890_000, 3_600)]),
      // Summer at the turn of the year, by half an hour: until 2026-04-04T15:00Z.
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", [(1_775_314_799, 39_600), (1_775_314_800, 37_800)]),
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", [(1_767_225_600, 39_600)]),
      // Winter time as an exception, as in Ireland.
      ("IST-1GMT0,M10.5.0,M3.5.0/1", [(1_767_225_600, 0), (1_782_864_000, 3_600)]),
      // The day before, at 22:00.
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", [(1_774_745_999, -7_200), (1_774_746_000, -3_600)]),
      // 1 March is day 60 with J in every year, and day 60 or 59 without.
      ("ABC0DEF,J60/0,J61/0", [(1_772_323_200, 3_600)]),
      ("ABC0DEF,59/0,60/0", [(1_772_323_199, 0), (1_772_323_200, 3_600)]),
      ("UTC0", [(0, 0)]), ("<+0545>-5:45", [(0, 20_700)]),
    ] as [(String, [(Int, Int)])])
  func rules(text: String, expected: [(at: Int, offset: Int)]) throws {
    let rule = try #require(ZoneRule(Array(text.utf8)[...]))
    for (at, offset) in expected { #expect(rule.offset(at: at) == offset, "at \(at)") }
  }

  @Test(
    "refuses what is no rule",
    arguments: [
      "", "CE", "CET", "CET-", "CET-25", "CET-1:60", "CET-1CEST", "CET-1CEST,M3.5.0",
      "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0",
      "CET-1CEST,J0,J5", "CET-1CEST,366,5", "CET-1CEST,M3.5.0,M10.5.0/168", "<+01-1", "UTC0 ",
      "CET-1CEST,M3.5.0,M10.5.0x",
    ])
  func badRules(text: String) {
    #expect(ZoneRule(Array(text.utf8)[...]) == nil)
  }

  @Test("a file that is cut short is none, and no mutation is fatal")
  func mutation() throws {
    for count in 0..<Self.berlin.count {
      #expect(ZoneTable(Array(Self.berlin[..<count])) == nil, "\(count) bytes")
    }
    var dice = Dice(seed: 3)
    for _ in 0..<5_000 {
      var bytes = Self.berlin
      for _ in 0...dice.below(3) { bytes[dice.below(bytes.count)] = UInt8(dice.below(256)) }
      for second in [-1, 0, 1_800_000_000, 1 << 60] where dice.below(2) == 0 {
        _ = ZoneTable(bytes)?.offset(at: min(second, 1 << 45))
      }
    }
  }

  @Test(
    "a time that clocks skip is moved on, and one that they show twice is the first or the same")
  func gaps() throws {
    let zone = Zone(name: "Europe/Berlin", try #require(ZoneTable(Self.berlin)))
    func local(_ text: String) throws -> Int {
      Int(clamping: try Date(text + "Z", strategy: .iso8601).timeIntervalSince1970)
    }
    let skipped = zone.instant(ofLocal: try local("2026-03-29T02:30:00"))
    #expect(zone.rfc3339(unixSeconds: skipped) == "2026-03-29T03:30:00+02:00")
    let twice = try local("2026-10-25T02:30:00")
    let first = zone.instant(ofLocal: twice)
    #expect(zone.rfc3339(unixSeconds: first) == "2026-10-25T02:30:00+02:00")
    let same = zone.instant(ofLocal: twice, preferring: 3_600)
    #expect(zone.rfc3339(unixSeconds: same) == "2026-10-25T02:30:00+01:00")
  }

  // MARK: - Folders

  private static func inFolder(_ test: (ZoneFolder, String) throws -> Void) throws {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    try FileManager.default.createDirectory(
      at: root.appending(path: "Europe"), withIntermediateDirectories: true)
    try Data(berlin).write(to: root.appending(path: "Europe/Berlin"))
    try Data("# tab".utf8).write(to: root.appending(path: "Europe/Broken"))
    try test(ZoneFolder(root.path), root.path)
  }

  @Test("reads zones by name, and offsets without a file")
  func names() throws {
    try Self.inFolder { folder, _ in
      let berlin = try Zone("Europe/Berlin", in: folder)
      #expect(berlin.offset(at: 1_782_864_000) == 7_200)
      #expect(try Zone("Z", in: folder) == .utc)
      #expect(try Zone("-0330", in: folder).offset(at: 0) == -12_600)
      #expect(try Zone("+23:59", in: folder).offset(at: 0) == 86_340)
    }
  }

  @Test(
    "says what is wrong with a zone",
    arguments: [
      (
        "Europe/Berln", "ROOT has no time zone \"Europe/Berln\"",
        "write \"Europe/Berlin\""
      ),
      (
        "europe/berlin", "ROOT has no time zone \"europe/berlin\"",
        "write \"Europe/Berlin\""
      ),
      (
        "Atlantis", "ROOT has no time zone \"Atlantis\"",
        "write a name such as \"Europe/Berlin\", or the offset: \"+02:00\""
      ),
      (
        "Europe", "ROOT has no time zone \"Europe\"",
        "write a name such as \"Europe/Berlin\", or the offset: \"+02:00\""
      ),
      (
        "Europe/Broken",
        "time zone \"Europe/Broken\" cannot be used: ROOT/Europe/Broken is not a time zone file",
        "install the time zones of this machine again, or write the offset: \"+02:00\""
      ),
      (
        "/etc/passwd",
        "found time zone \"/etc/passwd\", expected UTC, an offset or a name of the IANA database",
        "write \"UTC\", \"+02:00\" or \"Europe/Berlin\""
      ),
      ("+24:00", "found offset \"+24:00\", expected hours and minutes", "write \"+02:00\""),
      ("+2:000", "found offset \"+2:000\", expected hours and minutes", "write \"+02:00\""),
    ])
  func complaints(name: String, message: String, fix: String) throws {
    try Self.inFolder { folder, path in
      #expect(throws: Failure(message: message.replacing("ROOT", with: path), fix: fix)) {
        try Zone(name, in: folder)
      }
    }
  }

  @Test("a machine without time zones says what to install")
  func none() {
    #expect(
      throws: Failure(
        message:
          "time zone \"Europe/Berlin\" cannot be used: this machine has no time zones in /no/zones",
        fix: "install tzdata, or write the offset: \"+02:00\"")
    ) { try Zone("Europe/Berlin", in: ZoneFolder("/no/zones")) }
  }
}
