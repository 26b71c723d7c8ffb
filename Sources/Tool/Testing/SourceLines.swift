import UnderstudyCore
import UnderstudySecrets

/// The lines that places name, for the frames that a terminal shows. A file is read once.
final class SourceLines {
  private var files: [String: [Substring]] = [:]

  /// `nil` for a file that is gone, or has fewer lines by now.
  func line(of place: Place) -> Substring? {
    guard let position = place.position else { return nil }
    let lines = files[place.file] ?? Self.lines(in: place.file)
    files[place.file] = lines
    let index = position.line - 1
    return lines.indices.contains(index) ? lines[index] : nil
  }

  private static func lines(in file: String) -> [Substring] {
    guard let bytes = try? FileRoot(around: file).read(file) else { return [] }
    let text = SecretMask.standard.masked(String(decoding: bytes, as: UTF8.self))
    return text.split(separator: "\n", omittingEmptySubsequences: false)
  }
}
