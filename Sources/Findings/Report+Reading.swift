package import UnderstudyCore
import UnderstudyJSON

extension Report {
  /// Reads what `json` writes. `file` is used in errors.
  package init(parsing bytes: [UInt8], file: String) throws(Failure) {
    let root = try JSONDocument(
      parsing: bytes, file: file, fix: "use the whole file that --report json=PATH wrote"
    ).root
    guard let version = root["schemaVersion"]?.int else { throw .noReport(file: file) }
    guard version == Self.schemaVersion else { throw .otherVersion(version, file: file) }
    do {
      self = try JSONTreeDecoder().decode(Report.self, from: root)
    } catch {
      throw .broken(error, file: file)
    }
  }
}

extension Report: Decodable {
  private enum Key: String, CodingKey { case run, checks, findings, owners }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    self.init(
      try members.decode(Run.self, forKey: .run),
      checks: try members.decode([Check].self, forKey: .checks),
      findings: try members.decode([Finding].self, forKey: .findings),
      owners: try members.decodeIfPresent([String: String].self, forKey: .owners) ?? [:])
  }
}

extension Run: Decodable {
  private enum Key: String, CodingKey {
    case command, toolVersion, seed, shard, division, plannedCount, failsOn, startedAt
    case durationNanoseconds, commit, branch
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    self.init(
      command: try members.decode(String.self, forKey: .command),
      toolVersion: try members.decode(String.self, forKey: .toolVersion),
      seed: try members.decodeIfPresent(UInt64.self, forKey: .seed),
      shard: try members.decodeIfPresent(String.self, forKey: .shard).map { text in
        guard let shard = Shard(parsing: text) else {
          throw members.refusal(of: .shard, "expected one such as 2/8")
        }
        return shard
      },
      division: try members.decodeIfPresent(String.self, forKey: .division),
      plannedCount: try members.count(.plannedCount),
      failsOn: try members.choice(.failsOn, "a severity"),
      startedAt: try members.decode(String.self, forKey: .startedAt),
      duration: .nanoseconds(try members.count(.durationNanoseconds)),
      revision: Revision(
        commit: try members.decodeIfPresent(String.self, forKey: .commit),
        branch: try members.decodeIfPresent(String.self, forKey: .branch)))
  }
}

extension Check: Decodable {
  private enum Key: String, CodingKey {
    case contract, `case`, consumer, result, reason, cause, attempts, durationNanoseconds, findings
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    let result: CheckResult = try members.choice(.result, "a result")
    let reason = try members.decodeIfPresent(String.self, forKey: .reason)
    let cause = try members.decodeIfPresent(String.self, forKey: .cause)
    let findings = try members.decode([Finding].self, forKey: .findings)
    let isChecked = result == .pass || result == .fail
    guard isChecked == (reason == nil) else {
      throw members.refusal(
        of: .result, isChecked ? "it has a reason" : "it has no reason")
    }
    guard result != .fail || !findings.isEmpty else {
      throw members.refusal(of: .result, "it has no finding")
    }
    self.init(
      Identity(
        try members.decode(String.self, forKey: .contract),
        try members.decode(String.self, forKey: .case),
        consumer: try members.decodeIfPresent(String.self, forKey: .consumer)),
      at: try Place(from: decoder), result, because: reason,
      cause: cause.flatMap(Cause.init), findings,
      .nanoseconds(try members.count(.durationNanoseconds)), try members.count(.attempts))
  }
}

extension Finding: Decodable {
  private enum Key: String, CodingKey {
    case severity, type, message, file, path, header, seen, diff, fix
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    self.init(
      try members.choice(.severity, "a severity"),
      try members.choice(.type, "a type of finding"),
      try members.decode(String.self, forKey: .message),
      at: try members.decodeIfPresent(String.self, forKey: .file) == nil
        ? nil : Place(from: decoder),
      path: try members.decodeIfPresent(String.self, forKey: .path).map { text in
        guard let path = JSONPointer(parsing: text) else {
          throw members.refusal(of: .path, "expected a JSON Pointer")
        }
        return path
      },
      header: try members.decodeIfPresent(String.self, forKey: .header),
      diff: try members.decode([String].self, forKey: .diff),
      fix: try members.decodeIfPresent(String.self, forKey: .fix),
      frequency: try members.decodeIfPresent([Int].self, forKey: .seen).map { numbers in
        guard numbers.count == 2, let seen = Finding.Frequency(numbers[0], of: numbers[1]) else {
          throw members.refusal(of: .seen, "expected two numbers, such as [1, 2]")
        }
        return seen
      })
  }
}

extension Place: Decodable {
  private enum Key: String, CodingKey { case file, line, column }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    var position: SourcePosition?
    if try members.decodeIfPresent(Int.self, forKey: .line) != nil {
      position = SourcePosition(
        line: try members.count(.line, from: 1), column: try members.count(.column, from: 1))
    }
    self.init(try members.decode(String.self, forKey: .file), position)
  }
}

extension KeyedDecodingContainer {
  fileprivate func count(_ key: Key, from min: Int = 0) throws -> Int {
    let count = try decode(Int.self, forKey: key)
    guard count >= min else { throw refusal(of: key, "expected \(min) or more") }
    return count
  }

  fileprivate func choice<Choice: RawRepresentable<String>>(
    _ key: Key, _ noun: String
  ) throws -> Choice {
    guard let choice = Choice(rawValue: try decode(String.self, forKey: key)) else {
      throw refusal(of: key, "expected \(noun)")
    }
    return choice
  }

  fileprivate func refusal(of key: Key, _ message: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: message)
  }
}
