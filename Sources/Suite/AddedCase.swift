import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// A case that is added to a contract to play an answer that is not in it: a damaged or a live one.
struct AddedCase {
  let contractID: String
  let name: String
  /// The case that it equals in all else.
  let like: String
  /// `nil` for that of the other case.
  var status: Int?
  let headers: [HeaderField]
  let body: [UInt8]

  /// As a member of a contract's cases.
  fileprivate var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key(name)
      writer.object { writer in
        writer.key("like")
        writer.string(like)
        if let status {
          writer.key("status")
          writer.int(status)
        }
        let groups = Dictionary(grouping: headers, by: \.key)
        if !groups.isEmpty {
          writer.key("headers")
          writer.object { writer in
            for (key, fields) in groups.sorted(by: { $0.key.text < $1.key.text }) {
              writer.key(key.text)
              writer.array { writer in
                for field in fields { writer.string(field.value) }
              }
            }
          }
        }
        writer.key("base64")
        writer.string(Base64.encode(body))
      }
    }
    return String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self)
  }
}

extension ContractLibrary {
  /// The contracts of these upstreams, with more cases.
  init(_ upstreams: [Upstream], adding cases: [AddedCase]) {
    var files: [String: String] = [:]
    for upstream in upstreams {
      var writer = JSONWriter()
      writer.object { writer in
        writer.key("summary")
        writer.string(upstream.name)
        writer.key("baseURL")
        writer.string(upstream.baseURL?.description ?? "https://\(upstream.name).example")
      }
      files["\(upstream.name)/upstream.json"] = String(decoding: writer.bytes, as: UTF8.self)
      for contract in upstream.contracts {
        var bytes = contract.source.document.bytes
        guard let end = contract.source["cases"]?.byteRange.upperBound else { continue }
        let added = cases.filter { $0.contractID == contract.id }.map { ",\($0.json)" }
        bytes.insert(contentsOf: added.joined().utf8, at: end - 1)
        files["\(contract.id).json"] = String(decoding: bytes, as: UTF8.self)
      }
    }
    self.init(reading: files)
  }
}
