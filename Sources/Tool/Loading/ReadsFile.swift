import UnderstudyCore
import UnderstudyJSON
import UnderstudySuite

/// What commands read, kept in the working folder.
enum ReadsFile {
  static let path = ".understudy/reads.json"

  /// Nothing is known where there is no file.
  static func read() throws(Failure) -> LearnedReads {
    let folder = FileRoot(around: path)
    guard try folder.kind(of: path) != nil else { return LearnedReads() }
    let bytes = try folder.read(path)
    do throws(JSONError) {
      return try LearnedReads(parsing: bytes)
    } catch {
      throw Failure(
        at: Place(path, error.position), message: error.message,
        fix: "remove the file and run \"understudy reads --learn\" again")
    }
  }

  static func write(_ reads: LearnedReads) throws(Failure) {
    try FileRoot(around: path).write(reads.bytes, to: path)
  }
}
