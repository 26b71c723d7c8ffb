/// The version that the tool prints and every server reports.
package enum UnderstudyVersion {
  package static let text = "0.1.0"
}
