import Synchronization
import UnderstudyCore
package import UnderstudyFindings

/// Every contract that was asked for, and everything that is wrong with them.
///
/// A library is whole even when files in it are broken: what could be read is there, the rest is in
/// `findings`. Immutable, so it can be shared by any number of servers and tests.
package struct ContractLibrary: Sendable {
  /// Sorted by name.
  package let upstreams: [Upstream]
  package let consumers: [Consumer]
  /// Sorted by place.
  package let findings: [Finding]
  /// The JSON files that were read, sorted.
  package let files: [String]
  /// What was made of it, for every copy of it.
  package let products = LibraryProducts()

  package var fileCount: Int { files.count }

  package var contracts: [Contract] { upstreams.flatMap(\.contracts) }

  /// Which contract answers which request; made once.
  package var index: RequestIndex {
    products.product("index") { RequestIndex(upstreams) }
  }
}

/// What is made of a library when it is first needed and then shared, such as what a server plays.
///
/// Any thread may use it.
package final class LibraryProducts: Sendable {
  private let products = Mutex<[String: any Sendable]>([:])

  /// The product of this name and type; those who ask for it while it is made wait. `make` must not
  /// ask for another.
  package func product<Product: Sendable>(_ name: String, make: () -> Product) -> Product {
    products.withLock { products in
      if let product = products[name] as? Product { return product }
      let product = make()
      products[name] = product
      return product
    }
  }
}
