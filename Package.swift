// swift-tools-version: 6.2
import PackageDescription

// The walls of the house: a target may use only what stands above it. README.md has the map.
let walls: [Target] = [
  .module("Diagnostics"),
  .module("Patterns", uses: ["Diagnostics"]),
  .module("JSON", uses: ["Diagnostics"]),
  .module("Secrets", uses: ["JSON"]),
  .module("HTTP"),
  .module("Findings", uses: ["Diagnostics", "JSON", "Secrets"]),
  .module(
    "Reports", except: ["Page/page.css"], uses: ["Diagnostics", "Findings", "HTTP", "JSON"]),
  .module(
    "JSONSchema", except: ["MetaSchemas/schema.json", "MetaSchemas/meta"],
    uses: ["Diagnostics", "JSON", "Patterns"]),
  .module("Transport", uses: ["CCurl", "CLinux", "HTTP"]),
  .module("Services", uses: ["HTTP", "JSON", "Transport"]),
  .module("Models", uses: ["Services"]),
  .module(
    "ContractModel", uses: ["Diagnostics", "JSON", "JSONSchema", "Patterns", "Secrets"]),
  .module(
    "FakeServer", at: "FakeServer", except: ["README.md", "Admin/openapi.json"],
    uses: ["CLinux", "ContractModel", "Diagnostics", "HTTP", "JSON", "Patterns", "Secrets"]),
  .module("URLSessionTransport", uses: ["Transport"]),
  .module("Consumers", uses: ["ContractModel", "Diagnostics", "Findings", "JSON", "Transport"]),
  .module(
    "Suite",
    uses: [
      "CLinux", "Consumers", "ContractModel", "Diagnostics", "FakeServer", "Findings", "JSON",
      "Secrets", "Transport",
    ]),
  .module(
    "Drift",
    uses: [
      "CLinux", "Consumers", "ContractModel", "Diagnostics", "Findings", "HTTP", "JSON",
      "JSONSchema", "Secrets", "Transport",
    ]),
  .module(
    "CommandLineTool",
    uses: [
      "CLinux", "Consumers", "ContractModel", "Diagnostics", "Drift", "FakeServer", "Findings",
      "HTTP", "JSON", "Reports", "Secrets", "Services", "Suite", "Transport",
    ]),
  .module("UnderstudyTesting", uses: ["ContractModel", "Diagnostics", "FakeServer", "Secrets"]),
]

let package = Package(
  name: "understudy",
  products: [
    .executable(name: "understudy", targets: ["understudy"]),
    .library(name: "Transport", targets: ["Transport"]),
    .library(name: "URLSessionTransport", targets: ["URLSessionTransport"]),
    .library(name: "UnderstudyJSON", targets: ["JSON"]),
    .library(name: "UnderstudyTool", targets: ["CommandLineTool", "Consumers"]),
    .library(name: "UnderstudyTesting", targets: ["UnderstudyTesting"]),
  ],
  targets: walls.flatMap { [$0, $0.tests] } + [
    .systemLibrary(name: "CLinux"),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .executableTarget(name: "understudy", dependencies: ["CommandLineTool"]),
    .executableTarget(
      name: "wrong-consumers", dependencies: ["CommandLineTool", "Consumers", "JSON", "Transport"],
      path: "Tests/WrongConsumers"),
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .testTarget(name: "TidyTests", dependencies: ["CommandLineTool", "TestSupport"]),
  ] + benchmarks,
  swiftLanguageModes: [.v6]
)

/// Built only by `ci/bench`, which sets the variable: users never compile a benchmark.
var benchmarks: [Target] {
  guard Context.environment["UNDERSTUDY_BENCHMARKS"] != nil else { return [] }
  return [
    .executableTarget(
      name: "json-benchmark", dependencies: ["JSON"], path: "ci/benchmarks/json",
      exclude: ["simdjson.cpp"]),
    .executableTarget(
      name: "contracts-benchmark", dependencies: ["ContractModel", "Diagnostics"],
      path: "ci/benchmarks/contracts"),
    .executableTarget(
      name: "http-benchmark", dependencies: ["HTTP"], path: "ci/benchmarks/http",
      exclude: ["instructions"]),
    .executableTarget(
      name: "client-benchmark", dependencies: ["Transport"], path: "ci/benchmarks/client",
      exclude: ["README.md", "floor.c", "measure", "nginx.conf"]),
    .executableTarget(
      name: "suite-benchmark", dependencies: ["CommandLineTool", "Consumers", "Transport"],
      path: "ci/benchmarks/suite", exclude: ["measure"]),
    .executableTarget(
      name: "drift-benchmark", dependencies: ["ContractModel", "Drift", "JSON"],
      path: "ci/benchmarks/drift", exclude: ["measure"]),
    .executableTarget(
      name: "soak", dependencies: ["ContractModel", "FakeServer"], path: "ci/soaking",
      exclude: ["clients.py", "locks.c"]),
    .executableTarget(
      name: "server-benchmark", dependencies: ["ContractModel", "FakeServer"],
      path: "ci/benchmarks/server",
      exclude: [
        "README.md", "answering.h", "begin.c", "delay.c", "first.c", "floor.c", "load.c", "measure",
        "nginx.conf",
        "wait.c",
      ]),
  ] + fuzzers
}

/// Built only by `ci/fuzz`: its `main` is libFuzzer's.
var fuzzers: [Target] {
  guard Context.environment["UNDERSTUDY_FUZZING"] != nil else { return [] }
  return [
    .executableTarget(
      name: "server-fuzzer", dependencies: ["ContractModel", "HTTP"], path: "ci/fuzzers",
      exclude: ["seeds"],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  ]
}

extension Target {
  static func module(
    _ name: String, at path: String? = nil, except excluded: [String] = [],
    uses dependencies: [Dependency] = []
  ) -> Target {
    .target(
      name: name, dependencies: dependencies, path: path, exclude: excluded,
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  }

  /// The tests of a module see the module and whatever it stands on; those of a client also the fake
  /// that answers it, those of the reports what validates one, and reports as they should be.
  var tests: Target {
    let isReports = name == "Reports"
    let others: [Dependency] =
      switch name {
      case "Transport", "URLSessionTransport", "Services", "Models":
        ["ContractModel", "FakeServer"]
      case "Drift": ["FakeServer"]
      case "Reports": ["JSONSchema"]
      default: []
      }
    return .testTarget(
      name: name + "Tests",
      dependencies: [.target(name: name), "TestSupport"] + dependencies + others,
      exclude: isReports ? ["Fixtures"] : [])
  }
}
