/// An answer that takes its time, and how far it has got.
///
/// Belongs to its connection and lives on its loop's thread.
struct Player {
  /// What it has to do with the journal: its record, and the session it is in even when the record
  /// is forgotten.
  struct Mark {
    let slot: JournalRing.Slot
    let session: String
  }

  var script: WireScript
  /// `nil` for what the journal does not keep.
  let mark: Mark?
  /// When the next step is due, in monotonic nanoseconds; steps do not drift, since each is reckoned
  /// from the one before.
  var due: Int64
  let requestedAt: Int64
  var hasBegun = false
  var isStalled = false
  /// The number of the ticket whose holder has yet to give the script; 0 when it is there.
  var ticket: UInt64 = 0
  /// What makes the script meanwhile: it is let go of when the script is there, or nobody waits.
  var errand: AnyObject?

  var record: JournalRing.Slot? { mark?.slot }

  /// Whether it stopped for good, as its case asks, rather than to wait for its script.
  var hasStalled: Bool { isStalled && ticket == 0 }
}
