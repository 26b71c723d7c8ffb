import UnderstudyCore
import UnderstudyJSON
import UnderstudySecrets

extension RecordedGroup {
  /// The places in sent and received bodies where a secret was masked, without duplicates.
  var maskedPlaces: [String] {
    requests.flatMap { request in
      let sent = Self.maskedPlaces(in: request.exchange.body, of: "application/json", mask)
      let answered = request.answers.flatMap(\.samples).flatMap { answer in
        Self.maskedPlaces(in: answer.body, of: answer.header("content-type") ?? "", mask)
      }
      return sent.map { "\($0) as sent" } + answered
    }.withoutRepeats
  }

  private static func maskedPlaces(
    in body: [UInt8], of type: String, _ mask: SecretMask
  ) -> [String] {
    let masked = mask.masked(body, of: type, number: "0")
    guard masked != body else { return [] }
    guard let old = try? JSONDocument(parsing: body), let new = try? JSONDocument(parsing: masked)
    else { return ["the text"] }
    return old.root.changes(to: new.root).map { change in
      let tokens = change.pointer.tokens.map { $0.utf8.allSatisfy(\.isDigit) ? "*" : $0 }
      return tokens.isEmpty ? "the text" : "\(JSONPointer(tokens))"
    }
  }
}
