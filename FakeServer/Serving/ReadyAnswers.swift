/// The answers that need nothing but a date, in one stretch of memory.
///
/// Nothing in it is counted: loops that read it at the same time do not get in each other's way.
struct ReadyAnswers: ~Copyable, @unchecked Sendable {
  /// One answer, for a client of HTTP/1.1 that keeps its connection.
  private struct Place {
    var start = 0
    /// Up to the names of contract and case, up to the date, and what follows it.
    var namesStart: Int32 = 0
    var beforeDateCount: Int32 = -1
    var afterDateCount: Int32 = 0
    var status: UInt16 = 0
  }

  // SAFETY: written by `init` alone; `bytes` has what the places name.
  private let places: UnsafeMutablePointer<Place>
  private let bytes: UnsafeMutableRawPointer

  let count: Int

  init(_ cases: [PlayableCase?]) {
    count = cases.count
    let context = PlayContext(now: Moment(unixSeconds: 0, httpDate: []))
    let answers = cases.map { playable -> (StaticAnswer, status: Int)? in
      guard let playable, playable.delay == nil,
        let answer = playable.staticAnswer(for: context), answer.head.isPlain
      else { return nil }
      return (answer, playable.status ?? 0)
    }
    let byteCount = answers.reduce(0) { sum, answer in
      sum + (answer.map { $0.0.head.beforeDate.count + $0.0.afterDate.count } ?? 0)
    }
    bytes = .allocate(byteCount: max(1, byteCount), alignment: 16)
    places = .allocate(capacity: max(1, cases.count))
    places.initialize(repeating: Place(), count: max(1, cases.count))
    var used = 0
    for (number, answer) in answers.enumerated() {
      guard let (answer, status) = answer else { continue }
      places[number] = Place(
        start: used, namesStart: Int32(answer.head.namesStart),
        beforeDateCount: Int32(answer.head.beforeDate.count),
        afterDateCount: Int32(answer.afterDate.count), status: UInt16(status))
      for part in [answer.head.beforeDate, answer.afterDate] {
        part.withUnsafeBytes { part in
          if let start = part.baseAddress {
            (bytes + used).copyMemory(from: start, byteCount: part.count)
          }
        }
        used += part.count
      }
    }
  }

  deinit {
    places.deallocate()
    bytes.deallocate()
  }

  /// Writes an answer and returns its status; `nil` where none is ready.
  @inline(__always)
  func append(
    _ number: Int, to output: inout ByteBuffer, isHead: Bool, namesCase: Bool,
    date: UnsafeRawBufferPointer
  ) -> UInt16? {
    let place = places[number]
    guard place.beforeDateCount >= 0 else { return nil }
    let start = bytes + place.start
    let beforeDateCount = Int(place.beforeDateCount)
    if namesCase {
      output.append(UnsafeRawBufferPointer(start: start, count: beforeDateCount))
    } else {
      let labelCount = AnswerHead.dateLabel.count
      output.append(UnsafeRawBufferPointer(start: start, count: Int(place.namesStart)))
      output.append(
        UnsafeRawBufferPointer(start: start + beforeDateCount - labelCount, count: labelCount))
    }
    output.append(date)
    let afterDateCount = isHead ? AnswerHead.blankLine.count : Int(place.afterDateCount)
    output.append(UnsafeRawBufferPointer(start: start + beforeDateCount, count: afterDateCount))
    return place.status
  }
}
