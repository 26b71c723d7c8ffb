import XCTest

/// XCTest's assertion for expressions that are awaited.
///
///     await XCTAssertThrowsError(try await client.randomJoke()) { error in
///       XCTAssertEqual(error as? JokeError, .notFound)
///     }
///
/// In an async test it takes the place of XCTest's own for every expression, so `await` stands
/// before those that need not be awaited, too.
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
      "found no error, expected one\(text.isEmpty ? "" : ": \(text)")", file: file, line: line)
  } catch {
    errorHandler(error)
  }
}
