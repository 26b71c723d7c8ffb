import Synchronization
import UnderstudyContractModel
import UnderstudyCore

@testable import UnderstudyFakeServer

/// Where a server saves contracts: no disk, but what a test can see and change.
final class SavedFiles: ContractSaving {
  private let texts = Mutex<[String: String]>([:])

  subscript(id: String) -> String? {
    get { texts.withLock { $0[id] } }
    set { texts.withLock { $0[id] = newValue } }
  }

  func text(of name: String, in upstreamName: String) -> [UInt8]? {
    self["\(upstreamName)/\(name)"].map { Array($0.utf8) }
  }

  func save(_ text: [UInt8], as name: String, of upstream: Upstream) -> String {
    self["\(upstream.name)/\(name)"] = String(decoding: text, as: UTF8.self)
    return "\(upstream.name)/\(name).json"
  }
}
