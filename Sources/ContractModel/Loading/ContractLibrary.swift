import Synchronization
import UnderstudyCore
package import UnderstudyFindings

/// The requested contracts, and all problems found in them.
///
/// A library is usable even when some files are broken: it holds everything that could be read, and
/// `findings` describes the rest. Immutable, so any number of servers and tests can share it.
///
/// The folder is the way from files to contracts. Read this file, `ContractLibrary+Loading` with
/// the ways to make a library, then `FolderReader`, which finds the files, has `Reading` read them
/// on several threads and `Lint` check them. `Contract+Serving` leaves out of contracts what a
/// server does not need. `ContractLibrary+Drafts` makes a library of
/// contracts that a program has drafted.
///
/// A folder that cannot be read is an error; whatever is wrong inside a file is a finding. What is
/// derived from a library, such as its index, is made once and kept in `products`.
package struct ContractLibrary: Sendable {
  /// Sorted by name.
  package let upstreams: [Upstream]
  package let consumers: [Consumer]
  /// Sorted by place.
  package let findings: [Finding]
  /// The JSON files that were read, sorted.
  package let files: [String]
  /// Derived values, shared by all copies of the library.
  package let products = LibraryProducts()

  init(upstreams: [Upstream], consumers: [Consumer], findings: [Finding], files: [String]) {
    self.upstreams = upstreams
    self.consumers = consumers
    self.findings = findings
    self.files = files
  }

  /// Contracts that were read before, of upstreams sorted by name.
  package init(of upstreams: [Upstream]) {
    self.init(upstreams: upstreams, consumers: [], findings: [], files: [])
  }

  /// This library with what was found in another file of its folder.
  package func adding(_ more: [Finding], about file: String) -> ContractLibrary {
    ContractLibrary(
      upstreams: upstreams, consumers: consumers, findings: (findings + more).byPlace,
      files: (files + [file]).sorted())
  }

  package var fileCount: Int { files.count }

  package var contracts: [Contract] { upstreams.flatMap(\.contracts) }

  /// Which contract responds to which request; built once.
  package var index: RequestIndex {
    products.product("index") { RequestIndex(upstreams) }
  }
}

/// Values derived from a library on first use and then shared, such as what a server serves.
///
/// Any thread may use it.
package final class LibraryProducts: Sendable {
  private let products = Mutex<[String: any Sendable]>([:])

  /// The product of this name and type. Callers wait while it is made. `make` must not request
  /// another product.
  package func product<Product: Sendable>(_ name: String, make: () -> Product) -> Product {
    products.withLock { products in
      if let product = products[name] as? Product { return product }
      let product = make()
      products[name] = product
      return product
    }
  }
}
