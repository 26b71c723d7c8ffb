import UnderstudyContractModel

/// An event of a stream, ready to be filled in.
struct EventRecipe: Sendable {
  /// `nil` for an event without one.
  let id: ByteTemplate?
  let bytes: ByteTemplate
  /// The time from the event before, or from the head.
  let after: Duration

  /// `template` splits a part of the event at its expressions.
  init(
    _ event: ServerEvent, template: ([UInt8], ByteTemplate.Syntax) -> ByteTemplate
  ) {
    var bytes = ByteTemplate()
    if let name = event.event {
      bytes.append("event: ".utf8)
      bytes.append(template(Array(name.utf8), .headerValue))
      bytes.append("\n".utf8)
    }
    let id = event.id.map { template(Array($0.utf8), .headerValue) }
    if let id {
      bytes.append("id: ".utf8)
      bytes.append(id)
      bytes.append("\n".utf8)
    }
    if let retry = event.retryMilliseconds { bytes.append("retry: \(retry)\n".utf8) }
    if let data = event.data {
      bytes.append("data: ".utf8)
      let lines = ServerEvent.lines(of: data).joined(separator: "\ndata: ")
      bytes.append(template(Array(lines.utf8), event.isJSON ? .json : .eventData))
      bytes.append("\n".utf8)
    }
    bytes.append("\n".utf8)
    self.id = id
    self.bytes = bytes
    after = event.after
  }

  var drawsValues: Bool { bytes.drawsValues }
}

/// The events of one response.
struct EventStream: Sendable {
  private(set) var bytes: [UInt8] = []
  /// Where each event ends.
  private(set) var ends: [Int] = []
  /// When each event is sent, after the head.
  private(set) var dueTimes: [Duration] = []

  /// The events after the last one that the client got, or all.
  init(
    _ events: [EventRecipe], after lastID: String?, filledBy fill: (ByteTemplate) -> [UInt8]
  ) {
    var time = Duration.zero
    for event in events {
      bytes += fill(event.bytes)
      time += event.after
      ends.append(bytes.count)
      dueTimes.append(time)
      // What comes next is then the first event.
      if let lastID, let id = event.id, fill(id).elementsEqual(lastID.utf8) {
        (bytes, ends, dueTimes, time) = ([], [], [], .zero)
      }
    }
  }

  /// Where this many events end, or all of them.
  func end(ofEvent number: Int?) -> Int {
    guard let number, number < ends.count else { return bytes.count }
    return number == 0 ? 0 : ends[number - 1]
  }

  func body(isChunked: Bool, sentCount: Int?) -> PacedBody {
    PacedBody(
      bytes[...], isChunked: isChunked, pace: .events(ends: ends, dueTimes: dueTimes),
      sentCount: sentCount)
  }
}
