import Testing

@testable import UnderstudyClient

@Suite struct HeaderReadsTests {
  private static func reads(_ read: (inout HTTPHeaders) -> Void) -> HeaderReads {
    let reads = HeaderReads()
    var headers: HTTPHeaders = ["X-Kind": "a", "ETag": "1"]
    headers.recorder = reads
    var copy = headers
    read(&copy)
    return reads
  }

  @Test("knows which header was read, in any case and from any copy")
  func named() {
    let reads = Self.reads {
      _ = $0["x-kind"]
      _ = $0.values(of: "Missing")
    }
    #expect(reads.isRead("X-KIND"))
    #expect(reads.isRead("missing"))
    #expect(!reads.isRead("etag"))
  }

  @Test("counts all headers as read when they are iterated")
  func all() {
    #expect(Self.reads { _ = $0.fields.count }.isRead("ETag"))
    #expect(Self.reads { _ = $0 == [:] }.isRead("ETag"))
    #expect(Self.reads { $0.fields.removeAll() }.isRead("ETag"))
  }

  @Test("adding and setting do not count as reading")
  func writing() {
    let reads = Self.reads {
      $0.append("X-New", "b")
      $0["ETag"] = "2"
    }
    #expect(!reads.isRead("X-New"))
    #expect(!reads.isRead("ETag"))
  }
}
