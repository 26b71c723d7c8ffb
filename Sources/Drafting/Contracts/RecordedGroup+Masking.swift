import UnderstudyCore
import UnderstudyJSON
import UnderstudySecrets

extension RecordedGroup {
  /// The places in sent and received bodies where a secret was masked, without duplicates.
  var maskedPlaces: [String] {
    requests.flatMap { request in
      let body = request.exchange.body
      let sent = Self.maskedPlaces(
        in: body, mask.masked(body, of: "application/json", number: "0"))
      let responded = request.responses.flatMap { response in
        zip(response.samples, response.bodies).flatMap { sample, body in
          body.source(of: sample, mask: mask).map {
            Self.maskedPlaces(in: sample.body, $0)
          } ?? []
        }
      }
      return sent.map { "\($0) as sent" } + responded
    }.withoutRepeats
  }

  private static func maskedPlaces(in body: [UInt8], _ masked: [UInt8]) -> [String] {
    guard masked != body else { return [] }
    guard let old = try? JSONDocument(parsing: body), let new = try? JSONDocument(parsing: masked)
    else { return ["the text"] }
    return old.root.changes(to: new.root).map { change in
      let tokens = change.pointer.tokens.map { $0.utf8.allSatisfy(\.isDigit) ? "*" : $0 }
      return tokens.isEmpty ? "the text" : "\(JSONPointer(tokens))"
    }
  }
}
