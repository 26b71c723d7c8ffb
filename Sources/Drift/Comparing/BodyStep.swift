import UnderstudyContractModel
import UnderstudySecrets

/// One step of a path into a body. All elements of an array are one step, and so are all entries of
/// an object whose keys are data.
enum BodyStep: Hashable {
  case member(String)
  /// Any element, or any entry.
  case each
  /// An element of an array whose schema describes each position.
  case slot(Int)

  /// The name of a member.
  var name: String? {
    if case .member(let name) = self { name } else { nil }
  }

  var isSecret: Bool { name.map { SecretNames.standard.hides($0) } ?? false }
}
