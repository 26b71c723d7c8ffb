import ContractModel
import Findings

/// Reports that earlier runs left as JSON.
enum ReportFile {
  static func read(_ path: String) throws(CommandLineError) -> Report {
    do {
      return try Report(parsing: try FileSystem.read(path).get(), file: path)
    } catch let error as FindingsError {
      throw CommandLineError(message: error.message, fix: error.fix)
    } catch let error as FileError {
      throw CommandLineError(message: error.message, fix: error.fix)
    } catch {
      throw CommandLineError(message: "cannot read \(path): \(error)")
    }
  }
}
