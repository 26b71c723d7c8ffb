import Testing

@Suite struct SourceTests {
  @Test("no file is longer than 400 lines")
  func length() {
    let written = Repository.swiftFiles.filter { !$0.isGenerated }
    let complaints = written.compactMap { file -> String? in
      let count = file.lines.count - 1
      return count > 400
        ? "\(file.path): \(count) lines, expected at most 400; split it by aspect" : nil
    }
    expectNone(complaints)
  }

  /// Files that may use unsafe code: those that talk to the system and those that scan bytes.
  private static let unsafeFiles = [
    "FakeServer/Journal/ExchangeBatch.swift",
    "FakeServer/Journal/ExchangeReporter.swift",
    "FakeServer/Journal/JournalReader.swift",
    "FakeServer/Journal/JournalRing.swift",
    "FakeServer/Journal/ProxyCredentials.swift",
    "FakeServer/Loop/ByteBuffer.swift",
    "FakeServer/Loop/Connection.swift",
    "FakeServer/Loop/ConnectionTable.swift",
    "FakeServer/Loop/DateBytes.swift",
    "FakeServer/Loop/Loop+Responding.swift",
    "FakeServer/Loop/Loop+Reading.swift",
    "FakeServer/Loop/Loop+TLS.swift",
    "FakeServer/Loop/Loop+Writing.swift",
    "FakeServer/Loop/Loop.swift",
    "FakeServer/Loop/Passage.swift",
    "FakeServer/Loop/RequestHandler.swift",
    "FakeServer/Responses/ReadyResponses.swift",
    "FakeServer/Responses/RequestFacts.swift",
    "FakeServer/Serving/ArrivedRequest.swift",
    "FakeServer/Serving/PortServer+Proxy.swift",
    "FakeServer/Serving/PortServer+ShortPath.swift",
    "Sources/System/Base/CLibrary.swift",
    "Sources/System/Base/Calls.swift",
    "Sources/System/Base/Memory.swift",
    "Sources/System/Base/SystemThread.swift",
    "Sources/System/Files/Descriptor.swift",
    "Sources/System/Files/InotifyEvents.swift",
    "Sources/System/Files/StandardStream.swift",
    "Sources/System/Isolation/EnclosedProcess.swift",
    "Sources/System/Isolation/NameSockets.swift",
    "Sources/System/Polling/EpollPoller.swift",
    "Sources/System/Processes/SignalPipe.swift",
    "Sources/System/Processes/SignalWatch.swift",
    "Sources/System/Sockets/ClientSocket.swift",
    "Sources/System/Sockets/Socket+Datagrams.swift",
    "Sources/System/Sockets/Socket+Making.swift",
    "Sources/System/Sockets/Socket.swift",
    "Sources/ContractModel/Matching/ByteTable.swift",
    "Sources/ContractModel/Matching/RequestIndex+Finding.swift",
    "Sources/ContractModel/Matching/RequestIndex.swift",
    "Sources/Drift/Comparing/Shape.swift",
    "Sources/HTTP/BodyReader.swift",
    "Sources/HTTP/ByteScan.swift",
    "Sources/HTTP/Conversation.swift",
    "Sources/HTTP/ReceivedResponse.swift",
    "Sources/HTTP/RequestHead+Parsing.swift",
    "Sources/HTTP/RequestHead.swift",
    "Sources/JSON/Decoding/UnkeyedContainer.swift",
    "Sources/JSON/Decoding/ValueDecoder+Members.swift",
    "Sources/JSON/JSONCursor+Contents.swift",
    "Sources/JSON/JSONCursor.swift",
    "Sources/JSON/JSONName.swift",
    "Sources/JSON/JSONParser+Numbers.swift",
    "Sources/JSON/JSONParser+Strings.swift",
    "Sources/JSON/JSONParser.swift",
    "Sources/JSON/JSONStorage+Strings.swift",
    "Sources/JSON/JSONStorage.swift",
    "Sources/JSON/MemberIndex.swift",
    "Sources/JSON/NameTable.swift",
    "Sources/JSON/Tape.swift",
    "Sources/Schema/Formats/EightBytes.swift",
    "Sources/Schema/Patterns/Engine/Engine.swift",
    "Sources/TLS/Certificate.swift",
    "Sources/TLS/OpenSSL.swift",
    "Sources/TLS/TLSBuffers.swift",
    "Sources/TLS/TLSContext.swift",
    "Sources/TLS/TLSSession.swift",
    "Sources/YAML/CoreSchema.swift",
    "Sources/YAML/JSONOutput.swift",
    "Sources/YAML/YAMLReader+Properties.swift",
    "Sources/YAML/YAMLReader.swift",
    "Sources/YAML/YAMLStream.swift",
    "Sources/YAML/YAMLText.swift",
    "Sources/Client/Curl/BodySink.swift",
    "Sources/Client/Curl/CurlHandle+Callbacks.swift",
    "Sources/Client/Curl/CurlHandle+Certificate.swift",
    "Sources/Client/Curl/CurlHandle.swift",
    "Sources/Client/Curl/CurlLibrary.swift",
    "Sources/Client/Curl/CurlLoop.swift",
    "Sources/Client/Curl/CurlTransport.swift",
    "Sources/Client/Curl/CurlResponse.swift",
    "Sources/Client/Curl/TransferProgress.swift",
    "Sources/Client/Curl/WebAddress.swift",
  ]

  private static let unsafeWords = [
    "Unsafe", "unsafeBitCast", "@unchecked", "nonisolated(unsafe)", "unsafelyUnwrapped",
    "assumingMemoryBound",
  ]

  @Test("unsafe code stays in the files listed for it, and says why it is safe")
  func unsafe() {
    var complaints: [String] = []
    for file in Repository.sourceFiles {
      let uses = file.code.filter { _, line in Self.unsafeWords.contains { line.contains($0) } }
      let isListed = Self.unsafeFiles.contains(file.path)
      if let use = uses.first, !isListed {
        complaints.append(
          "\(file.path):\(use.number): unsafe code; move it to a file that has some, or list this"
            + " one in SourceTests.unsafeFiles")
      }
      if !uses.isEmpty, !file.text.contains("// SAFETY:") {
        complaints.append("\(file.path): unsafe code without a line that starts with // SAFETY:")
      }
      if uses.isEmpty, isListed {
        complaints.append("\(file.path): no unsafe code any more; take it from the list")
      }
    }
    let paths = Set(Repository.sourceFiles.map(\.path))
    complaints += Self.unsafeFiles.filter { !paths.contains($0) }
      .map { "\($0): listed for unsafe code, but there is no such file" }
    expectNone(complaints)
  }

  @Test("nothing is imported but our own modules and those of the system that are listed")
  func imports() {
    let allowed = Set(
      Manifest.targets.map { Manifest.prefix + $0 }.filter { !$0.hasSuffix("CLinux") }
        + ["Observation", "Synchronization"])
    let apart = [
      "System": ["Darwin", "Glibc", "MachO", "UnderstudyCLinux"],
      // Products of their own, so that nobody else carries what they stand on.
      "URLSessionClient": ["Foundation", "FoundationNetworking"],
      "Testing": ["Testing", "XCTest"],
    ]
    // What is generated holds files of other languages.
    let complaints = Repository.sourceFiles.filter { !$0.isGenerated }.flatMap { file -> [String] in
      let own = apart.first { file.path.hasPrefix("Sources/\($0.key)/") }?.value ?? []
      return file.code(with: "import").compactMap { number, line -> String? in
        guard let match = line.firstMatch(of: /^\s*(?:@?[a-z]\w*\s+)*import\s+(?:[a-z]+\s+)?(\w+)/),
          !allowed.contains(String(match.1)), !own.contains(String(match.1))
        else { return nil }
        return "\(file.path):\(number): imports \(match.1); what a system has is in Sources/System"
      }
    }
    expectNone(complaints)
  }

  @Test("only System knows what it is compiled for")
  func platforms() {
    let complaints = Repository.sourceFiles.flatMap { file -> [String] in
      guard !file.path.hasPrefix("Sources/System/") else { return [] }
      return file.code(with: "#if", "#elseif").compactMap { number, line in
        line.firstMatch(of: /^\s*#(?:else)?if .*(?:\bos\(|canImport\((?:Darwin|Glibc)\))/).map {
          _ in
          "\(file.path):\(number): asks for a system; what differs between them is in Sources/System"
        }
      }
    }
    expectNone(complaints)
  }

  @Test("nothing traps, but unsafe code whose assumption does not hold")
  func traps() {
    let complaints = Repository.sourceFiles.flatMap { file in
      let isUnsafe = Self.unsafeFiles.contains(file.path)
      return file.code(with: "fatalError(", "try!", "preconditionFailure(", "uniqueKeysWithValues:")
        .compactMap { number, line -> String? in
          guard
            let match = line.firstMatch(
              of: /\bfatalError\(|\btry!|\bpreconditionFailure\(|\buniqueKeysWithValues:/),
            !(isUnsafe && match.0 == "preconditionFailure(")
          else { return nil }
          return "\(file.path):\(number): found \(match.0); throw, or make it impossible by type"
        }
    }
    expectNone(complaints)
  }

  /// Where a bound may be moved without a check, and why it cannot overflow.
  private static let movedBounds = [
    "FakeServer/Responses/ResponseConditions.swift": "the range lies within a body",
    "FakeServer/Responses/ByteTemplate.swift": "the range lies within a body",
    "Sources/JSON/Editing/JSONSpans.swift": "the range lies within a document",
    "Sources/Schema/Patterns/Engine/StateTable.swift": "scalars end at 0x10FFFF",
    "Sources/Schema/Patterns/Unicode/ScalarSet.swift": "scalars end at 0x10FFFF",
    "Sources/Suite/Mutation/Mutant+Applying.swift": "the range lies within a body",
  ]

  @Test("no number from outside ends the process: it is converted and moved with a check")
  func numbers() {
    var moving: Set<String> = []
    let complaints = Repository.sourceFiles.flatMap { file in
      file.code.compactMap { number, line -> String? in
        let place = "\(file.path):\(number)"
        // Other conversions of a `Double` do not compile where Core is imported.
        if line.contains(".rounded("),
          line.contains(/U?Int(?:8|16|32|64)?\((?!clamping|exactly)/)
        {
          return "\(place): converts a rounded number; write Int(clamping:) or Int(exactly:)"
        }
        guard line.contains("erBound "), line.contains(/(?:upper|lower)Bound [-+] [0-9]/)
        else { return nil }
        moving.insert(file.path)
        return Self.movedBounds[file.path] == nil
          ? "\(place): moves a bound; write addingReportingOverflow, or list the file with a reason"
          : nil
      }
    }
    let unused = Self.movedBounds.keys.filter { !moving.contains($0) }.sorted()
    expectNone(complaints + unused.map { "\($0): moves no bound any more; take it from the list" })
  }

  @Test("bytes are searched by the C library, not by generic code at a hundred times the cost")
  func searching() {
    let complaints = Repository.sourceFiles.flatMap { file in
      file.code(with: "(of:", ".utf8").compactMap { number, line -> String? in
        line.firstMatch(of: /\b(?:firstRange|ranges)\(of:|\b(?:contains|replacing)\([^):]*\.utf8\b/)
          .map {
            "\(file.path):\(number): found \($0.0); search as Core/ByteSearch.swift does"
          }
      }
    }
    expectNone(complaints)
  }

  @Test("files are opened and moved in one place, which never leaves its root")
  func fileCalls() {
    let allowed = ["Sources/Core/Files/", "Sources/System/", "Sources/Client/Curl/BodySink.swift"]
    let calls = [
      "Descriptor(",
      "fopen(", "opendir(", "realpath(", "openat(", "renameat(", "mkdirat(", "unlinkat(",
      "readlinkat(", "rename(", "mkdir(",
    ]
    let complaints = Repository.sourceFiles.flatMap { file -> [String] in
      guard !allowed.contains(where: file.path.hasPrefix) else { return [] }
      let text = file.text
      guard calls.contains(where: text.contains) else { return [] }
      return file.code.compactMap { number, line -> String? in
        let words = line.split { !$0.isLetter && $0 != "(" }
        return calls.first { call in words.contains { $0.hasPrefix(call) } }
          .map { "\(file.path):\(number): calls \($0.dropLast()); use FileRoot" }
      }
    }
    expectNone(complaints)
  }

  @Test("no file names a place on the machine it was written on")
  func machinePaths() {
    let folders = ["Sources/", "Tests/", "FakeServer/", "ci/", ".ci/", ".github/"]
    let complaints = (Repository.trackedFiles ?? Repository.swiftFiles)
      .filter { file in !file.path.contains("/") || folders.contains { file.path.hasPrefix($0) } }
      .flatMap { file in
        file.lines(with: "work/", "root/", "home/", "Users/", "opt/").compactMap {
          number, line -> String? in
          line.firstMatch(of: /(?:^|[\s"'`=(])(\/(?:work|root|home|Users|opt)\/(?!homebrew\/)\w+)/)
            .map {
              "\(file.path):\(number): names \($0.1); nobody else has that"
            }
        }
      }
    expectNone(complaints)
  }
}

/// Fails with all complaints at once, one a line.
func expectNone(_ complaints: [String], sourceLocation: SourceLocation = #_sourceLocation) {
  let list = complaints.joined(separator: "\n")
  #expect(complaints.isEmpty, "\(list)", sourceLocation: sourceLocation)
}
