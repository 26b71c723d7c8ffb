/// The answers that need only a date, in one block of memory.
///
/// Reading counts no references, so loops do not slow each other down.
struct ReadyAnswers: ~Copyable, @unchecked Sendable {
  /// An answer for an HTTP/1.1 client that keeps its connection, with room for the date.
  private struct Layout {
    var start = 0
    /// The total size; negative when no answer is ready.
    var count: Int32 = -1
    var headCount: Int32 = 0
    /// The start of the names of contract and case, which the date follows.
    var namesStart: Int32 = 0
    var namesCount: Int32 = 0
    var dateStart: Int32 = 0
    var status: UInt16 = 0
    var caseNumber: Int32 = 0
  }

  struct Written {
    let status: UInt16
    let caseNumber: Int
  }

  // SAFETY: written only by `init`; `places` refer only to bytes within `bytes`.
  private let places: UnsafeMutablePointer<Layout>
  private let bytes: UnsafeMutableRawPointer

  /// - Parameter numbers: the number of each contract's answer among the cases, if it has one that
  ///   nothing changes.
  init(of cases: [PlayableCase?], at numbers: [Int?]) {
    let context = PlayContext(now: .epoch)
    let answers = numbers.map { number -> (StaticAnswer, status: Int)? in
      guard let number, let playable = cases[number], playable.delay == nil,
        let answer = playable.staticAnswer(for: context), answer.head.isPlain
      else { return nil }
      return (answer, playable.status ?? 0)
    }
    let date = context.now.httpDate
    let byteCount = answers.reduce(0) { sum, answer in
      sum + (answer.map { $0.0.head.beforeDate.count + date.count + $0.0.afterDate.count } ?? 0)
    }
    bytes = .allocate(byteCount: max(1, byteCount), alignment: 16)
    places = .allocate(capacity: max(1, numbers.count))
    places.initialize(repeating: Layout(), count: max(1, numbers.count))
    var used = 0
    for (index, answer) in answers.enumerated() {
      guard let (answer, status) = answer, let number = numbers[index] else { continue }
      let start = used
      for part in [answer.head.beforeDate, date, answer.afterDate] {
        part.withUnsafeBytes { part in
          if let start = part.baseAddress {
            (bytes + used).copyMemory(from: start, byteCount: part.count)
          }
        }
        used += part.count
      }
      let dateStart = answer.head.beforeDate.count
      places[index] = Layout(
        start: start, count: Int32(used - start),
        headCount: Int32(dateStart + date.count + AnswerHead.blankLine.count),
        namesStart: Int32(answer.head.namesStart),
        namesCount: Int32(dateStart - AnswerHead.dateLabel.count - answer.head.namesStart),
        dateStart: Int32(dateStart), status: UInt16(status), caseNumber: Int32(number))
    }
  }

  deinit {
    places.deallocate()
    bytes.deallocate()
  }

  /// Writes a contract's answer; `nil` when none is ready.
  @inline(__always)
  func append(
    _ number: Int, to output: inout ByteBuffer, isHead: Bool, namesCase: Bool,
    at moment: AnswerTime
  ) -> Written? {
    let place = places[number]
    guard place.count >= 0 else { return nil }
    let (start, dateStart) = (bytes + place.start, Int(place.dateStart))
    let end = isHead ? Int(place.headCount) : Int(place.count)
    // SAFETY: the omitted part lies before the date, and the date before the end.
    let (namesStart, namesCount) = (Int(place.namesStart), namesCase ? 0 : Int(place.namesCount))
    output.append(count: end - namesCount) { target in
      if namesCase {
        target.copyMemory(from: start, byteCount: end)
      } else {
        let namesEnd = namesStart + namesCount
        target.copyMemory(from: start, byteCount: namesStart)
        (target + namesStart).copyMemory(from: start + namesEnd, byteCount: end - namesEnd)
      }
      (target + dateStart - namesCount).storeBytes(of: moment.date, as: InlineArray<29, UInt8>.self)
    }
    return Written(status: place.status, caseNumber: Int(place.caseNumber))
  }
}
