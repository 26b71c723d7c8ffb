package import Foundation

extension FileHandle {
  /// What can be read until its end. Foundation's own way ends the process when a signal interrupts
  /// it.
  ///
  /// - Parameter giveUp: called with what came, when nothing has come for five minutes; it must see to
  ///   the end.
  package func readOn(orElse giveUp: ((Data) -> Void)? = nil) -> Data {
    var (data, buffer) = (Data(), [UInt8](repeating: 0, count: 1 << 16))
    var giveUp = giveUp
    while true {
      var file = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
      if let inVain = giveUp, poll(&file, 1, 300_000) == 0 {
        giveUp = nil
        inVain(data)
      }
      let count = Foundation.read(fileDescriptor, &buffer, buffer.count)
      if count > 0 {
        data.append(contentsOf: buffer[..<count])
      } else if count == 0 || errno != EINTR {
        return data
      }
    }
  }
}
