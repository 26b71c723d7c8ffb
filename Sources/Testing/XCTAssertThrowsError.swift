import XCTest

/// Asserts that an awaited expression throws, which XCTest's own assertion cannot.
///
///     await XCTAssertThrowsError(try await client.randomJoke()) { error in
///       XCTAssertEqual(error as? JokeError, .notFound)
///     }
///
/// In an async test it replaces XCTest's own for every expression, so write `await` before those
/// that do not need it, too.
public func XCTAssertThrowsError<Value>(
  _ expression: @autoclosure () async throws -> Value,
  _ message: @autoclosure () -> String = "",
  file: StaticString = #filePath, line: UInt = #line,
  isolation: isolated (any Actor)? = #isolation,
  _ errorHandler: (_ error: any Error) -> Void = { _ in }
) async {
  do {
    _ = try await expression()
    let text = message()
    XCTFail(
      "no error, expected one\(text.isEmpty ? "" : ": \(text)")", file: file, line: line)
  } catch {
    errorHandler(error)
  }
}
