import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

let api = "https://api.shop.test/v1"
let kettle =
  #"{"id":16,"name":"kettle","price":{"amount":"39.90","currency":"EUR"},"tags":["kitchen"]}"#
let lamp =
  #"{"id":17,"name":"lamp","price":{"amount":"24.00","currency":"EUR"},"tags":["light","desk"]}"#
let rug = #"{"id":18,"name":"rug","price":{"amount":"120.50","currency":"EUR"},"tags":[]}"#

/// Equal as JSON, or both empty.
func isEqual(_ found: Data, _ expected: String) throws -> Bool {
  if found.isEmpty || expected.isEmpty { return found.isEmpty && expected.isEmpty }
  let documents = try [found, Data(expected.utf8)].map {
    try JSONSerialization.jsonObject(with: $0) as? NSDictionary
  }
  return documents[0] == documents[1]
}

func expect(
  _ method: String, _ url: String, _ status: Int, _ expected: String, sending body: String? = nil
) async throws {
  guard let address = URL(string: url) else { throw URLError(.badURL) }
  var request = URLRequest(url: address)
  request.httpMethod = method
  if let body {
    request.httpBody = Data(body.utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
  }
  let (data, response) = try await URLSession.shared.data(for: request)
  let found = (response as? HTTPURLResponse)?.statusCode
  if try found == status && isEqual(data, expected) { return }
  print("\(method) \(url): \(found ?? 0) \(String(decoding: data, as: UTF8.self))")
  exit(1)
}

do {
  try await expect("GET", "\(api)/items?limit=1", 200, #"{"items":[\#(kettle)],"total":3}"#)
  try await expect(
    "GET", "\(api)/items?limit=3", 200, #"{"items":[\#(kettle),\#(lamp),\#(rug)],"total":3}"#)
  try await expect("GET", "\(api)/items/17", 200, lamp)
  try await expect("GET", "\(api)/items/99", 404, #"{"error":"no such item"}"#)
  try await expect(
    "POST", "\(api)/items", 201, #"{"id":19,"name":"clock"}"#, sending: #"{"name":"clock"}"#)
  try await expect("GET", "\(api)/newest", 200, rug)
  try await expect(
    "GET", "\(api)/report", 200, #"{"sold":[7\#(String(repeating: ",7", count: 199))]}"#)
  try await expect("DELETE", "\(api)/items/17", 204, "")
  try await expect("GET", "http://status.shop.test/up", 200, #"{"up":true}"#)
} catch {
  print(error)
  exit(1)
}
