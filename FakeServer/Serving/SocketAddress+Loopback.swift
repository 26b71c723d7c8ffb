import UnderstudyCore
package import UnderstudySystem

extension SocketAddress {
  /// Whether only programs on this machine can reach it.
  package var isLoopback: Bool { NetworkHost(host).isLoopback }
}
