import Testing

@testable import UnderstudyTool

/// The files of a system, as a command in a network of its own sees them.
@Suite struct HermeticFilesTests {
  @Test("of the file of hosts, the lines of this machine are kept")
  func hosts() {
    let system = """
      # Hosts
      127.0.0.1 localhost
      ::1\tlocalhost ip6-localhost  # the other one
      127.0.0.1 shop.example
      192.0.2.7 db.example
      fe00::0 ip6-localnet

      """
    let names = NameTable(declared: ["shop.example", "a.example"], own: "laptop")
    #expect(
      HermeticFiles.hosts(Array(system.utf8), names) == """
        127.0.0.1 localhost
        ::1\tlocalhost ip6-localhost  # the other one
        127.0.0.1 localhost
        127.0.0.1 laptop
        127.0.0.1 a.example
        127.0.0.1 shop.example

        """)
  }

  @Test("names come from no service outside")
  func sources() {
    let system = """
      passwd: files systemd
      hosts:  files mdns4_minimal [NOTFOUND=return] resolve dns
      networks: files

      """
    #expect(
      HermeticFiles.nameSources(Array(system.utf8)) == """
        passwd: files systemd
        networks: files
        hosts: files dns

        """)
  }
}
