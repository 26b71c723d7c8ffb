import Testing

@testable import UnderstudyClient

@Suite struct TransferProgressTests {
  @Test("a look that comes late finds when the last byte came")
  func received() {
    var progress = TransferProgress(at: 1000)
    progress.count(100, at: 1500)
    progress.note(at: 1600)
    #expect(progress.lastMove(connected: 100, at: 3000) == 1600)
    #expect(progress.lastMove(connected: 100, at: 4000) == 1600)
  }

  @Test("a look that comes late finds when the last byte was sent")
  func sent() {
    var progress = TransferProgress(at: 1000)
    progress.count(100, at: 1500)
    progress.count(100, at: 2500)
    #expect(progress.lastMove(connected: 100, at: 3000) == 1500)
    progress.count(101, at: 3500)
    #expect(progress.lastMove(connected: 100, at: 4000) == 3500)
  }

  @Test("without a byte it is when the connection was established")
  func connected() {
    let progress = TransferProgress(at: 1000)
    #expect(progress.lastMove(connected: 300, at: 3000) == 1300)
  }

  @Test("until the connection is established it is now")
  func connecting() {
    let progress = TransferProgress(at: 1000)
    #expect(progress.lastMove(connected: 0, at: 3000) == 3000)
  }
}
