package import UnderstudyCore

/// How a server is the proxy of its clients.
package struct ForwardProxy: Sendable {
  /// Names the upstream of a URL whose host no file declares, for a relay that knows the name;
  /// `nil` where such hosts are refused.
  let name: (@Sendable (WebURL) -> String?)?
  /// For the other hosts that no file declares; `nil` where they are refused.
  let passThrough: PassThrough?

  package init(
    naming name: (@Sendable (WebURL) -> String?)? = nil, passThrough: PassThrough? = nil
  ) {
    (self.name, self.passThrough) = (name, passThrough)
  }
}
