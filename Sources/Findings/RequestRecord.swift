package import UnderstudyCore
import UnderstudyJSON

/// The requests of one run to one upstream, kept for years: a line of JSON.
package struct RequestRecord: Hashable, Sendable {
  /// How many were sent in one second.
  package struct Batch: Hashable, Sendable {
    /// Since the run began.
    package let second: Int
    package let count: Int

    package init(second: Int, count: Int) {
      self.second = second
      self.count = count
    }
  }

  /// When the run began.
  package let at: Moment
  package let upstream: String
  /// In order.
  package let batches: [Batch]
  /// How many got no response, or a server error.
  package let failedCount: Int

  package init(at: Moment, upstream: String, batches: [Batch], failedCount: Int) {
    self.at = at
    self.upstream = upstream
    self.batches = batches
    self.failedCount = failedCount
  }

  package var count: Int { batches.reduce(0) { $0 + $1.count } }

  /// `3 of 6 requests failed`; `nil` when none did.
  package var failureWords: String? {
    failedCount > 0 ? "\(failedCount) of \(count.of("request")) failed" : nil
  }
}

// MARK: - A line

extension RequestRecord {
  /// Without a line break.
  package var line: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("at", at.unixSeconds)
      writer.member("upstream", upstream)
      writer.member("requests", count)
      writer.member("failed", failedCount)
      writer.list("sent", batches) { writer, batch in
        writer.array { writer in
          writer.int(batch.second)
          writer.int(batch.count)
        }
      }
    }
    return writer.bytes
  }

  /// No run lasts longer, and none sends more to an upstream.
  private static let numbers = 0...1_000_000_000

  init(_ root: JSONValue, at: Moment, upstream: String) throws(Failure) {
    var batches: [Batch] = []
    if let sent = root["sent"] {
      for pair in sent.elements {
        let numbers = pair.elements.compactMap(\.int)
        guard numbers.count == 2, numbers.allSatisfy(Self.numbers.contains) else {
          throw Failure(message: "the numbers under \"sent\" are invalid", fix: nil)
        }
        batches.append(Batch(second: numbers[0], count: numbers[1]))
      }
    }
    self.init(
      at: at, upstream: upstream, batches: batches,
      failedCount: min(max(0, root["failed"]?.int ?? 0), Self.numbers.upperBound))
  }
}
