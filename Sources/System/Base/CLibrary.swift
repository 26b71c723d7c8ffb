#if canImport(Darwin)
  public import Darwin
#else
  public import Glibc
  import UnderstudyCLinux
#endif

/// Functions of every C library that the standard library lacks.
///
/// What runs for every request or token is public: only that does the compiler inline in other
/// modules.
public enum CLibrary {
  // SAFETY: all read only as many bytes as the callers' pointers have.

  @inlinable public static func offset(
    of byte: UInt8, in start: UnsafeRawPointer, count: Int
  ) -> Int? {
    memchr(start, Int32(byte), count).map { UnsafeRawPointer($0) - start }
  }

  /// Where the bytes of one buffer are first found in another; 0 when there are none.
  package static func offset(
    of part: UnsafeBufferPointer<UInt8>, in whole: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard let wanted = part.baseAddress, !part.isEmpty else { return 0 }
    guard let start = whole.baseAddress else { return nil }
    return memmem(start, whole.count, wanted, part.count).map {
      UnsafeRawPointer($0) - UnsafeRawPointer(start)
    }
  }

  @inlinable public static func areEqual(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int
  ) -> Bool {
    memcmp(left, right, count) == 0
  }

  /// Resizes memory from malloc; `nil` when there is not enough.
  package static func reallocate(
    _ memory: UnsafeMutableRawPointer?, byteCount: Int
  ) -> UnsafeMutableRawPointer? {
    realloc(memory, byteCount)
  }

  package static func exponential(_ number: Double) -> Double { exp(number) }
  package static func logarithm(_ number: Double) -> Double { log(number) }
  package static func cosine(_ number: Double) -> Double { cos(number) }
}

extension String {
  /// Whether it has the byte with which a text of C ends.
  package var hasNUL: Bool {
    let has = utf8.withContiguousStorageIfAvailable { bytes in
      bytes.baseAddress.map { CLibrary.offset(of: 0, in: $0, count: bytes.count) != nil } ?? false
    }
    return has ?? utf8.contains(0)
  }
}
