extension RecordedContract {
  /// Which parameters were guessed, in words.
  package var guessRemarks: [String] {
    guesses.map { "guessed {\($0.name)} from \(Self.few($0.values))" }
      + (offer.map { offer in
        [
          "if \(Self.few(offer.values)) are values of a parameter, add --path '\(offer.path)' for"
            + " one contract"
        ]
      } ?? [])
  }

  /// What is not as it was recorded, and why, in words.
  package var remarks: [String] {
    var remarks: [String] = []
    func remark(_ words: String, _ names: [String]) {
      if !names.isEmpty { remarks.append("\(words): \(Self.few(names))") }
    }
    remark("left out, since their values change", volatileHeaders)
    remark("differs from one response to the next", volatilePointers)
    remark("left out, since their values are secret", secretHeaders)
    if isKept, !scripts.isEmpty {
      remarks.append("the same request had several responses, which only a script serves in turn")
    }
    for (name, cases) in isKept ? [] : scripts {
      remark("the same request had several responses: script \(name) serves", cases)
    }
    remark("not requested by drift, which could not repeat the request", notLive)
    remarks += secretParameters.map { "left out, since it is secret: the value of query.\($0)" }
    remark("masked, since they are secret", maskedPlaces)
    if fate == .known { remarks.append("exists with every recorded status; --force replaces it") }
    return remarks
  }

  private static func few(_ words: [String]) -> String {
    words.count <= 8
      ? words.joined(separator: ", ")
      : "\(words.prefix(8).joined(separator: ", ")) and \(words.count - 8) more"
  }
}
