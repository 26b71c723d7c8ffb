import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// A case that is added to a contract to serve a response that is not in it: a mutated or a live one.
struct AddedCase {
  let contractID: String
  let name: String
  /// The case that it equals in all else, and stands in for the same requests as.
  let like: String
  /// `nil` for that of the other case.
  var status: Int?
  let headers: [HeaderField]
  /// Headers of the other case that this one lacks.
  var droppedHeaders: Set<HeaderName> = []
  let body: [UInt8]

  /// As a member of a contract's cases.
  ///
  /// - Parameters:
  ///   - contract: of the case that it is like.
  ///   - bodyFile: the path of its body.
  fileprivate func json(in contract: Contract, bodyFile: String) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key(name)
      writer.object { writer in
        writer.key("like")
        writer.string(like)
        // These are not copied by `like`.
        for key in ["when", "then"] {
          guard let value = contract.source["cases"]?[like]?[key] else { continue }
          writer.key(key)
          writer.value(value)
        }
        if let status {
          writer.key("status")
          writer.int(status)
        }
        writer.key("headers")
        writer.object { writer in
          let groups = Dictionary(grouping: headers, by: \.key)
          for (key, fields) in groups.sorted(by: { $0.key.text < $1.key.text }) {
            writer.key(key.text)
            writer.array { writer in
              for field in fields { writer.string(field.value) }
            }
          }
          for key in droppedHeaders.map(\.text).sorted() {
            writer.key(key)
            writer.null()
          }
        }
        // Braces in it are its own.
        writer.key("template")
        writer.array { _ in }
        writer.key("file")
        writer.string(bodyFile)
      }
    }
    return String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self)
  }
}

extension ContractLibrary {
  /// The contracts of these upstreams, with more cases.
  init(_ upstreams: [Upstream], adding cases: [AddedCase]) {
    var files: [String: [UInt8]] = [:]
    for upstream in upstreams {
      var writer = JSONWriter()
      writer.object { writer in
        writer.key("summary")
        writer.string(upstream.name)
        writer.key("baseURL")
        writer.string(upstream.baseURL?.description ?? "https://\(upstream.name).example")
        if !upstream.hosts.isEmpty {
          writer.list("hosts", upstream.hosts) { writer, host in writer.string(host) }
        }
      }
      files["\(upstream.name)/upstream.json"] = writer.bytes
      for contract in upstream.contracts {
        for served in contract.cases {
          guard case .file(let path) = served.response?.body else { continue }
          files["\(upstream.name)/\(path)"] = served.response?.bodyBytes
        }
        var bytes = contract.source.document.bytes
        guard let end = contract.source["cases"]?.byteRange.upperBound else { continue }
        var added = ""
        for (number, addition) in cases.enumerated() where addition.contractID == contract.id {
          let path = "added/\(number)"
          files["\(upstream.name)/\(path)"] = addition.body
          added += ",\(addition.json(in: contract, bodyFile: path))"
        }
        bytes.insert(contentsOf: added.utf8, at: end - 1)
        files["\(contract.id).json"] = bytes
      }
    }
    self.init(readingBytes: files)
  }
}
