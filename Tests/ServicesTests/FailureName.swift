import UnderstudyServices

/// The name of the error a call ends in, as contracts spell it; `nil` when it succeeds.
func failureName(of call: () async throws -> some Any) async -> String? {
  do {
    _ = try await call()
    return nil
  } catch {
    return (error as? ServiceError)?.name ?? "\(error)"
  }
}
