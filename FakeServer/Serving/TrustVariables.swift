/// The environment variables by which clients find the certificates that they trust.
package enum TrustVariables {
  /// Clients trust the certificates of these files, and no others.
  package static let replacing = [
    "AWS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE",
  ]
  /// Node adds the certificates of this file to its own.
  package static let adding = "NODE_EXTRA_CA_CERTS"

  package static func variables(
    naming bundle: String, andAlone certificate: String
  ) -> [String: String] {
    replacing.reduce(into: [adding: certificate]) { $0[$1] = bundle }
  }
}
