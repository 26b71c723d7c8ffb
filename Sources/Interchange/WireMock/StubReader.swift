package import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyFindings
package import UnderstudyJSON

/// Why a stub cannot be served as it says.
package struct StubRefusal: Error, Hashable, Sendable {
  /// Where, as a JSON Pointer: `/request/bodyPatterns/0`.
  package let pointer: String
  package let reason: String

  package init(_ pointer: String, _ reason: String) {
    self.pointer = pointer
    self.reason = reason
  }
}

/// Makes contracts of single stubs, for a server that serves them in WireMock's order.
///
/// A stub becomes a contract for each method and path, with a case that responds as it says.
/// Nothing is written, so secrets stay as they are.
package struct StubReader: Sendable {
  /// Reads a file by its path beneath `__files`.
  package typealias BodyFile = @Sendable (_ path: String) -> Result<[UInt8], Failure>

  /// What the response may lack: nothing that a client would notice in WireMock's place.
  private static let harmless = ["/response/statusMessage"]

  private let isTemplated: Bool
  private let bodyFile: BodyFile

  /// - Parameter isTemplated: whether every response has expressions, not only those of stubs that say
  ///   so.
  package init(isTemplated: Bool, bodyFile: @escaping BodyFile) {
    self.isTemplated = isTemplated
    self.bodyFile = bodyFile
  }

  /// The contracts of a stub.
  ///
  /// - Parameter name: gives a contract its own name, by one that says what it is about.
  package func contracts(
    of stub: JSONText, named name: (String) -> String
  ) throws(StubRefusal) -> [Contract] {
    guard let root = stub.root else { throw StubRefusal("", "the stub is not JSON") }
    var stubs: WireMockImport
    do throws(Failure) {
      let source = ImportSource(documents: [ForeignDocument(root: root, file: "stub")]) {
        path, _ throws(Failure) in try bodyFile(path).get()
      }
      stubs = try WireMockImport(
        source, isTemplated: isTemplated, keepsSecrets: true, isChecked: true)
    } catch {
      throw StubRefusal("", error.message)
    }
    let made = stubs.contracts()
    let note = stubs.notes.first { note in
      note.kind == .leftOut && !Self.harmless.contains(note.pointer)
        && !(note.pointer.hasPrefix("/response/") && !made.isEmpty)
    }
    if let note { throw StubRefusal(note.pointer, note.reason) }
    var contracts: [Contract] = []
    for var draft in made.map(\.draft) {
      draft.name = name(draft.name)
      do throws(ContractError) {
        contracts.append(
          try ContractLibrary.contract(
            draft, of: WireMockLibrary.upstreamName, beside: [], maySayAll: true))
      } catch {
        throw StubRefusal("", error.findings.first?.message ?? "no contract can say it")
      }
    }
    return contracts
  }
}
