/// What is sent where an answer is no HTTP.
enum FaultBytes {
  /// Begins like one, so that a client has to read on to see that it is none.
  static let statusLine = Array("HTTP/1.1 no status line\r\n\r\n".utf8)
  static let headerLineWithoutColon = Array("This line is no header\r\n".utf8)
  /// No byte of it before the line break is a hexadecimal digit, as a chunk's size would be.
  static let chunk = Array("no such thing\r\n".utf8)
  static let noiseCount = 256
}
