import Glibc

/// What every C library has and the standard library lacks.
package enum CLibrary {
  // SAFETY: both read so many bytes from the pointers, which callers have.

  @inline(__always)
  package static func offset(
    of byte: UInt8, in start: UnsafeRawPointer, count: Int
  ) -> Int? {
    memchr(start, Int32(byte), count).map { UnsafeRawPointer($0) - start }
  }

  package static func areEqual(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int
  ) -> Bool {
    memcmp(left, right, count) == 0
  }

  /// Memory of malloc, made larger or smaller; `nil` when there is no more.
  package static func reallocate(
    _ memory: UnsafeMutableRawPointer?, byteCount: Int
  ) -> UnsafeMutableRawPointer? {
    realloc(memory, byteCount)
  }

  package static func exponential(_ number: Double) -> Double { exp(number) }
  package static func logarithm(_ number: Double) -> Double { log(number) }
  package static func cosine(_ number: Double) -> Double { cos(number) }
}
