import Foundation
import Testing
import UnderstudySystem

@Suite("Signals")
struct SignalTests {
  // The fast calls would have to be the first in its process; runs of the tool test it.
  @Test("all watches of a process read one pipe, until the last lets signals through")
  func pipe() throws {
    let first = try SignalWatch(.portable)
    let second = try SignalWatch(.portable)
    #expect(first.descriptor == second.descriptor)
    first.letThrough()
    first.letThrough()
    kill(getpid(), SIGTERM)
    _ = Readiness.wait(for: [second.descriptor])
    let signal = second.next()
    #expect(signal?.number == SIGTERM)
    #expect(signal?.isFromKernel == false)
    #expect(second.next() == nil)
  }
}
