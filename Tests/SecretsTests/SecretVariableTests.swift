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
