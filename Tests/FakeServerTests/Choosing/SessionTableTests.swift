import Testing

@testable import UnderstudyFakeServer

@Suite struct SessionTableTests {
  @Test("whoever may not control sessions pushes out only those that nobody controls")
  func control() async throws {
    try await SmallServer.with {
      $0.adminToken = "right"
      $0.limits.sessionCountMax = 3
    } _: { (server) async throws in
      let token = ["Authorization: Bearer right"]
      #expect(try server.admin("GET", "/state", token, session: "mine").status == 200)
      for number in 0..<10 {
        #expect(try server.client().exchange("GET /~n\(number)/shop/items").status == 200)
        #expect(try server.admin("GET", "/state", session: "a\(number)").status == 401)
      }
      let names = try server.admin("GET", "/sessions", token).json()["sessions"]
      #expect(names?.elements.compactMap(\.string) == ["mine", "n8", "n9"])
    }
  }
}
