import UnderstudyCore
import UnderstudyJSON

/// The documents of a stream, and the directives before them.
extension YAMLReader {
  mutating func readDocuments(isSingle: Bool) throws(Complaint) -> [JSONDocument] {
    var documents: [JSONDocument] = []
    while try skipToDocument() {
      if isSingle, !documents.isEmpty { throw secondDocument() }
      documents.append(try readDocument())
    }
    return documents
  }

  /// Skips comments, markers of ends and directives; whether there is a document.
  private mutating func skipToDocument() throws(Complaint) -> Bool {
    handles = TagHandles()
    var (hasVersion, directive): (Bool, Pointer?) = (false, nil)
    while true {
      let line = p
      skipByteOrderMark()
      skipBlanks()
      if isAtEnd || isMarker(line) && p == line && p.pointee == .period, let directive {
        throw directiveAlone(at: directive)
      }
      if isAtEnd { return false }
      if skipLineRest() { continue }
      if p == line, p.pointee == .percent {
        directive = p
        try readDirective(&hasVersion)
      } else if p == line, isMarker(p), p.pointee == .period {
        p += 3
        try endLine()
      } else {
        if let directive, !(p == line && isMarker(p)) { throw directiveAlone(at: directive) }
        p = line
        lineStart = line
        skipByteOrderMark()
        return true
      }
    }
  }

  /// One may begin each document.
  private mutating func skipByteOrderMark() {
    guard p.pointee == 0xEF, p[1] == 0xBB, p[2] == 0xBF else { return }
    p += 3
    lineStart = p
  }

  private mutating func readDirective(_ hasVersion: inout Bool) throws(Complaint) {
    let place = p
    while !isAtLineRest { p += 1 }
    let words = string(place, p).split { $0 == " " || $0 == "\t" }.map(String.init)
    _ = skipLineRest()
    switch words[0] {
    case "%YAML":
      let parts = words.dropFirst().first?.split(separator: ".", omittingEmptySubsequences: false)
      guard words.count == 2, let parts, parts.count == 2, parts[0] == "1", Int(parts[1]) != nil,
        !hasVersion
      else { throw wrongDirective("%YAML 1.2, once", at: place) }
      hasVersion = true
    case "%TAG":
      guard words.count == 3, words[1].hasPrefix("!"), words[1].hasSuffix("!"),
        handles.declare(words[1], words[2])
      else { throw wrongDirective("%TAG !handle! prefix", at: place) }
    default: break
    }
  }

  private mutating func readDocument() throws(Complaint) -> JSONDocument {
    top = Self.document(at: offset(p))
    anchors = Anchors()
    awaited = p
    if isMarker(p) {
      p += 3
      awaited = p
      let hasGap = p.pointee.isBlank
      skipBlanks()
      if !skipLineRest() { try readNode(hasGap ? .marker : .inline, column: column) }
    }
    try readBlocks()
    while !frames.isEmpty { try close() }
    if top.state == .value { try writeEmpty() }
    if !isAtEnd, p.pointee == .period {
      p += 3
      try endLine()
    }
    return try finishDocument()
  }

  private mutating func finishDocument() throws(Complaint) -> JSONDocument {
    let (bytes, notes) = output.finish()
    let map = SourceMap(to: origin, notes: notes)
    var jsonLimits = JSONLimits()
    jsonLimits.depthMax = limits.depthAllowed
    do throws(JSONError) {
      return try JSONDocument(parsing: bytes, limits: jsonLimits, translatedBy: map)
    } catch {
      // Only an alias can be deeper than what was counted.
      throw Complaint(
        error.kind == .tooDeep ? .tooDeep : .tooLarge, at: map.origin(ofByte: error.offset),
        error.message, fix: error.fix)
    }
  }
}
