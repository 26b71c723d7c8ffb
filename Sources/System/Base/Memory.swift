#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The memory that this process could still get.
package enum Memory {
  /// Whether this many pieces could be had at the same time.
  ///
  /// Swift ends the process where it gets no memory, so whoever needs much of it for somebody else
  /// asks first. Another thread may take it in between.
  package static func has(_ count: Int = 1, piecesOf byteCount: Int) -> Bool {
    // SAFETY: nobody reads or writes the pages; they are given back before this returns.
    var pieces: [UnsafeMutableRawPointer] = []
    defer { for piece in pieces { munmap(piece, byteCount) } }
    while pieces.count < count {
      let piece = mmap(
        nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      guard let piece, piece != MAP_FAILED else { return false }
      pieces.append(piece)
    }
    return true
  }
}
