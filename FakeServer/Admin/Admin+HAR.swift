import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

extension Admin {
  /// The journal as a HAR 1.2, which browsers and proxies open, with secrets masked.
  ///
  /// The journal keeps no responses. Where a case sends what its contract says, the contract has
  /// the response, as it is now; elsewhere the body is missing.
  func archive(_ request: Request, at authority: String, _ then: @escaping Then) throws(Problem) {
    let core = core
    core.readJournal(try query(request)) { found in
      let upstreams = layer.upstreams
      then(
        .members { object in
          object.key("log")
          object.object { log in
            log.member("version", "1.2")
            log.key("creator")
            log.object { creator in
              creator.member("name", "Understudy")
              creator.member("version", UnderstudyVersion.text)
            }
            log.list("pages", [String]()) { $0.string($1) }
            log.list("entries", found) { writer, entry in
              let served = entry.contract.flatMap { id in
                upstreams.lazy.compactMap { $0.contract(withID: id) }.first
              }.flatMap { contract in entry.caseName.flatMap { contract.case(named: $0) } }
              let archived = ArchivedEntry(
                entry: entry.masked(by: core.mask),
                response: served.flatMap { ArchivedResponse($0, core.mask) }, authority: authority)
              writer.object { archived.write(to: &$0) }
            }
          }
        })
    }
  }
}

extension Upstream {
  fileprivate func contract(withID id: String) -> Contract? {
    id.hasPrefix("\(name)/") ? contract(named: String(id.dropFirst(name.count + 1))) : nil
  }
}
