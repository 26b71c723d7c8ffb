import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer

/// A line for each request, in columns that grow with their content.
struct RequestLines {
  private static let targetWidthMax = 60
  private var targetWidth = 24

  mutating func write(_ exchange: Exchange, to stream: inout TextStream) {
    let target = exchange.target.isEmpty ? "-" : exchange.target
    targetWidth = max(targetWidth, min(target.count, Self.targetWidthMax))
    stream.write(Self.padded(exchange.method.isEmpty ? "-" : exchange.method, to: 7))
    stream.write(" ")
    stream.write(exchange.status.map(String.init) ?? "-  ", Self.style(of: exchange.status))
    let delay = exchange.delayGiven.map { "\(Self.milliseconds($0)) ms" } ?? "-"
    stream.write(Self.padded(delay, to: -10))
    stream.write(Self.padded("\(exchange.sentByteCount) B", to: -11))
    stream.write("  \(Self.padded(target, to: targetWidth))  ")
    switch exchange.source {
    case .played(let contract, let played):
      stream.write("\(contract)#\(played)")
      if exchange.outcome != .answered { stream.write("  \(exchange.outcome.rawValue)", .dim) }
      stream.write("\n")
    case .server(let words):
      stream.write("\(words)\n", .dim)
    case .miss(let explanation):
      stream.write("\(explanation.complaint)\n", .yellow)
      MissReport(explanation).writeNearest(to: &stream, indent: 2)
    }
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

  /// A negative width aligns the text to the right.
  private static func padded(_ text: String, to width: Int) -> String {
    let gap = TextLayout.spaces(abs(width) - text.count)
    return width < 0 ? gap + text : text + gap
  }
}
