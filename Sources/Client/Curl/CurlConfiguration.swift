/// What holds for every request of a `CurlTransport`.
public struct CurlConfiguration: Hashable, Sendable {
  /// A file of certificates in PEM to trust instead of the system's.
  public var trustFile: String?
  /// Connects directly, whatever `http_proxy` and its like say in the environment.
  public var ignoresProxies = false
  /// Open at the same time; requests beyond wait for one that is free.
  public var connectionCountMax = 256

  public init() {}
}

/// Where the body of an answer goes.
public enum BodyDestination: Sendable {
  case memory
  /// A file at this path, which is there when the body is complete and not before; one that was
  /// there is replaced.
  case file(String)
  /// A closure that is called for every piece, in order, and must not block: other transfers wait
  /// for it. `false` ends the transfer with `cannotStore`.
  case handler(@Sendable (ArraySlice<UInt8>) -> Bool)
}

extension HTTPRequestOptions {
  /// When a request that starts now must be over.
  func end(from now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    guard let totalTimeout else { return deadline }
    let end = now + totalTimeout
    return deadline.map { min($0, end) } ?? end
  }
}

extension Duration {
  /// Rounded up, and within what curl can count.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 2_000_000 else { return 2_000_000_000 }
    guard seconds > -2_000_000 else { return -2_000_000_000 }
    return Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  var wholeNanoseconds: Int64 { Int64(wholeMilliseconds) * 1_000_000 }
}
