import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// The contracts nearest to an unmatched request, and the differences.
struct UnmatchedReport {
  private let explanation: Explanation

  init(_ explanation: Explanation) {
    self.explanation = explanation
  }

  func write(to stream: inout TextStream) {
    stream.write("\(explanation.complaint)\n")
    writeNearest(to: &stream, indent: 2)
  }

  func writeNearest(to stream: inout TextStream, indent: Int) {
    Self.writeNearest(explanation.nearMisses, to: &stream, indent: indent)
  }

  static func writeNearest(_ nearMisses: [NearMiss], to stream: inout TextStream, indent: Int) {
    let margin = TextLayout.spaces(indent)
    for near in nearMisses {
      stream.write("\(margin)nearest: ", .dim)
      stream.write("\(near.contract.id)  \(near.request)\n")
      for difference in near.differences { stream.write("\(margin)  \(difference)\n") }
    }
  }

  /// The member `nearest`, which is `null` when a contract responds.
  static func write(_ nearMisses: [NearMiss]?, to writer: inout JSONWriter) {
    writer.key("nearest")
    guard let nearMisses else { return writer.null() }
    writer.array { writer in
      for near in nearMisses { writer.object { near.write(to: &$0) } }
    }
  }
}
