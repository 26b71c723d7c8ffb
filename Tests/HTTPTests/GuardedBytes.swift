import Foundation

/// Memory that ends right before a page nobody may read: a parser that reads a byte too many ends
/// the test process.
final class GuardedBytes {
  private let pages: UnsafeMutableRawPointer
  private let capacity: Int
  private let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  init(capacity: Int = 1 << 16) {
    let size = (capacity + pageSize - 1) / pageSize * pageSize
    let flags = MAP_PRIVATE | MAP_ANONYMOUS
    guard let pages = mmap(nil, size + pageSize, PROT_READ | PROT_WRITE, flags, -1, 0),
      pages != MAP_FAILED, mprotect(pages + size, pageSize, PROT_NONE) == 0
    else { preconditionFailure("no memory for a test") }
    self.pages = pages
    self.capacity = size
  }

  deinit { munmap(pages, capacity + pageSize) }

  /// SAFETY: the bytes handed out are the last before the guard, and only for the call.
  func with<Result>(
    _ bytes: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    precondition(bytes.count <= capacity)
    let place = UnsafeMutableRawBufferPointer(
      start: pages + (capacity - bytes.count), count: bytes.count)
    place.copyBytes(from: bytes)
    return try body(UnsafeRawBufferPointer(place))
  }
}
