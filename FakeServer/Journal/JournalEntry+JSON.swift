import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySystem

extension JournalEntry {
  /// Writes the entry's members. A body that is not valid UTF-8 is written as Base64, under another
  /// key.
  func write(to object: inout JSONWriter) {
    object.member("sequence", Int(sequence))
    object.member("time", receivedAt.exactRFC3339)
    object.member("method", method)
    object.member("path", path)
    object.member("query", query)
    object.key("headers")
    object.array { array in
      for field in headers {
        array.object { object in
          object.member("name", field.name)
          object.member("value", field.value)
        }
      }
    }
    if let text = String(validating: body, as: UTF8.self) {
      object.member("body", text)
    } else {
      object.member("bodyBase64", Base64.encode(body))
    }
    object.member("bodyBytes", bodyByteCount)
    object.member("session", session)
    object.member("contract", contract)
    object.member("case", caseName)
    object.member("reason", reason)
    object.key("unmatched")
    object.bool(isUnmatched)
    object.member("status", status)
    object.key("delayConfiguredMs")
    object.double(delayConfigured.milliseconds)
    object.key("delayActualMs")
    object.double(delayActual.milliseconds)
    object.member("sentBytes", sentByteCount)
    object.member("outcome", outcome.rawValue)
  }

  /// Writes the members of an entry whose response is held.
  func writeHeld(to object: inout JSONWriter) {
    object.member("id", Int(sequence))
    object.member("contract", contract)
    object.member("since", receivedAt.exactRFC3339)
    object.key("request")
    object.object { write(to: &$0) }
  }
}

extension Duration {
  /// Rounded to microseconds.
  fileprivate var milliseconds: Double { Double(nanoseconds / 1_000) / 1_000 }
}
