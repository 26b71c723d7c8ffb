/// Whether clients of a session are recorded.
package enum RecordingStatus: String, Sendable, CaseIterable {
  case neverStarted, recording, stopped
}
