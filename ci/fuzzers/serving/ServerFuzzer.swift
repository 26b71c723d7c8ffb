// Called repeatedly by libFuzzer: passes a client's bytes through the HTTP codec, once whole and
// once in pieces, and every resulting request through the matcher.
import UnderstudyContractModel
import UnderstudyHTTP

/// The contracts that requests are matched with, loaded once.
private let index: RequestIndex? = {
  guard let library = try? ContractLibrary.load(["Contracts"]) else { return nil }
  return RequestIndex(library.upstreams)
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // SAFETY: libFuzzer passes `count` bytes that stay valid until this returns.
  let input = UnsafeRawBufferPointer(start: start, count: count)
  guard let first = input.first else { return 0 }
  let bytes = Array(input.dropFirst())
  let whole = answers(of: bytes, pieceByteCount: max(1, bytes.count))
  let inPieces = answers(of: bytes, pieceByteCount: Int(first) % 64 + 1)
  precondition(
    whole == inPieces,
    "what is read depends on how it was cut into pieces: \(whole) and \(inPieces)")
  return 0
}

/// How the requests in the bytes are answered, up to the first refused one.
private func answers(of bytes: [UInt8], pieceByteCount: Int) -> [String] {
  var conversation = Conversation(limits: MessageLimits())
  var head = RequestHead()
  var answers: [String] = []
  var waiting: [UInt8] = []
  var body: [UInt8] = []
  var request: Request?
  var start = 0
  while start < bytes.count {
    let end = min(start + pieceByteCount, bytes.count)
    waiting += bytes[start..<end]
    start = end
    var offset = 0
    var isWaiting = false
    while !isWaiting {
      let before = offset
      let action = waiting.withUnsafeBytes { waiting in
        let action = conversation.receive(waiting, from: &offset, into: &head)
        if request == nil, offset > before, action != .wait {
          request = Request(UnsafeRawBufferPointer(rebasing: waiting[before..<offset]), head)
        }
        return action
      }
      precondition(offset >= before && offset <= waiting.count, "the codec left its bytes")
      switch action {
      case .wait: isWaiting = true
      case .readBody: break
      case .keep(let range): body += waiting[range]
      case .response:
        request?.body = body
        if let request { answers.append(match(request)) }
        (request, body) = (nil, [])
        if conversation.responded(isLast: false) != .readHead { return answers }
      // The timing, and which of several reasons is found first, may depend on the pieces.
      case .refuse, .readHead, .drain, .close: return answers
      }
    }
    waiting.removeFirst(offset)
  }
  return answers
}

private func match(_ request: Request) -> String {
  guard let index else { return "no contracts" }
  let explanation = index.explain(request)
  guard let route = index.route(request),
    let found = index.match(RequestParts(route.request), in: route.upstream)
  else { return "\(explanation.nearMisses.count) near misses" }
  return found.contract.id
}

extension Request {
  fileprivate init(_ bytes: UnsafeRawBufferPointer, _ head: borrowing RequestHead) {
    func text(_ range: ByteRange) -> String {
      String(decoding: bytes[range.offsets], as: UTF8.self)
    }
    var headers: [HeaderField] = []
    for index in 0..<head.fieldCount {
      let field = head.field(at: index)
      headers.append(HeaderField(name: text(field.name), value: text(field.value)))
    }
    self.init(text(head.method), head.path.isEmpty ? "/" : text(head.path), headers: headers)
    query = head.query.map(text)
  }
}
