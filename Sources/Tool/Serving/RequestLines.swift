import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer

/// A line for each request, in columns that grow with their content.
struct RequestLines {
  private static let targetWidthMax = 60
  private var targetWidth = 24
  private var targets = TargetTexts()
  /// `contract#case` and the line end, by the number of the served case.
  private var cases: [Int: [UInt8]] = [:]

  mutating func write(_ exchange: Exchange, to stream: inout TextStream) {
    let target = exchange.target.isEmpty ? "-" : exchange.target
    let record = exchange.record
    let delay = exchange.isTimed ? "\(Self.milliseconds(record.delayActual)) ms" : "-"
    begin(
      method: Array(exchange.method.isEmpty ? "-".utf8 : exchange.method.utf8)[...],
      record.status, delay: Array(delay.utf8)[...], record.sentByteCount,
      Self.text(of: target), to: &stream)
    switch exchange.source {
    case .served(let served):
      stream.write("\(served)")
      if record.outcome != .responded { stream.write("  \(record.outcome.rawValue)", .dim) }
      stream.write("\n")
    case .server(let words, let fix):
      stream.write("\(words)\n", .dim)
      if let fix { stream.write("  fix: \(fix)\n", .dim) }
    case .mode(let words): stream.write("\(words)\n", .dim)
    case .unmatched(let explanation):
      stream.write("\(explanation.complaint)\n", .yellow)
      UnmatchedReport(explanation).writeNearest(to: &stream, indent: 2)
    }
  }

  mutating func write(
    _ brief: ExchangeBatch.Brief, of batch: ExchangeBatch, to stream: inout TextStream
  ) {
    let target = targets.text(of: brief.target) { Self.text(of: batch.exchange(brief).target) }
    begin(
      method: brief.method, brief.record.status, delay: Self.noDelay, brief.record.sentByteCount,
      target,
      to: &stream)
    if cases[brief.served] == nil {
      var text = TextStream(isColoured: false)
      text.write("\(batch.cases[brief.served])\n")
      cases[brief.served] = text.bytes
    }
    stream.write(bytes: cases[brief.served] ?? [])
  }

  static func write(
    _ attempt: CallbackAttempt, of served: ServedCase, to stream: inout TextStream
  ) {
    stream.write("callback \(attempt.name) of \(served): \(attempt.method) \(attempt.url)  ")
    stream.write(
      "\(attempt.ending)\n", attempt.isAsExpected == false ? .red : style(of: attempt.status))
    if let fix = attempt.problem?.fix { stream.write("  fix: \(fix)\n") }
  }

  private static let noDelay = Array("-".utf8)[...]

  private static func text(of target: String) -> TargetTexts.Text {
    var text = TextStream(isColoured: false)
    text.write(target)
    return TargetTexts.Text(bytes: text.bytes, width: target.count)
  }

  /// Writes a line up to the column with what responded.
  private mutating func begin(
    method: ArraySlice<UInt8>, _ status: Int?, delay: ArraySlice<UInt8>, _ byteCount: Int,
    _ target: TargetTexts.Text, to stream: inout TextStream
  ) {
    targetWidth = max(targetWidth, min(target.width, Self.targetWidthMax))
    var line: [UInt8] = []
    line.reserveCapacity(128)
    line += method
    line.pad(max(1, 8 - method.count))
    let style = stream.isColoured ? Self.style(of: status) : nil
    if let style { line += "\u{1B}[\(style.rawValue)m".utf8 }
    line += (status.map(String.init) ?? "-  ").utf8
    if style != nil { line += "\u{1B}[0m".utf8 }
    line.pad(10 - delay.count)
    line += delay
    let size = String(byteCount)
    line.pad(9 - size.utf8.count)
    line += size.utf8
    line += " B  ".utf8
    line += target.bytes
    line.pad(max(0, targetWidth - target.width) + 2)
    stream.write(bytes: line)
  }

  private static func style(of status: Int?) -> TextStream.Style? {
    switch status {
    case .some(200..<300): .green
    case .some(400..<500): .yellow
    case .some(500...), nil: .red
    default: nil
    }
  }

  static func milliseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}

extension [UInt8] {
  fileprivate mutating func pad(_ count: Int) {
    if count > 0 { append(contentsOf: repeatElement(.space, count: count)) }
  }
}
