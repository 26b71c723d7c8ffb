package import UnderstudySystem

extension ScratchFolder {
  package static func orError() throws(Failure) -> ScratchFolder {
    do throws(SystemError) {
      return try ScratchFolder()
    } catch {
      throw Failure(message: error.description, fix: "set TMPDIR to a folder that you may write to")
    }
  }
}
