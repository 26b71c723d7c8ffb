import Testing

@testable import UnderstudySuite

/// Which variables the tool keeps where commands can find them.
@Suite struct CommandEnvironmentTests {
  @Test("what programs need to run and to print is kept, and what the tool needs from its start")
  func open() {
    let names = """
      CI CLICOLOR COLORTERM COLUMNS DYLD_FRAMEWORK_PATH DYLD_LIBRARY_PATH FORCE_COLOR HOME LANG \
      LANGUAGE LC_ALL LC_TIME LD_LIBRARY_PATH LINES LOGNAME NO_COLOR PATH PWD SHELL SSL_CERT_DIR \
      SSL_CERT_FILE TEMP TERM TMP TMPDIR TZ TZDIR USER ASAN_OPTIONS LLVM_PROFILE_FILE LSAN_OPTIONS \
      SWIFT_BACKTRACE TSAN_OPTIONS UBSAN_OPTIONS UNDERSTUDY_PORTABLE
      """
    for name in names.split(separator: " ").map(String.init) {
      #expect(CommandEnvironment.isOpen(name), "\(name)")
      // No neighbour of a name is one.
      for other in ["\(name)_TOKEN", "X\(name)", name.lowercased()] where !name.hasPrefix("LC_") {
        #expect(!CommandEnvironment.isOpen(other), "\(other)")
      }
    }
    for name in ["", "GH_TOKEN", "DATABASE_URL", "UNDERSTUDY_SHOP_TOKEN", "SSH_AUTH_SOCK", "LC"] {
      #expect(!CommandEnvironment.isOpen(name), "\(name)")
    }
  }
}
