import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

// Contracts made at run time.
extension Admin {
  /// Takes a contract that responds before those of files, as the text of a file.
  ///
  /// Reading may take long, so it is not done where clients would wait.
  func put(_ values: [String], _ request: Request, _ then: @escaping Then) throws(Problem) {
    let session = session
    let (upstreamName, name) = (values.first ?? "", values.last ?? "")
    let read = reading(values, request)
    EventLoop.inBackground { [self] in
      do throws(Problem) {
        let contract: Contract
        do throws(ContractError) {
          contract = try read()
        } catch {
          throw .wrongContract(error.findings)
        }
        let isNew: Bool
        do throws(StubShelf.Full) {
          // One whose file cannot be read is not saved over it.
          let fileText = try? core.configuration.saving?.text(of: name, in: upstreamName)
          isNew = try session.stubs.put(contract, text: request.body, over: fileText)
        } catch {
          throw .tooManyStubs(error)
        }
        core.stubsChanged(of: session)
        core.events.add(.stub(upstream: upstreamName, contract: contract.id), session: session.name)
        then(describe(contract, status: isNew ? 201 : 200))
      } catch {
        then(error.response)
      }
    }
  }

  /// Says what is wrong with the text of a contract, and serves nothing of it.
  func check(_ values: [String], _ request: Request, _ then: @escaping Then) {
    let read = reading(values, request)
    EventLoop.inBackground {
      var findings: [Finding] = []
      do throws(ContractError) {
        _ = try read()
      } catch {
        findings = error.findings
      }
      then(.members { [findings] in $0.diagnostics(findings) })
    }
  }

  private typealias Reading = @Sendable () throws(ContractError) -> Contract

  private func reading(_ values: [String], _ request: Request) -> Reading {
    let (upstreamName, name) = (values.first ?? "", values.last ?? "")
    let bodies = bodyFiles(of: name, in: upstreamName)
    let known = core.upstreamNames(of: session)
    return { () throws(ContractError) in
      try ContractLibrary.contract(
        named: name, of: upstreamName, reading: request.body, with: bodies, beside: known)
    }
  }

  /// The files with bodies of the contract that is replaced, by their paths in the upstream's
  /// folder.
  private func bodyFiles(of name: String, in upstreamName: String) -> [String: [UInt8]] {
    let replaced = core.contracts(named: name, of: upstreamName, for: session)
    return replaced.reversed().flatMap(\.cases).reduce(into: [:]) { files, served in
      guard case .file(let path)? = served.response?.body else { return }
      files[path] = served.response?.bodyBytes
    }
  }

  func delete(_ values: [String]) throws(Problem) -> OwnResponse {
    let contract = try contract(values)
    guard session.stubs.remove(contract.name, of: contract.upstreamName) else {
      throw .notMade(contract, fix: "delete the file, or DELETE in the session that made it")
    }
    core.stubsChanged(of: session)
    core.events.add(
      .stub(upstream: contract.upstreamName, contract: contract.id, isRemoved: true),
      session: session.name)
    return .noContent
  }

  /// Writes a contract to its file, unless that has changed since the contract was made.
  func save(_ values: [String], _ then: @escaping Then) throws(Problem) {
    let contract = try contract(values)
    guard let saving = core.configuration.saving else { throw .noSaving }
    let (name, upstreamName) = (contract.name, contract.upstreamName)
    guard session.stubs.has(contract), let text = session.stubs.text(of: name, in: upstreamName)
    else {
      let isMainSessions = core.mainSession.stubs.has(contract)
      throw .notMade(
        contract,
        fix: isMainSessions
          ? "it was made in the main session: save it there" : "it is saved already")
    }
    let upstream = layer.upstream(named: upstreamName) ?? Upstream(named: upstreamName)
    EventLoop.inBackground { [session] in
      do throws(Failure) {
        guard
          try saving.text(of: name, in: upstreamName)
            == session.stubs.fileText(of: name, in: upstreamName)
        else { return then(Problem.changedFile(of: contract).response) }
        let path = try saving.save(text, as: name, of: upstream)
        session.stubs.markSaved(
          name, of: upstreamName, as: try saving.text(of: name, in: upstreamName))
        then(.members { $0.member("file", path) })
      } catch {
        then(
          Problem(
            status: 500, title: "The contract was not written", detail: error.message,
            fix: error.fix
          ).response)
      }
    }
  }

  /// The text of a contract: as it was made, or as its file has it now.
  func source(_ values: [String], _ then: @escaping Then) throws(Problem) {
    let contract = try contract(values)
    var text = [session, core.mainSession].lazy.compactMap {
      $0.stubs.has(contract) ? $0.stubs.text(of: contract.name, in: contract.upstreamName) : nil
    }.first
    // What was read for serving is not kept.
    if contract.source.kind != .null { text = contract.source.document.bytes }
    EventLoop.inBackground { [text] in
      do throws(Failure) {
        let root = FileRoot(around: contract.file)
        if text == nil, try root.kind(of: contract.file) == nil {
          return then(Problem.noFile(of: contract).response)
        }
        let text = if let text { text } else { try root.read(contract.file) }
        then(OwnResponse(status: 200, contentType: "application/json", body: text))
      } catch {
        then(
          Problem(
            status: 404, title: "The file cannot be read", detail: error.message, fix: error.fix
          ).response)
      }
    }
  }
}
