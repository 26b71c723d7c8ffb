import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// The contracts nearest to a request that none responds, and the differences.
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

  static func writeNearest(_ unmatched: [NearMiss], to stream: inout TextStream, indent: Int) {
    let margin = TextLayout.spaces(indent)
    for unmatched in unmatched {
      stream.write("\(margin)nearest: ", .dim)
      stream.write("\(unmatched.contract.id)  \(unmatched.request)\n")
      for difference in unmatched.differences { stream.write("\(margin)  \(difference)\n") }
    }
  }

  /// The member `nearest`, which is `null` when a contract responds.
  static func write(_ unmatched: [NearMiss]?, to writer: inout JSONWriter) {
    writer.key("nearest")
    guard let unmatched else { return writer.null() }
    writer.array { writer in
      for unmatched in unmatched { writer.object { unmatched.write(to: &$0) } }
    }
  }
}
