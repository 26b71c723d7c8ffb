import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySystem

extension JournalEntry {
  /// Writes the entry's members. A body that is not valid UTF-8 is written as Base64, under another
  /// key.
  func write(to object: inout JSONWriter) {
    object.member("sequence", Int(record.sequence))
    object.member("time", record.receivedAt.exactRFC3339)
    object.member("method", request.method)
    object.member("path", request.path)
    object.member("query", request.query)
    object.key("headers")
    object.array { array in
      for field in request.headers {
        array.object { object in
          object.member("name", field.name)
          object.member("value", field.value)
        }
      }
    }
    if let text = String(validating: request.body, as: UTF8.self) {
      object.member("body", text)
    } else {
      object.member("bodyBase64", Base64.encode(request.body))
    }
    object.member("bodyBytes", record.bodyByteCount)
    object.member("session", session)
    object.member("contract", contract)
    object.member("case", caseName)
    object.member("reason", record.reason?.rawValue)
    object.key("unmatched")
    object.bool(record.isUnmatched)
    object.member("status", record.status)
    object.key("delayConfiguredMilliseconds")
    object.double(record.delayConfigured.milliseconds)
    object.key("delayActualMilliseconds")
    object.double(record.delayActual.milliseconds)
    object.member("sentBytes", record.sentByteCount)
    object.member("outcome", record.outcome.rawValue)
    guard !callbacks.isEmpty else { return }
    object.list("callbacks", callbacks) { writer, callback in
      writer.object { callback.write(to: &$0) }
    }
  }

  /// Writes the members of an entry whose response is held.
  func writeHeld(to object: inout JSONWriter) {
    object.member("id", Int(record.sequence))
    object.member("contract", contract)
    object.member("since", record.receivedAt.exactRFC3339)
    object.key("request")
    object.object { write(to: &$0) }
  }
}

extension Duration {
  /// Rounded to microseconds.
  fileprivate var milliseconds: Double { Double(nanoseconds / 1_000) / 1_000 }
}
