import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyJSON

/// Writes the contracts that clients made to files, for `understudy serve --allow-save`.
struct ServeSaving: ContractSaving {
  private let folder: String

  init(into selection: Selection) throws(Failure) {
    folder = try selection.root
  }

  func text(of name: String, in upstreamName: String) throws(Failure) -> [UInt8]? {
    let (root, path) = (FileRoot(folder), path(of: name, in: upstreamName))
    return try root.kind(of: path) == nil ? nil : root.read(path)
  }

  func save(_ text: [UInt8], as name: String, of upstream: Upstream) throws(Failure) -> String {
    let root = FileRoot(folder)
    let upstreamFile = "\(folder)/\(upstream.name)/upstream.json"
    if try root.kind(of: upstreamFile) == nil {
      var writer = JSONWriter(style: .pretty(indent: 2))
      writer.object { $0.member("summary", "Made at run time") }
      try root.write(writer.bytes + "\n".utf8, to: upstreamFile)
    }
    let path = path(of: name, in: upstream.name)
    // A contract that was in the file keeps its layout.
    let isNew = try root.kind(of: path) == nil
    let document = try JSONDocument(parsing: text, file: path, fix: nil)
    try root.write(isNew ? Array("\(document.root.laidOut())\n".utf8) : text, to: path)
    return path
  }

  private func path(of name: String, in upstreamName: String) -> String {
    "\(folder)/\(upstreamName)/\(name).json"
  }
}
