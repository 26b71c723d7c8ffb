import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Finds callbacks that lead nowhere, or off the machine to hosts that nobody has declared.
struct CallbackLint {
  let upstream: Upstream
  let complaints: Complaints

  func check(_ served: Case) {
    for callback in served.callbacks {
      guard let place = callback.source["url"] else { continue }
      if let url = callback.fixedAddress {
        guard let refusal = upstream.callbackHosts.refusal(of: url, of: upstream.name) else {
          continue
        }
        complaints.add(.undeclaredCallback, at: place, refusal.message, fix: refusal.fix)
      } else if !callback.mayBecomeAddress {
        complaints.add(
          .badValue, at: place,
          "found \"\(callback.url)\", expected a URL, or one by a template",
          fix: "write it like \"http://127.0.0.1:9000/paid\" or \"{body./callbackUrl}\"")
      }
    }
  }
}

extension Callback {
  /// Whether its URL may be one once its expressions are filled in, or once they are corrected.
  fileprivate var mayBecomeAddress: Bool {
    let template = Template(url)
    guard template.mistakes.isEmpty else { return true }
    guard template.plainText == nil else { return false }
    let start = template.start
    return ["http://", "https://"].contains { $0.hasPrefix(start) || start.hasPrefix($0) }
  }
}
