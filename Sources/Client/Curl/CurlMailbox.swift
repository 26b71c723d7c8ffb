import Synchronization
import UnderstudySystem

enum TransferCommand: Sendable {
  case send(CurlHandle)
  /// Senders take their handle back when they can no longer be cancelled, so this always precedes
  /// the handle's next transfer.
  case cancel(CurlHandle)
  /// The continuation, if any, is resumed when everything is closed.
  case close(CheckedContinuation<Void, Never>?)
}

/// Commands from other threads to the driver, with a wake-up.
final class CurlMailbox: Sendable {
  private struct State {
    var commands: [TransferCommand] = []
    var driverSleeps = false
    var isClosed = false

    /// Returns whether the driver must be woken.
    mutating func add(_ command: TransferCommand) -> Bool {
      commands.append(command)
      defer { driverSleeps = false }
      return driverSleeps
    }
  }

  let wakeup: Wakeup
  private let state = Mutex(State())

  init() throws(TransportError) {
    do throws(SystemError) {
      wakeup = try Wakeup()
    } catch {
      throw TransportError(error)
    }
  }

  /// Readable when there is a command.
  var descriptor: Int32 { wakeup.descriptor }

  /// Fails when the driver has ended.
  func post(_ command: TransferCommand) -> Bool {
    let wasAsleep = state.withLock { state -> Bool? in
      guard !state.isClosed else { return nil }
      return state.add(command)
    }
    if wasAsleep == true { wakeup.wake() }
    return wasAsleep != nil
  }

  /// Lends a handle to the driver; returns why that fails, or `nil`.
  ///
  /// Checks for cancellation under the lock, so that no handle follows its own cancellation.
  func place(_ handle: CurlHandle) -> CurlEnding? {
    let (refusal, wasAsleep) = state.withLock { state -> (CurlEnding?, Bool) in
      if Task.isCancelled { return (.cancelled, false) }
      if state.isClosed { return (.closed, false) }
      return (nil, state.add(.send(handle)))
    }
    if wasAsleep { wakeup.wake() }
    return refusal
  }

  /// Takes all commands, in order, in exchange for an empty array to refill.
  func take(_ commands: inout [TransferCommand]) {
    state.withLock { state in
      state.driverSleeps = false
      swap(&state.commands, &commands)
    }
  }

  /// Whether the driver may sleep because there is no command; the next one wakes it.
  func fallAsleep() -> Bool {
    state.withLock { state in
      state.driverSleeps = state.commands.isEmpty
      return state.driverSleeps
    }
  }

  /// Takes the remaining commands for the last time: later posts fail.
  func close() -> [TransferCommand] {
    state.withLock { state in
      state.isClosed = true
      defer { state.commands = [] }
      return state.commands
    }
  }
}

extension TransportError {
  init(_ error: SystemError) { self.init(.failed, "\(error)") }
}
