#if canImport(Darwin)
  public import Darwin
#else
  public import Glibc
#endif

/// Functions of every C library that the standard library lacks.
///
/// What runs for every request or token is public: only that does the compiler inline in other
/// modules.
public enum CLibrary {
  // SAFETY: both read only as many bytes as the callers' pointers have.

  @inlinable public static func offset(
    of byte: UInt8, in start: UnsafeRawPointer, count: Int
  ) -> Int? {
    memchr(start, Int32(byte), count).map { UnsafeRawPointer($0) - start }
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
