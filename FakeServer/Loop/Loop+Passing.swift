import UnderstudySystem

extension Loop {
  /// Gives a connection away, with what its client has said already.
  mutating func handOver(_ slot: Int, to passage: Passage) {
    let connection = connections[slot]
    let (descriptor, said) = (connection.pointee.descriptor, Array(connection.pointee.input.bytes))
    poller.remove(descriptor)
    remove(slot)
    passage.begin(with: descriptor, said)
  }
}
