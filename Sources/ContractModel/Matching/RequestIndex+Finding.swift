import UnderstudySystem

extension RequestIndex {
  /// The contract that a request leads to.
  package struct Match {
    /// The index in `candidates`.
    package let number: Int
    package let contractNumber: Int
    /// Where the path relative to the upstream's base URL begins; at the path's end it is `/`.
    package let pathOffset: Int
    /// Whether the request may be the live request of a case other than the default.
    package let mayServeLiveCase: Bool
  }

  /// Separates decoded segments: UTF-8 never contains it.
  static let decodedSeparator: UInt8 = 0xFF

  /// Finds the contract for a request from its raw bytes.
  ///
  /// `host` is called when the path names no upstream, `parts` with the match's `pathOffset` when a
  /// contract has more conditions than method and path, `serves` when one without a default case
  /// meets them. Also `nil` for a path that may name its upstream in percent-encoding; `route` can
  /// read that.
  ///
  /// - Parameters:
  ///   - upstream: the number of the upstream whose name the path leaves out; negative for one that
  ///     has no contracts here.
  ///   - hidden: the numbers of contracts that match nothing.
  package func find(
    method: UnsafeRawBufferPointer, path: UnsafeRawBufferPointer, in upstream: Int? = nil,
    hiding hidden: NumberSet? = nil, host: () -> String?, parts: (Int) -> any RequestFields,
    serves: (Candidate, any RequestFields) -> Bool
  ) -> Match? {
    guard path.first == UInt8(ascii: "/") else { return nil }
    if let upstream {
      return upstream < 0 ? nil : find(method, path, from: 0, upstream, hidden, parts, serves)
    }
    let nameEnd = Self.index(of: UInt8(ascii: "/"), in: path, from: 1)
    let name = UnsafeRawBufferPointer(rebasing: path[1..<nameEnd])
    if let upstream = upstreamNumbers.find(name, in: 0) {
      return find(method, path, from: nameEnd, upstream, hidden, parts, serves)
    }
    guard !hosts.isEmpty,
      Self.index(of: UInt8(ascii: "%"), in: path, from: 1) == path.count, let host = host()
    else { return nil }
    // Only the longest base path that fits counts.
    for upstream in hosts.upstreams(of: host) where hasBasePath(upstream, path, from: 0) != nil {
      return find(method, path, from: 0, upstream, hidden, parts, serves)
    }
    return nil
  }

  /// The number of the upstream of this name.
  package func upstreamNumber(of name: String) -> Int? { upstreamNumbers.find(name, in: 0) }

  @inline(__always)
  private func find(
    _ method: UnsafeRawBufferPointer, _ path: UnsafeRawBufferPointer, from start: Int,
    _ upstream: Int, _ hidden: NumberSet?, _ parts: (Int) -> any RequestFields,
    _ serves: (Candidate, any RequestFields) -> Bool
  ) -> Match? {
    guard let offset = hasBasePath(upstream, path, from: start) else { return nil }
    let rest = UnsafeRawBufferPointer(rebasing: path[offset...])
    let number: Int?
    var isEncoded = false
    if rest.isEmpty {
      number = withUnsafeBytes(of: UInt8(ascii: "/")) {
        lead(
          method, $0, separator: UInt8(ascii: "/"), upstream: upstream, hidden,
          parts: { parts(offset) }, serves)
      }
    } else if Self.index(of: UInt8(ascii: "%"), in: rest, from: 0) < rest.count {
      isEncoded = true
      number = Self.joined(RequestParts.segments(of: String(decoding: rest, as: UTF8.self)))
        .withUnsafeBytes {
          lead(
            method, $0, separator: Self.decodedSeparator, upstream: upstream, hidden,
            parts: { parts(offset) }, serves)
        }
    } else {
      number = lead(
        method, rest, separator: UInt8(ascii: "/"), upstream: upstream, hidden,
        parts: { parts(offset) }, serves)
    }
    guard let number else { return nil }
    let contractNumber = Int(leads[number].contractNumber)
    return Match(
      number: number, contractNumber: contractNumber, pathOffset: offset,
      mayServeLiveCase: leads[number].hasLiveCases
        && (isEncoded || isLivePath(rest, of: contractNumber)))
  }

  private func isLivePath(_ path: UnsafeRawBufferPointer, of contractNumber: Int) -> Bool {
    guard path.isEmpty else { return livePaths.find(path, in: contractNumber) != nil }
    return livePaths.find("/", in: contractNumber) != nil
  }

  /// The end of the upstream's base path in `path`, if it begins at `start`.
  @inline(__always)
  private func hasBasePath(
    _ upstream: Int, _ path: UnsafeRawBufferPointer, from start: Int
  ) -> Int? {
    let basePath = basePaths[upstream]
    let end = start + basePath.count
    guard end <= path.count, end == path.count || path[end] == UInt8(ascii: "/") else {
      return nil
    }
    if basePath.isEmpty { return end }
    return basePath.elementsEqual(path[start..<end]) ? end : nil
  }

  @inline(__always)
  private static func index(
    of byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int
  ) -> Int {
    guard start < bytes.count, let base = bytes.baseAddress else { return bytes.count }
    // SAFETY: the search is limited to the bytes from `start` to the end.
    return CLibrary.offset(of: byte, in: base + start, count: bytes.count - start)
      .map { start + $0 } ?? bytes.count
  }

  /// With a separator before each segment, or one alone for no segments.
  static func joined(_ segments: [String]) -> [UInt8] {
    var bytes: [UInt8] = segments.isEmpty ? [decodedSeparator] : []
    for segment in segments {
      bytes.append(decodedSeparator)
      bytes += segment.utf8
    }
    return bytes
  }

  // MARK: - The tree

  /// The lead to the contract that responds. `path` has a separator before each segment, or is a
  /// single separator when there are none.
  func lead(
    _ method: UnsafeRawBufferPointer, _ path: UnsafeRawBufferPointer, separator: UInt8,
    upstream: Int, _ hidden: NumberSet?, parts: () -> any RequestFields,
    _ serves: (Candidate, any RequestFields) -> Bool
  ) -> Int? {
    if let number = methods.find(method, in: 0),
      let found = lead(number, path, separator, upstream, hidden, parts, serves)
    {
      return found
    }
    // Where contracts are ranked, each says what it responds to.
    guard method.elementsEqual("HEAD".utf8), ranked.isEmpty || !ranked.contains(upstream),
      let get = methods.find("GET", in: 0)
    else { return nil }
    return lead(get, path, separator, upstream, hidden, parts, serves)
  }

  private func lead(
    _ method: Int, _ path: UnsafeRawBufferPointer, _ separator: UInt8, _ upstream: Int,
    _ hidden: NumberSet?, _ parts: () -> any RequestFields,
    _ serves: (Candidate, any RequestFields) -> Bool
  ) -> Int? {
    if !ranked.isEmpty, ranked.contains(upstream) {
      return lowestLead(method, path, separator, upstream, hidden, parts, serves)
    }
    // A path of literals alone is what the tree would lead to first.
    if separator == UInt8(ascii: "/"), let node = wholePaths.find(path, in: upstream),
      let found = lead(at: node, method, hidden, parts, serves)
    {
      return found
    }
    if let found = walk(
      path, separator, upstream, visit: { lead(at: $0, method, hidden, parts, serves) })
    {
      return found
    }
    // Whatever names each segment is more specific.
    guard hasTails else { return nil }
    return walk(
      path, separator, upstream, takingTails: true,
      visit: { lead(at: $0, method, hidden, parts, serves) })
  }

  /// The lead of the lowest rank, wherever it is in the tree.
  private func lowestLead(
    _ method: Int, _ path: UnsafeRawBufferPointer, _ separator: UInt8, _ upstream: Int,
    _ hidden: NumberSet?, _ parts: () -> any RequestFields,
    _ serves: (Candidate, any RequestFields) -> Bool
  ) -> Int? {
    var lowest: Int?
    _ = walk(path, separator, upstream, takingTails: true) { node in
      if let found = lead(at: node, method, hidden, parts, serves),
        lowest.map({ candidates[found].precedes(candidates[$0]) }) ?? true
      {
        lowest = found
      }
      return nil
    }
    return lowest
  }

  /// A branch to try: a node, and the position of the separator after it in the path.
  private struct Step {
    let node: Int32
    let offset: Int32
  }

  /// Tries literals before parameters before tails, and backtracks where the visit of a branch's
  /// end finds nothing.
  @inline(__always)
  private func walk(
    _ path: UnsafeRawBufferPointer, _ separator: UInt8, _ upstream: Int,
    takingTails: Bool = false, visit: (_ node: Int) -> Int?
  ) -> Int? {
    // Each step removed leads one level deeper and leaves at most two alternatives.
    withUnsafeTemporaryAllocation(of: Step.self, capacity: 2 * depthMax + 3) { pending in
      var count = 1
      pending[0] = Step(node: Int32(upstream), offset: path.count == 1 ? 1 : 0)
      while count > 0 {
        count -= 1
        let step = pending[count]
        let node = Int(step.node)
        let tail = takingTails ? nodes[node].tail : -1
        guard step.offset < path.count else {
          if let found = visit(node) { return found }
          if tail >= 0, let found = visit(Int(tail)) { return found }
          continue
        }
        if tail >= 0 {
          pending[count] = Step(node: tail, offset: Int32(path.count))
          count += 1
        }
        let start = Int(step.offset) + 1
        let end = Self.index(of: separator, in: path, from: start)
        let parameter = nodes[node].parameter
        if parameter >= 0, start < end {
          pending[count] = Step(node: parameter, offset: Int32(end))
          count += 1
        }
        let segment = UnsafeRawBufferPointer(rebasing: path[start..<end])
        if nodes[node].hasLiterals, let child = literals.find(segment, in: node) {
          pending[count] = Step(node: Int32(child), offset: Int32(end))
          count += 1
        }
      }
      return nil
    }
  }

  /// The first lead at a node that responds.
  @inline(__always)
  private func lead(
    at node: Int, _ method: Int, _ hidden: NumberSet?, _ parts: () -> any RequestFields,
    _ serves: (Candidate, any RequestFields) -> Bool
  ) -> Int? {
    let first = Int(nodes[node].firstLead)
    for number in first..<first + Int(nodes[node].leadCount)
    where Int(leads[number].method) == method {
      if let hidden, hidden.contains(Int(leads[number].contractNumber)) { continue }
      guard leads[number].isAsking else { return number }
      let candidate = candidates[number]
      let fields = parts()
      if fields.meets(candidate.contract.request, in: candidate.template),
        candidate.contract.defaultCaseIndex != nil || serves(candidate, fields)
      {
        return number
      }
    }
    return nil
  }
}
