// swift-tools-version: 6.2
import PackageDescription

// Names of targets are unique in the package graph of whoever depends on us: ours have the prefix,
// which their folders leave out.
let family = "Understudy"

// The walls of the house: a target may use only what stands above it. Sources/README.md has the
// map.
let walls: [Target] = [
  .module("System", uses: ["CLinux"]),
  .module("Core", uses: ["System"]),
  .module("JSON", uses: ["Core", "System"]),
  .module("YAML", uses: ["Core", "JSON"]),
  .module("Secrets", uses: ["Core", "JSON"]),
  .module("HTTP", uses: ["Core", "System"]),
  .module("TLS", uses: ["COpenSSL", "Core"]),
  .module("Findings", uses: ["Core", "JSON", "Secrets"]),
  .module(
    "Reports", except: ["Page/base.css", "Page/page.css"],
    uses: ["Core", "Findings", "HTTP", "JSON"]),
  .module(
    "Schema", except: ["MetaSchemas/schema.json", "MetaSchemas/meta"],
    uses: ["Core", "JSON", "System"]),
  .module("Client", uses: ["CCurl", "Core", "HTTP", "System"]),
  .module(
    "ContractModel", uses: ["Core", "Findings", "JSON", "Schema", "Secrets", "System"]),
  .module(
    "FakeServer", at: "FakeServer",
    except: [
      "Admin/openapi.json", "Helpers", "Page/index.html", "Page/page.css", "Page/Script",
    ],
    uses: ["ContractModel", "Core", "Findings", "HTTP", "JSON", "Secrets", "System", "TLS"]),
  .module(
    "Drafting", uses: ["ContractModel", "Core", "Findings", "JSON", "Schema", "Secrets", "System"]),
  .module(
    "Recording",
    uses: [
      "Client", "ContractModel", "Core", "Drafting", "FakeServer", "Findings", "JSON", "Secrets",
      "System",
    ]),
  .module(
    "Interchange",
    uses: [
      "ContractModel", "Core", "Drafting", "Findings", "JSON", "Schema", "Secrets", "System",
      "YAML",
    ]),
  .module(
    "WireMockAdmin",
    uses: [
      "ContractModel", "Core", "Drafting", "FakeServer", "Interchange", "JSON", "Secrets", "System",
    ]),
  .module("URLSessionClient", uses: ["Client"]),
  .module(
    "Consumers", uses: ["ContractModel", "Core", "Findings", "JSON", "Client", "System"]),
  .module(
    "Suite",
    uses: [
      "Consumers", "ContractModel", "Core", "FakeServer", "Findings", "JSON", "Recording",
      "Schema", "Secrets", "Client", "System", "TLS",
    ]),
  .module(
    "Drift",
    uses: [
      "Consumers", "ContractModel", "Core", "Drafting", "FakeServer", "Findings", "HTTP",
      "Interchange", "JSON", "Recording", "Schema", "Secrets", "Suite", "Client", "System",
    ]),
  .module(
    "Tool", except: ["Starting/Example", "Starting/Templates"],
    uses: [
      "Consumers", "ContractModel", "Core", "Drafting", "Drift", "FakeServer", "Findings", "HTTP",
      "Interchange", "JSON", "Recording", "Reports", "Schema", "Secrets", "Suite", "Client",
      "System", "TLS", "WireMockAdmin",
    ]),
  .module(
    "Testing",
    uses: ["ContractModel", "Core", "FakeServer", "Findings", "Secrets", "System", "TLS"]),
  // What follows is a user of the products above, and sees only what is public in them.
  .module("Services", uses: ["Client", "JSON"], seesPackage: false),
  .module("Models", uses: ["Client", "Services"], seesPackage: false),
  .module(
    "Showcase", except: ["Main"],
    uses: ["Client", "Consumers", "JSON", "Models", "Services", "System", "Tool"],
    seesPackage: false),
]

let package = Package(
  name: "understudy",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "understudy", targets: ["understudy"]),
    .executable(name: "showcase", targets: ["showcase"]),
    .product("Client"),
    .product("URLSessionClient"),
    .product("JSON"),
    .product("Tool", with: ["Consumers"]),
    .product("Testing"),
  ],
  targets: walls.flatMap { [$0, $0.tests] } + [
    .systemLibrary(name: family + "CLinux", path: "Sources/CLinux"),
    // Headers alone: both libraries are loaded when they are first needed.
    .systemLibrary(name: family + "CCurl", path: "Sources/CCurl"),
    .systemLibrary(name: family + "COpenSSL", path: "Sources/COpenSSL"),
    .executableTarget(name: "understudy", dependencies: .ours(["Tool"]), packageAccess: false),
    .executableTarget(
      name: "showcase", dependencies: .ours(["Showcase", "Tool"]), path: "Sources/Showcase/Main",
      packageAccess: false),
    .executableTarget(
      name: "wrong-consumers", dependencies: .ours(["Tool", "Consumers", "JSON", "Client"]),
      path: "Tests/WrongConsumers"),
    .target(
      name: family + "TestSupport", dependencies: .ours(["Core", "JSON", "System"]),
      path: "Tests/TestSupport"),
    .testTarget(name: "TidyTests", dependencies: .ours(["Core", "Tool", "TestSupport"])),
  ] + benchmarks,
  swiftLanguageModes: [.v6]
)

/// Built only by `ci/bench`, which sets the variable: users never compile a benchmark.
var benchmarks: [Target] {
  guard Context.environment["UNDERSTUDY_BENCHMARKS"] != nil else { return [] }
  return [
    .executableTarget(
      name: "json-benchmark", dependencies: .ours(["JSON"]), path: "ci/benchmarks/json",
      exclude: ["simdjson.cpp"]),
    .executableTarget(
      name: "yaml-benchmark", dependencies: .ours(["JSON", "YAML"]), path: "ci/benchmarks/yaml",
      exclude: ["measure.py"]),
    .executableTarget(
      name: "contracts-benchmark", dependencies: .ours(["ContractModel"]),
      path: "ci/benchmarks/contracts", exclude: ["copies.py", "measure"]),
    .executableTarget(
      name: "http-benchmark", dependencies: .ours(["HTTP"]), path: "ci/benchmarks/http",
      exclude: ["instructions"]),
    .executableTarget(
      name: "client-benchmark", dependencies: .ours(["Client"]), path: "ci/benchmarks/client",
      exclude: ["README.md", "floor.c", "measure", "nginx.conf"]),
    .executableTarget(
      name: "suite-benchmark", dependencies: .ours(["Tool", "Consumers", "Client"]),
      path: "ci/benchmarks/suite", exclude: ["measure"]),
    .executableTarget(
      name: "drift-benchmark",
      dependencies: .ours(["ContractModel", "Core", "Drafting", "Drift", "JSON"]),
      path: "ci/benchmarks/drift", exclude: ["measure"]),
    .executableTarget(
      name: "soak",
      dependencies: .ours([
        "ContractModel", "Core", "FakeServer", "Interchange", "TLS", "WireMockAdmin",
      ]),
      path: "ci/soaking", exclude: ["clients.py", "locks.c", "reachable.txt"]),
    .executableTarget(
      name: "server-benchmark", dependencies: .ours(["ContractModel", "FakeServer"]),
      path: "ci/benchmarks/server",
      exclude: [
        "README.md", "responding.h", "begin.c", "delay.c", "floor.c", "load.c", "measure",
        "nginx.conf", "stubs.c", "wait.c",
      ]),
  ] + fuzzers
}

/// Built only by `ci/fuzz`: its `main` is libFuzzer's.
var fuzzers: [Target] {
  guard Context.environment["UNDERSTUDY_FUZZING"] != nil else { return [] }
  return [
    .fuzzer(name: "server-fuzzer", at: "serving", uses: ["ContractModel", "HTTP"]),
    .fuzzer(name: "tls-fuzzer", at: "tls", uses: ["Core", "TLS"]),
    .fuzzer(name: "yaml-fuzzer", at: "yaml", uses: ["JSON", "YAML"]),
    .fuzzer(
      name: "import-fuzzer", at: "importing", uses: ["ContractModel", "Interchange", "JSON"],
      and: ["import-checks"]),
    .fuzzer(
      name: "wiremock-fuzzer", at: "wiremock", except: ["seeds.py"],
      uses: ["ContractModel", "Core", "Interchange", "JSON"], and: ["import-checks"]),
    .fuzzer(
      name: "contract-fuzzer", at: "contracts",
      uses: ["ContractModel", "Core", "Drafting", "Drift", "Interchange", "JSON"]),
    .fuzzer(
      name: "admin-fuzzer", at: "admin",
      uses: ["ContractModel", "FakeServer", "Interchange", "System", "WireMockAdmin"]),
    .target(
      name: "mutator", dependencies: .ours(["TestSupport"]), path: "ci/fuzzers/mutating"),
    .target(
      name: "import-checks", dependencies: .ours(["ContractModel", "Interchange", "JSON"]),
      path: "ci/fuzzers/checking"),
  ]
}

extension [Target.Dependency] {
  /// Targets of this package by their folders.
  static func ours(_ folders: [String]) -> Self {
    folders.map { folder in
      .target(
        name: family + folder,
        condition: folder == "CLinux" ? .when(platforms: [.linux]) : nil)
    }
  }
}

extension Product {
  static func product(_ folder: String, with others: [String] = []) -> Product {
    .library(name: family + folder, targets: ([folder] + others).map { family + $0 })
  }
}

extension Target {
  static func fuzzer(
    name: String, at folder: String, except excluded: [String] = [], uses ours: [String],
    and others: [Target.Dependency] = []
  ) -> Target {
    .executableTarget(
      name: name, dependencies: .ours(ours) + ["mutator"] + others,
      path: "ci/fuzzers/\(folder)", exclude: ["seeds"] + excluded,
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  }

  static func module(
    _ folder: String, at path: String? = nil, except excluded: [String] = [],
    uses dependencies: [String] = [], seesPackage: Bool = true
  ) -> Target {
    .target(
      name: family + folder, dependencies: .ours(dependencies), path: path ?? "Sources/\(folder)",
      exclude: excluded,
      packageAccess: seesPackage,
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  }

  /// The tests of a module see the module and whatever it stands on; those of a client also the
  /// fake that responds to it, those of the reports what validates one, and reports as they should
  /// be.
  var tests: Target {
    let folder = String(name.dropFirst(family.count))
    let others =
      switch folder {
      case "Client", "URLSessionClient", "Services", "Models": ["ContractModel", "FakeServer"]
      case "Drafting": ["Client", "Drift", "FakeServer", "Recording"]
      case "Recording": ["Drift"]
      case "FakeServer", "Testing": ["Client"]
      case "Interchange": ["Drift", "FakeServer", "HTTP"]
      case "WireMockAdmin": ["HTTP", "Recording"]
      case "Showcase": ["ContractModel", "Core", "FakeServer", "Findings", "Reports", "Suite"]
      case "Reports": ["Schema"]
      default: [String]()
      }
    let ours: [Target.Dependency] = .ours([folder, "TestSupport"] + others)
    let withFixtures: Set = [
      "Consumers", "ContractModel", "Drafting", "Interchange", "Reports", "Secrets", "Suite",
      "Tool",
      "WireMockAdmin",
    ]
    return .testTarget(
      name: folder + "Tests", dependencies: ours + dependencies,
      exclude: withFixtures.contains(folder) ? ["Fixtures"] : [])
  }
}
