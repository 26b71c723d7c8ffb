package import Diagnostics

/// Every contract that was asked for, and everything that is wrong with them.
///
/// A library is whole even when files in it are broken: what could be read is there, the rest is in
/// `diagnostics`. Immutable, so it can be shared by any number of servers and tests.
package struct ContractLibrary: Sendable {
  /// Sorted by name.
  package let upstreams: [Upstream]
  package let consumers: [Consumer]
  /// Sorted by place.
  package let diagnostics: [Diagnostic]
  /// The JSON files that were read, sorted.
  package let files: [String]

  package var fileCount: Int { files.count }

  package var contracts: [Contract] { upstreams.flatMap(\.contracts) }
}
