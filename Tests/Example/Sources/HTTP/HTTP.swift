import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Status and body of what is at an address; `nil` when nothing responds.
public func get(_ address: String) async -> (status: Int, body: Data)? {
  guard let url = URL(string: address) else { return nil }
  var request = URLRequest(url: url)
  request.setValue("application/json", forHTTPHeaderField: "Accept")
  guard let (body, response) = try? await URLSession.shared.data(for: request) else { return nil }
  return ((response as? HTTPURLResponse)?.statusCode ?? 0, body)
}
