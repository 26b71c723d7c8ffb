import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON
import UnderstudySecrets

extension LiveExchange {
  /// The reason why a consumer that fails on a stored response may not be at fault: it read a
  /// masked value. A consumer whose reads are unknown counts as reading everything; header reads
  /// are always unknown.
  func blindSpot(of recorder: ReadPaths) -> Inconclusive? {
    bodyBlindSpot(of: recorder)
      ?? hiddenHeader.map {
        Inconclusive(
          "cannot be checked again: it may read the header \($0.name), where the stored"
            + " response has a masked secret")
      }
  }

  /// Clients read cookies, not services, and the target of a redirect was stored with it.
  private var hiddenHeader: HeaderField? {
    guard let response else { return nil }
    let isRedirect = (300..<400).contains(response.status)
    return response.lasting.first { field in
      field.value.contains(SecretMask.mark)
        && !(isRedirect && field.key == "location")
    }
  }

  private func bodyBlindSpot(of recorder: ReadPaths) -> Inconclusive? {
    guard let body = response?.body, body.contains(bytes: SecretMask.mark.utf8) else { return nil }
    let pointers =
      (try? JSONDocument(parsing: body))?.root.maskedPointers ?? [[]]
    let isTold = !recorder.paths.isEmpty
    return pointers.first { !isTold || recorder.isRead($0) }.map {
      Inconclusive(
        "cannot be checked again: it reads \($0.tokens.isEmpty ? "the body" : "\($0)"), where the"
          + " stored response has a masked secret")
    }
  }
}

extension JSONValue {
  /// The places of masked values; for a member with a masked name, the place of its object. The
  /// nesting limit bounds the recursion.
  fileprivate var maskedPointers: [JSONPointer] {
    switch kind {
    case .object:
      members.flatMap { member in
        member.key.contains(SecretMask.mark) ? [pointer] : member.value.maskedPointers
      }
    case .array: elements.flatMap(\.maskedPointers)
    case .string: string?.contains(SecretMask.mark) ?? false ? [pointer] : []
    default: []
    }
  }
}
