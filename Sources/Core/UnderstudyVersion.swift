/// The version that the tool prints and every server tells.
package enum UnderstudyVersion {
  package static let text = "0.1.0"
}
