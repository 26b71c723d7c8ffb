import Testing

/// Folders of a target use one another in one direction: whoever reads one need not know those
/// above.
@Suite struct LayerTests {
  /// By target: which folder uses which, each with one place that shows it.
  private static let uses: [String: [String: [String: String]]] = {
    var targets: [String: [Repository.File]] = [:]
    for file in Repository.sourceFiles where !file.isGenerated {
      let parts = file.path.split(separator: "/")
      targets[parts[0] == "FakeServer" ? "FakeServer" : "Sources/\(parts[1])", default: []]
        .append(file)
    }
    return targets.reduce(into: [:]) { $0[$1.key] = Self.uses(of: $1.value, in: $1.key) }
  }()

  private static func folder(of file: Repository.File, in target: String) -> String {
    let parts = file.path.dropFirst(target.count + 1).split(separator: "/").dropLast()
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  private static func uses(
    of files: [Repository.File], in target: String
  ) -> [String: [String: String]] {
    let words = files.map { Set(names(in: $0)) }
    var homes: [Substring: String] = [:]
    for file in files {
      for name in declarations(in: file) { homes[name] = folder(of: file, in: target) }
    }
    var uses: [String: [String: String]] = [:]
    for (file, names) in zip(files, words) {
      let folder = folder(of: file, in: target)
      for name in names {
        guard let home = homes[name], home != folder else { continue }
        uses[folder, default: [:]][home] = "\(file.path) uses \(name)"
      }
    }
    return uses
  }

  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "final", "indirect", "nonisolated",
  ]
  private static let kinds: Set<Substring> = [
    "struct", "class", "enum", "actor", "protocol", "typealias",
  ]

  /// The types a file declares at its top for others to see.
  private static func declarations(in file: Repository.File) -> [Substring] {
    file.code.compactMap { _, line in
      guard let first = line.utf8.first, first != UInt8(ascii: " "), first != UInt8(ascii: "}")
      else { return nil }
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        .drop { modifiers.contains($0) }
      guard let kind = words.first, kinds.contains(kind) else { return nil }
      return words.dropFirst().first
    }
  }

  /// Words of the code that begin with a capital, but for those in texts.
  private static func names(in file: Repository.File) -> [Substring] {
    file.code.flatMap { _, line in
      line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap {
        index, part -> [Substring] in
        index % 2 == 1
          ? []
          : part.utf8.split { byte in
            !(0x61...0x7A ~= byte || 0x41...0x5A ~= byte || 0x30...0x39 ~= byte || byte == 0x5F)
          }
          .filter { 0x41...0x5A ~= $0.first ?? 0 }.map { Substring($0) }
      }
    }
  }

  @Test("a module declares what it imports, so that it is built after it")
  func imports() {
    #expect(Manifest.uses.count > 20, "Package.swift could not be read")
    var complaints: [String] = []
    for (target, uses) in Manifest.uses {
      let folder =
        switch target {
        case "FakeServer": "FakeServer/"
        case "TestSupport": "Tests/TestSupport/"
        default: "Sources/\(target)/"
        }
      let files = Repository.swiftFiles.filter { $0.path.hasPrefix(folder) }
      #expect(!files.isEmpty, "\(folder) has no sources")
      for file in files {
        guard !file.isGenerated, !file.path.hasPrefix("Sources/Showcase/Main/") else { continue }
        for match in file.text.matches(of: #/(?m)^(?:\w+ )?import Understudy(\w+)$/#)
        where !uses.contains(String(match.1)) {
          complaints.append(
            "\(file.path): imports \(match.1), which Package.swift does not let it use")
        }
      }
    }
    expectNone(complaints)
  }

  @Test("no folder of a target uses one that uses it")
  func layers() {
    var complaints: [String] = []
    for (target, uses) in Self.uses.sorted(by: { $0.key < $1.key }) {
      for start in uses.keys.sorted() {
        guard let circle = Self.circle(from: start, in: uses), circle.min() == start else {
          continue
        }
        let steps = zip(circle, circle.dropFirst() + [start]).map { uses[$0]?[$1] ?? "" }
        complaints.append("\(target): \(steps.joined(separator: "; "))")
      }
    }
    expectNone(complaints)
  }

  /// The shortest way from a folder back to itself.
  private static func circle(
    from start: String, in uses: [String: [String: String]]
  ) -> [String]? {
    var ways = [[start]]
    var seen: Set<String> = []
    while !ways.isEmpty {
      var longer: [[String]] = []
      for way in ways {
        for next in uses[way[way.count - 1]]?.keys.sorted() ?? [] {
          if next == start { return way }
          if seen.insert(next).inserted { longer.append(way + [next]) }
        }
      }
      ways = longer
    }
    return nil
  }
}
