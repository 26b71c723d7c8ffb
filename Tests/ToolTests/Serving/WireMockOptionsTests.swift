import Testing

@testable import UnderstudyTool

/// The options of WireMock's own command line, as its documentation lists them.
@Suite struct WireMockOptionsTests {
  private static let withoutEffect = """
    allow-proxy-targets async-response-enabled async-response-threads container-threads \
    deny-proxy-targets disable-connection-reuse disable-extensions-scanning disable-gzip \
    disable-http2-plain disable-http2-tls disable-optimize-xml-factories-loading \
    disable-request-logging disable-strict-http-headers filename-template jetty-accept-queue-size \
    jetty-acceptor-threads jetty-header-buffer-size jetty-header-request-size \
    jetty-header-response-size jetty-idle-timeout jetty-stop-timeout \
    local-response-templating \
    logged-response-body-size-limit match-headers max-http-client-connections \
    max-template-cache-entries permitted-system-keys preserve-host-header \
    preserve-user-agent-proxy-header print-all-network-traffic proxy-pass-through proxy-timeout \
    supported-proxy-encodings timeout trust-all-proxy-targets trust-proxy-target \
    use-chunked-encoding webhook-threadpool-size websocket-idle-timeout \
    websocket-max-binary-message-size websocket-max-text-message-size
    """.split(separator: " ").map { "--\($0)" }

  private static let https = "there is one port, and an authority in place of keystores"
  private static let clients =
    "no certificate of a client is asked for, and http is always served"
  private static let proxy = "requests are passed on only while a client records"
  private static let missing = [
    "--admin-api-require-https": clients, "--disable-http": clients, "--https-keystore": https,
    "--https-port": https, "--https-require-client-cert": clients, "--https-truststore": clients,
    "--key-manager-password": https, "--keystore-password": https, "--keystore-type": https,
    "--truststore-password": clients, "--truststore-type": clients, "--ca-keystore": proxy,
    "--ca-keystore-password": proxy, "--ca-keystore-type": proxy,
    "--enable-browser-proxying": proxy, "--proxy-all": proxy, "--proxy-via": proxy,
    "--record-mappings": proxy,
    "--disable-response-templating": "stubs that ask for expressions always have them",
    "--extensions": "extensions are Java code, which does not run here",
    "--load-resources-from-classpath": "there is no classpath",
    "--session-aware-scenarios": "all clients share the scenarios",
  ]

  /// That the folder is missing is found only after the options.
  private static func run(_ words: [String]) -> CommandLineRun {
    CommandLineRun(words: ["wiremock", "--root-dir", "/nowhere"] + words)
  }

  @Test("each option is accepted, with a value or without")
  func accepted() {
    let plain = Self.run([])
    #expect(plain.errors.hasPrefix("understudy: error: no such folder: /nowhere\n"))
    for option in Self.withoutEffect {
      for words in [[option], ["\(option)=1"], [option, "1"]] {
        #expect(Self.run(words).errors == plain.errors, "\(words)")
      }
    }
  }

  @Test("each option that asks for what is missing is refused, with a fix")
  func refused() {
    for (option, reason) in Self.missing {
      let run = Self.run(["--timeout", "1", option, "1"])
      #expect(run.code == .couldNotRun)
      let lines = run.errors.split(separator: "\n")
      #expect(lines.first ?? "" == "understudy: error: \(option) is not supported: \(reason)")
      #expect(lines.count == 2 && lines[1].hasPrefix("  fix: "), "\(run.errors)")
    }
  }

  @Test("there are no others")
  func all() {
    #expect(WireMockOptions.all == Set(Self.withoutEffect).union(Self.missing.keys))
  }
}
