import Testing
import UnderstudySecrets

@Suite struct SecretVariableTests {
  @Test(
    "a credential is recognised by the name of its variable",
    arguments: [
      "STRIPE_KEY", "OPENAI_KEY", "SLACK_WEBHOOK_URL", "DEPLOY_KEY", "DATABASE_DSN", "NPM_AUTH",
      "DOCKERHUB_PASS", "KUBE_CONFIG_DATA", "CI_JOB_JWT_V2", "KUBECONFIG", "GITHUB_TOKEN",
      "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "DEPLOY_KEY_BASE64", "SSH_AUTH_SOCK", "DB_PAT",
      "STORAGE_CONNECTION_STRING", "GIT_ASKPASS", "UNDERSTUDY_ANYTHING", "PGPASSFILE",
      "db_password",
    ])
  func names(name: String) { #expect(SecretVariables.hides(name)) }

  private static let exact = """
    ACTIONS_ID_TOKEN_REQUEST_URL AZURE_CLIENT_CERTIFICATE_PATH DOCKER_AUTH_CONFIG DOCKER_CONFIG \
    GOOGLE_APPLICATION_CREDENTIALS PGPASSFILE SSH_AGENT_PID SSH_AUTH_SOCK
    """
  private static let anywhere = """
    ASKPASS CREDENTIAL CREDENTIALS CREDS DSN JWT KUBE KUBECONFIG NETRC PASSPHRASE PASSWD PASSWORD \
    SECRET SECRETS TOKEN TOKENS WEBHOOK
    """
  private static let atTheEnd = "AUTH KEY KEYS PASS PAT PIN"
  private static let forms = "B64 BASE64 DATA FILE ID PATH STRING 2"

  @Test("each word that names a credential does so in its place")
  func words() {
    for name in Self.exact.split(separator: " ").map(String.init) {
      #expect(SecretVariables.hides(name), "\(name)")
    }
    for word in Self.anywhere.split(separator: " ") {
      for name in ["\(word)", "MY_\(word)_HERE", "\(word)_NOW", "my_\(word)".lowercased()] {
        #expect(SecretVariables.hides(name), "\(name)")
      }
    }
    #expect(!SecretVariables.hides("DATA_PATH_2"))
    for word in Self.atTheEnd.split(separator: " ") {
      #expect(SecretVariables.hides("MY_\(word)") && !SecretVariables.hides("MY_\(word)_HERE"))
      for form in Self.forms.split(separator: " ") {
        #expect(SecretVariables.hides("MY_\(word)_\(form)"), "\(word) \(form)")
        #expect(!SecretVariables.hides("MY_\(form)"), "\(form)")
      }
    }
  }

  @Test(
    "and by the form of its value",
    arguments: [
      ("GH", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"), ("DATABASE", "postgres://me:pass@db/x"),
    ])
  func values(name: String, value: String) {
    #expect(!SecretVariables.hides(name))
    #expect(SecretVariables.hides(name, value))
  }

  @Test(
    "an ordinary variable is none",
    arguments: ["JAVA_HOME", "NODE_ENV", "GOPATH", "KEYBOARD", "COMPASS_HOME", "MONKEY_MODE"])
  func ordinary(name: String) { #expect(!SecretVariables.hides(name, "/usr/lib/jvm")) }
}
