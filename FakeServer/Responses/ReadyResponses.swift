import Synchronization

/// The responses that need only a date, each in one block of memory, added when first served.
///
/// Reading counts no references, so loops do not slow each other down.
struct ReadyResponses: ~Copyable, @unchecked Sendable {
  /// A response for an HTTP/1.1 client that keeps its connection, with room for the date. Its bytes
  /// follow.
  private struct Layout {
    /// The total size.
    var count: Int32
    var headCount: Int32
    /// The start of the names of contract and case, which the date follows.
    var namesStart: Int32
    var namesCount: Int32
    var dateStart: Int32
    var caseNumber: Int32
    var status: UInt16
  }

  struct Written {
    let status: UInt16
    let caseNumber: Int
  }

  private typealias Place = Atomic<UnsafeMutablePointer<Layout>?>

  // SAFETY: `places` has `count` initialized places. Each is set at most once, to a layout that
  // `init` of its response has completed, followed by as many bytes as it says; both live until
  // `deinit`. Release and acquire order writing before reading.
  private let places: UnsafeMutablePointer<Place>

  let count: Int

  init(count: Int) {
    self.count = count
    places = .allocate(capacity: max(1, count))
    for number in 0..<count { (places + number).initialize(to: Place(nil)) }
  }

  deinit {
    for number in 0..<count {
      UnsafeMutableRawPointer(places[number].load(ordering: .acquiring))?.deallocate()
    }
    places.deinitialize(count: count)
    places.deallocate()
  }

  /// Makes the response of a case ready, if only the date can change it.
  func add(_ servable: ServableCase, number caseNumber: Int, ofContract number: Int) {
    let context = ServingContext(now: .epoch)
    guard servable.delay == nil, servable.callbackRecipes.isEmpty,
      let response = servable.staticResponse(for: context),
      response.head.isPlain
    else { return }
    let layout = Self.layout(of: response, caseNumber, status: servable.status ?? 0, context)
    let (isNew, _) = places[number].compareExchange(
      expected: nil, desired: layout, ordering: .acquiringAndReleasing)
    if !isNew { UnsafeMutableRawPointer(layout).deallocate() }
  }

  private static func layout(
    of response: StaticResponse, _ caseNumber: Int, status: Int, _ context: ServingContext
  ) -> UnsafeMutablePointer<Layout> {
    let date = context.now.date.bytes
    let parts = [response.head.beforeDate, date, response.afterDate]
    let byteCount = parts.reduce(0) { $0 + $1.count }
    let dateStart = response.head.beforeDate.count
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<Layout>.stride + byteCount, alignment: 16)
    var used = MemoryLayout<Layout>.stride
    for part in parts {
      part.withUnsafeBytes { part in
        if let start = part.baseAddress {
          (block + used).copyMemory(from: start, byteCount: part.count)
        }
      }
      used += part.count
    }
    let layout = block.bindMemory(to: Layout.self, capacity: 1)
    layout.initialize(
      to: Layout(
        count: Int32(byteCount),
        headCount: Int32(dateStart + date.count + ResponseHead.blankLine.count),
        namesStart: Int32(response.head.namesStart),
        namesCount: Int32(dateStart - ResponseHead.dateLabel.count - response.head.namesStart),
        dateStart: Int32(dateStart), caseNumber: Int32(caseNumber), status: UInt16(status)))
    return layout
  }

  /// Writes a contract's response; `nil` when none is ready.
  func append(
    _ number: Int, to output: inout ByteBuffer, isHead: Bool, namesCase: Bool,
    at moment: ResponseTime
  ) -> Written? {
    guard let place = places[number].load(ordering: .acquiring) else { return nil }
    let start = UnsafeRawPointer(place) + MemoryLayout<Layout>.stride
    let (layout, dateStart) = (place.pointee, Int(place.pointee.dateStart))
    let end = isHead ? Int(layout.headCount) : Int(layout.count)
    // SAFETY: the omitted part lies before the date, and the date before the end.
    let (namesStart, namesCount) = (Int(layout.namesStart), namesCase ? 0 : Int(layout.namesCount))
    output.append(count: end - namesCount) { target in
      if namesCase {
        target.copyMemory(from: start, byteCount: end)
      } else {
        let namesEnd = namesStart + namesCount
        target.copyMemory(from: start, byteCount: namesStart)
        (target + namesStart).copyMemory(from: start + namesEnd, byteCount: end - namesEnd)
      }
      moment.date.store(at: target + dateStart - namesCount)
    }
    return Written(status: layout.status, caseNumber: Int(layout.caseNumber))
  }
}
