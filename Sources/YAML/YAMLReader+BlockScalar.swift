import UnderstudyCore

/// Literal and folded scalars: `|` and `>`.
extension YAMLReader {
  private enum Chomping { case strip, clip, keep }

  private struct Header {
    var chomping = Chomping.clip
    /// The indentation of the text, relative to the block around it.
    var indentation: Int?
  }

  /// Reads the header and the lines; ends at the beginning of a line.
  mutating func readBlockScalar(_ properties: Properties) throws(Complaint) {
    let place = p
    let isFolded = p.pointee == .greater
    let header = try readHeader()
    let outer = max(top.indentation, 0)
    let indentation: Int
    if let given = header.indentation {
      indentation = outer + given
    } else {
      indentation = try detectIndentation()
    }
    let written = output.count
    output.append(.quote)
    try readLines(isFolded: isFolded, header.chomping, indentation: indentation)
    output.append(.quote)
    try endBlockScalar(from: written, at: place, properties)
  }

  private mutating func readHeader() throws(Complaint) -> Header {
    let place = p
    var header = Header()
    var hasChomping = false
    p += 1
    while !p.pointee.isGap {
      switch p.pointee {
      case .hyphen where !hasChomping: header.chomping = .strip
      case .plus where !hasChomping: header.chomping = .keep
      case UInt8(ascii: "1")...(.nine) where header.indentation == nil:
        header.indentation = Int(p.pointee - .zero)
        p += 1
        continue
      default: throw badHeader(of: place)
      }
      hasChomping = true
      p += 1
    }
    skipBlanks()
    guard skipLineRest() else { throw badHeader(of: place) }
    return header
  }

  /// The indentation of the first line that is not blank; more than any if the text is empty.
  private func detectIndentation() throws(Complaint) -> Int {
    var place = p
    var (blankMax, blankPlace) = (0, p)
    while true {
      let line = place
      while place.pointee == .space { place += 1 }
      let indentation = place - line
      if place == end { return max(blankMax, indentation, top.indentation + 1) }
      if place.pointee.isLineEnd {
        if indentation > blankMax { (blankMax, blankPlace) = (indentation, place) }
        if place.pointee == .carriageReturn { place += 1 }
        place += 1
        continue
      }
      if indentation <= top.indentation {
        if place.pointee == .tab { throw tabInIndentation(at: place) }
        return max(blankMax, top.indentation + 1)
      }
      guard blankMax <= indentation else {
        throw complaint(
          .blockScalar, at: blankPlace,
          "found \(blankMax.of("space")) on a blank line before the text, expected at most "
            + "\(indentation), as before the text",
          fix: "remove the spaces, or write how many spaces are indentation after the indicator")
      }
      return indentation
    }
  }

  private mutating func readLines(
    isFolded: Bool, _ chomping: Chomping, indentation: Int
  ) throws(Complaint) {
    /// Line breaks since the last text.
    var breakCount = 0
    var isFirst = true
    var wasSpaced = false
    while p < end {
      var place = p
      let textStart = p + indentation
      while place < textStart, place.pointee == .space { place += 1 }
      // The end of the text ends its last line, too.
      if place.pointee.isLineEnd {
        p = place
        skipLineBreak()
        breakCount += 1
        continue
      }
      guard place == textStart, !(indentation == 0 && isMarker(place)) else { break }
      let isSpaced = place.pointee.isBlank
      if isFirst || !isFolded || isSpaced || wasSpaced {
        output.appendLineBreaks(breakCount)
      } else {
        fold(breakCount)
      }
      p = place
      skipToLineEnd()
      output.appendEscaped(from: place, to: p)
      (isFirst, wasSpaced, breakCount) = (false, isSpaced, 0)
      breakCount = 1
      skipLineBreak()
    }
    switch chomping {
    case .strip: break
    case .clip: if !isFirst { output.appendLineBreaks(min(breakCount, 1)) }
    case .keep: output.appendLineBreaks(breakCount)
    }
  }
}
