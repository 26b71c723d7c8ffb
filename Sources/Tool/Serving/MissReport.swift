import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// The contracts nearest to a request that none answers, and the differences.
struct MissReport {
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

  static func writeNearest(_ misses: [NearMiss], to stream: inout TextStream, indent: Int) {
    let margin = TextLayout.spaces(indent)
    for miss in misses {
      stream.write("\(margin)nearest: ", .dim)
      stream.write("\(miss.contract.id)  \(miss.request)\n")
      for difference in miss.differences { stream.write("\(margin)  \(difference)\n") }
    }
  }

  /// The member `nearest`, which is `null` when a contract answers.
  static func write(_ misses: [NearMiss]?, to writer: inout JSONWriter) {
    writer.key("nearest")
    guard let misses else { return writer.null() }
    writer.array { writer in
      for miss in misses { writer.object { miss.write(to: &$0) } }
    }
  }
}
