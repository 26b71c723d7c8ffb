import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyJSON

/// Writes the contracts that clients made to files, for `understudy serve --allow-save`.
enum ServeSaving {
  static func saving(
    into paths: [String]
  ) throws(Failure) -> ServerConfiguration.SaveContract {
    guard let folder = try ContractLibrary.roots(of: paths).first, paths.count == 1 else {
      throw Failure(
        message: "found \(paths.count) paths, expected one folder of contracts to save into",
        fix: "name one")
    }
    return { name, upstream, text in
      Result { () throws(Failure) in try save(text, as: name, of: upstream, in: folder) }
    }
  }

  private static func save(
    _ text: [UInt8], as name: String, of upstream: Upstream, in folder: String
  ) throws(Failure) -> String {
    let root = FileRoot(folder)
    let upstreamFile = "\(folder)/\(upstream.name)/upstream.json"
    if try root.kind(of: upstreamFile) == nil {
      var writer = JSONWriter(style: .pretty(indent: 2))
      writer.object { $0.member("summary", "Made at run time") }
      try root.write(writer.bytes + "\n".utf8, to: upstreamFile)
    }
    let path = "\(folder)/\(upstream.name)/\(name).json"
    // A contract that was in the file keeps its layout.
    let isNew = try root.kind(of: path) == nil
    let document = try JSONDocument(parsing: text, file: path, fix: nil)
    try root.write(isNew ? Array("\(document.root.laidOut())\n".utf8) : text, to: path)
    return path
  }
}
