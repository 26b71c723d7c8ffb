/// Edits that keep all other bytes unchanged. New text follows the surrounding layout. Each edit
/// costs as much as parsing the document again: for many edits use `JSONDraft`.
///
/// The folder changes contracts as a person would, and leaves the rest of the file alone.
/// `JSONSpans` finds the ranges of a container's entries, `JSONLayout` writes new text as the text
/// around it is written, and `JSONDocument+Changing` makes one value equal to another, keeping what
/// both have. `JSONDraft` is for bodies, whose layout does not matter.
///
/// An edit gives a new document or fails; its result is parsed again, so it is valid JSON.
extension JSONDocument {
  /// Replaces the value at the pointer; a missing member is added to its object, last.
  package func setting(
    _ pointer: JSONPointer, to json: String
  ) throws(JSONEditError) -> JSONDocument {
    let new = try Self.checked(json, at: pointer)
    if let old = root.value(at: pointer) {
      return try replacing(
        old.byteRange, with: layout.adapted(new, toLineOf: old.byteRange.lowerBound), at: pointer)
    }
    let container = try container(of: pointer)
    guard container.kind == .object, let key = pointer.tokens.last else {
      throw .noPlace(in: container.summary, at: pointer)
    }
    let insertion = layout.insertion(of: new, key: key, into: container, at: container.count)
    return try replacing(insertion.range, with: insertion.bytes, at: pointer)
  }

  /// Removes a member or an element with its comma; for a duplicate key all members.
  package func removing(_ pointer: JSONPointer) throws(JSONEditError) -> JSONDocument {
    guard let token = pointer.tokens.last else { throw .rootRemoval }
    guard let container = pointer.parent.flatMap(root.value(at:)),
      let value = container.child(token)
    else { throw .nothingToRemove(at: pointer) }
    let places =
      container.kind == .array
      ? [value.byteRange.lowerBound]
      : container.members.filter { $0.hasKey(token) }.map(\.keyRange.lowerBound)
    return try parsed(JSONSpans(of: container).removing(entriesAt: places), at: pointer)
  }

  /// Inserts an element before the one at the pointer, or after the last with `-` or the index
  /// after it.
  package func inserting(
    _ json: String, at pointer: JSONPointer
  ) throws(JSONEditError) -> JSONDocument {
    let new = try Self.checked(json, at: pointer)
    let array = try container(of: pointer)
    guard array.kind == .array, let token = pointer.tokens.last else {
      throw JSONEditError(
        .unsuitable, at: pointer, "found \(array.summary), expected an array to insert into")
    }
    let position = token == "-" ? array.count : JSONPointer.index(of: token)
    guard let position, position <= array.count else {
      throw .noPlace(in: array.summary, at: pointer)
    }
    let insertion = layout.insertion(of: new, key: nil, into: array, at: position)
    return try replacing(insertion.range, with: insertion.bytes, at: pointer)
  }

  var layout: JSONLayout { JSONLayout(of: storage) }

  private static func checked(
    _ json: String, at pointer: JSONPointer
  ) throws(JSONEditError) -> ArraySlice<UInt8> {
    do throws(JSONError) {
      let document = try JSONDocument(parsing: json)
      return document.bytes[document.root.byteRange]
    } catch {
      throw JSONEditError(error, at: pointer)
    }
  }

  private func container(of pointer: JSONPointer) throws(JSONEditError) -> JSONValue {
    guard let parent = pointer.parent else {
      throw JSONEditError(.unsuitable, at: pointer, "the root is not in an array")
    }
    guard let container = root.value(at: parent) else { throw .noContainer(of: pointer) }
    return container
  }

  func replacing(
    _ range: Range<Int>, with new: [UInt8], at pointer: JSONPointer
  ) throws(JSONEditError) -> JSONDocument {
    var edited = bytes
    edited.replaceSubrange(range, with: new)
    return try parsed(edited, at: pointer)
  }

  private func parsed(
    _ edited: [UInt8], at pointer: JSONPointer
  ) throws(JSONEditError) -> JSONDocument {
    do throws(JSONError) {
      return try JSONDocument(parsing: edited, limits: storage.limits)
    } catch {
      throw JSONEditError(error, at: pointer)
    }
  }
}
