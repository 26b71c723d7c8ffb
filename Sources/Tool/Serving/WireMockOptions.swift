import UnderstudyCore

/// Options of WireMock that its command lines have, and `understudy wiremock` does not.
enum WireMockOptions {
  /// Nothing here depends on them: they set up Java's server, proxies or extensions.
  private static let withoutEffect: Set = [
    "--allow-proxy-targets", "--async-response-enabled", "--async-response-threads",
    "--container-threads", "--deny-proxy-targets", "--disable-connection-reuse",
    "--disable-extensions-scanning", "--disable-gzip", "--disable-http2-plain",
    "--disable-http2-tls", "--disable-optimize-xml-factories-loading", "--disable-request-logging",
    "--disable-strict-http-headers", "--filename-template", "--jetty-accept-queue-size",
    "--jetty-acceptor-threads", "--jetty-header-buffer-size", "--jetty-header-request-size",
    "--jetty-header-response-size", "--jetty-idle-timeout", "--jetty-stop-timeout",
    "--local-response-templating",
    "--logged-response-body-size-limit", "--match-headers", "--max-http-client-connections",
    "--max-template-cache-entries", "--permitted-system-keys", "--preserve-host-header",
    "--preserve-user-agent-proxy-header", "--print-all-network-traffic", "--proxy-pass-through",
    "--proxy-timeout", "--supported-proxy-encodings", "--timeout", "--trust-all-proxy-targets",
    "--trust-proxy-target", "--use-chunked-encoding", "--webhook-threadpool-size",
    "--websocket-idle-timeout", "--websocket-max-binary-message-size",
    "--websocket-max-text-message-size",
  ]

  private static let https = (
    what: "there is one port, and an authority in place of keystores",
    fix:
      "use --tls: --port then responds to https and http; \"understudy ca\" makes clients trust it"
  )
  private static let clients = (
    what: "no certificate of a client is asked for, and http is always served",
    fix: "leave it out"
  )
  private static let proxy = (
    what: "requests are passed on only while a client records",
    fix: "leave it out, and record with POST /__admin/recordings/start"
  )

  /// What is missing, and what to do about it.
  private static let missing: [String: (what: String, fix: String)] = [
    "--https-keystore": https, "--https-port": https, "--key-manager-password": https,
    "--keystore-password": https, "--keystore-type": https,
    "--admin-api-require-https": clients, "--disable-http": clients,
    "--https-require-client-cert": clients, "--https-truststore": clients,
    "--truststore-password": clients, "--truststore-type": clients,
    "--ca-keystore": proxy, "--ca-keystore-password": proxy, "--ca-keystore-type": proxy,
    "--enable-browser-proxying": proxy, "--proxy-all": proxy, "--proxy-via": proxy,
    "--record-mappings": proxy,
    "--disable-response-templating": (
      "stubs that ask for expressions always have them",
      "leave it out, and remove \"transformers\" from the stubs"
    ),
    "--extensions": (
      "extensions are Java code, which does not run here",
      "leave it out; stubs that need one are reported"
    ),
    "--load-resources-from-classpath": (
      "there is no classpath", "name the folder of the stubs: --root-dir src/test/resources"
    ),
    "--session-aware-scenarios": (
      "all clients share the scenarios",
      "leave it out, and let clients ask below /~NAME/, where each name has its own"
    ),
  ]

  static let all = withoutEffect.union(missing.keys)

  /// Fails at the first option that asks for something missing.
  static func check(_ given: [String]) throws(Failure) {
    for option in given {
      guard let (what, fix) = missing[option] else { continue }
      throw Failure(message: "\(option) is not supported: \(what)", fix: fix)
    }
  }
}
