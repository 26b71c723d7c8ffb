import UnderstudyContractModel
import UnderstudySecrets

/// One step of a path into a body, in which elements of arrays, and entries of objects whose keys are
/// data, are one.
enum BodyStep: Hashable {
  case member(String)
  /// Any element, or any entry.
  case each
  /// An element of an array whose schema says of each place what stands there.
  case slot(Int)

  /// The name of a member.
  var name: String? {
    if case .member(let name) = self { name } else { nil }
  }

  var isSecret: Bool { name.map { SecretNames.standard.hides($0) } ?? false }
}
