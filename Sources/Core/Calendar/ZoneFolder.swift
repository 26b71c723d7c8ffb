import Synchronization
import UnderstudySystem

/// A folder of the IANA time zone database. Each zone is read once.
package final class ZoneFolder: Sendable {
  /// The one of this machine, or the one that `TZDIR` names.
  package static let machine = ZoneFolder(Environment["TZDIR"] ?? "/usr/share/zoneinfo")

  private let path: String
  private let zones = Mutex<[String: Zone]>([:])

  package init(_ path: String) { self.path = path }

  package func zone(named name: String) throws(Failure) -> Zone {
    if let zone = zones.withLock({ $0[name] }) { return zone }
    guard Self.isName(name) else {
      throw Failure(
        message: "found time zone \"\(name)\", expected UTC, an offset or a name of the IANA"
          + " database", fix: "write \"UTC\", \"+02:00\" or \"Europe/Berlin\"")
    }
    let file = "\(path)/\(name)"
    guard (try? FileRoot.anywhere.kind(of: file)) == .file else { throw unknown(name) }
    guard let table = ZoneTable(try FileRoot.anywhere.read(file)) else {
      throw Failure(
        message: "time zone \"\(name)\" cannot be used: \(file) is not a time zone file",
        fix: "install the time zones of this machine again, or write the offset: \"+02:00\"")
    }
    let zone = Zone(name: name, table)
    zones.withLock { $0[name] = zone }
    return zone
  }

  /// Whether it can be a zone's path in the database.
  private static func isName(_ name: String) -> Bool {
    name.utf8.first?.isLetter == true
      && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
        !part.isEmpty
          && part.utf8.allSatisfy {
            $0.isLetterOrDigit || $0 == .hyphen || $0 == .plus || $0 == UInt8(ascii: "_")
          }
      }
  }

  private func unknown(_ name: String) -> Failure {
    let names = names
    guard !names.isEmpty else {
      return Failure(
        message: "time zone \"\(name)\" cannot be used: this machine has no time zones in \(path)",
        fix: "install tzdata, or write the offset: \"+02:00\"")
    }
    let nearest = Spelling.nearest(to: name, among: names)
    return Failure(
      message: "\(path) has no time zone \"\(name)\"",
      fix: nearest.map { "write \"\($0)\"" }
        ?? "write a name such as \"Europe/Berlin\", or the offset: \"+02:00\"")
  }

  /// All zones, whose names begin with a capital, sorted.
  private var names: [String] {
    var found: [String] = []
    var pending = [""]
    while let prefix = pending.popLast() {
      for name in (try? FileRoot.anywhere.names(in: "\(path)/\(prefix)")) ?? []
      where name.first?.isUppercase == true {
        switch try? FileRoot.anywhere.kind(of: "\(path)/\(prefix)\(name)") {
        case .file: found.append(prefix + name)
        case .folder: pending.append("\(prefix)\(name)/")
        default: break
        }
      }
    }
    return found.sorted()
  }
}
