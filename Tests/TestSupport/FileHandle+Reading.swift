package import Foundation

extension FileHandle {
  /// What can be read until its end. Foundation's own way ends the process when a signal interrupts it.
  package func readOn() -> Data {
    var (data, buffer) = (Data(), [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let count = Foundation.read(fileDescriptor, &buffer, buffer.count)
      if count > 0 {
        data.append(contentsOf: buffer[..<count])
      } else if count == 0 || errno != EINTR {
        return data
      }
    }
  }
}
