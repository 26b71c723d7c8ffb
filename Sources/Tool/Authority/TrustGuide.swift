/// How clients come to trust the certificate of an authority, and to forget it, in commands that
/// run as they are.
enum TrustGuide {
  struct Entry {
    let client: String
    let commands: [String]
  }

  static func trusting(_ certificateFile: String) -> [Entry] {
    let file = ShellText.quoted(certificateFile)
    return [
      Entry(
        client: "curl",
        commands: [
          "curl --cacert \(file) https://localhost:8080/", "export CURL_CA_BUNDLE=\(file)",
        ]),
      Entry(
        client: "Python: requests, and ssl with all that uses it",
        commands: ["export REQUESTS_CA_BUNDLE=\(file)", "export SSL_CERT_FILE=\(file)"]),
      Entry(client: "Node", commands: ["export NODE_EXTRA_CA_CERTS=\(file)"]),
      Entry(
        client: "Java",
        commands: [
          "keytool -importcert -noprompt -alias understudy -file \(file) \(trustStore)",
          "java -Djavax.net.ssl.trustStore=understudy.p12"
            + " -Djavax.net.ssl.trustStorePassword=understudy -jar client.jar",
        ]),
      Entry(client: "Go on Linux", commands: ["export SSL_CERT_FILE=\(file)"]),
      Entry(
        client: "iOS simulator", commands: ["xcrun simctl keychain booted add-root-cert \(file)"]),
      Entry(
        client: "macOS",
        commands: ["security add-trusted-cert -r trustRoot -k \(keychain) \(file)"]),
      Entry(
        client: "Debian and Ubuntu",
        commands: [
          "sudo install -m 644 \(file) \(debianFile)", "sudo update-ca-certificates",
        ]),
    ]
  }

  static let replacing =
    "CURL_CA_BUNDLE, REQUESTS_CA_BUNDLE, SSL_CERT_FILE and Java's trust store take the place of the"
    + " system's certificates: such a client trusts no other API. \"understudy run --tls\" gives a"
    + " command both."

  static let forgetting = [
    Entry(
      client: "Java",
      commands: ["keytool -delete -alias understudy \(trustStore)"]),
    Entry(client: "iOS simulator", commands: ["xcrun simctl keychain booted reset"]),
    Entry(
      client: "macOS",
      commands: ["security delete-certificate -t -c 'Understudy local authority' \(keychain)"]),
    Entry(
      client: "Debian and Ubuntu",
      commands: ["sudo rm \(debianFile)", "sudo update-ca-certificates --fresh"]),
    Entry(
      client: "Java of Debian and Ubuntu",
      commands: ["sudo keytool -delete -cacerts -alias debian:understudy.pem -storepass changeit"]),
  ]

  private static let trustStore = "-keystore understudy.p12 -storepass understudy"
  private static let keychain = "~/Library/Keychains/login.keychain-db"
  private static let debianFile = "/usr/local/share/ca-certificates/understudy.crt"
}
