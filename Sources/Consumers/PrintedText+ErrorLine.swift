extension PrintedText {
  /// The line that says what failed: the last that is not empty, or what a runtime prints before a
  /// stack trace.
  package var errorLine: String? {
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
      .filter { $0.contains { $0 > UInt8(ascii: " ") } }
      .map { String(decoding: $0, as: UTF8.self) }
    guard let last = lines.last, last.isInTrace else { return lines.last }
    if let traceback = lines.lastIndex(of: "Traceback (most recent call last):") {
      return lines[traceback...].dropFirst().first { !$0.isIndented } ?? last
    }
    if let panic = lines.lastIndex(where: {
      $0.hasPrefix("thread '") && $0.contains(" panicked at ")
    }) {
      return lines[panic].hasSuffix(":") && panic + 1 < lines.count
        ? lines[panic + 1] : lines[panic]
    }
    if let error = lines.last(where: \.isError) { return error }
    let beforeFrames = Array(zip(lines, lines.dropFirst())).last {
      !$0.0.isIndented && $0.1.isFrame
    }?.0
    return beforeFrames ?? lines.last { !$0.isInTrace } ?? last
  }
}

extension String {
  fileprivate var isIndented: Bool { hasPrefix(" ") || hasPrefix("\t") }

  /// Whether it belongs to a stack trace, or to what Node.js, Go and Rust print after one.
  fileprivate var isInTrace: Bool {
    isIndented || hasPrefix("note: ") && contains("RUST_BACKTRACE")
      || ["Node.js v", "(Use `node ", "}", "exit status "].contains(where: hasPrefix)
  }

  /// A frame of JavaScript, Java, C# or Ruby.
  fileprivate var isFrame: Bool {
    isIndented && ["at ", "from "].contains(where: drop { $0 == " " || $0 == "\t" }.hasPrefix)
  }

  /// Whether it begins as runtimes report errors, or ends as Ruby does: `TypeError: …`, `panic: …`.
  fileprivate var isError: Bool {
    if isIndented { return false }
    let starts = ["panic: ", "fatal error: ", "Exception in thread ", "Unhandled exception"]
    let ends = ["Error)", "Exception)"]
    if starts.contains(where: hasPrefix) || ends.contains(where: hasSuffix) { return true }
    let name = prefix { $0.isLetter || $0.isNumber || "._$".contains($0) }
    let rest = dropFirst(name.count)
    return ["Error", "Exception"].contains(where: name.hasSuffix)
      && (rest.isEmpty || rest.hasPrefix(":") || rest.hasPrefix(" ["))
      || contains("Fatal error: ")
  }
}
