/// What to do about a host that no upstream declares, for whoever is refused and whoever reads of it.
package enum UndeclaredHost {
  /// - Parameter isHermetic: whether nothing leaves the network of the client.
  package static func fix(isHermetic: Bool) -> String {
    "declare the host as the baseURL of an upstream.json, "
      + (isHermetic
        ? "or let the command do without" : "list it in NO_PROXY, or allow it with --pass-through")
  }
}
