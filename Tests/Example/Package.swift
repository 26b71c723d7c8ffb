// swift-tools-version: 6.2
import PackageDescription

// A package that uses Understudy, as the README and the API documentation show it. `ci/example`
// runs its tests.
let package = Package(
  name: "jokes",
  dependencies: [.package(name: "understudy", path: "../..")],
  targets: [
    .target(name: "JSON"),
    .target(name: "HTTP"),
    .target(name: "Jokes", dependencies: ["JSON", "HTTP"]),
    .executableTarget(
      name: "jokes-tool",
      dependencies: [
        .product(name: "UnderstudyClient", package: "understudy"),
        .product(name: "UnderstudyTool", package: "understudy"),
      ]),
    .testTarget(
      name: "JokesTests",
      dependencies: [
        "Jokes",
        .product(name: "UnderstudyClient", package: "understudy"),
        .product(name: "UnderstudyTesting", package: "understudy"),
      ]),
    .testTarget(
      name: "ProductsTests",
      dependencies: [
        .product(name: "UnderstudyClient", package: "understudy"),
        .product(name: "UnderstudyURLSessionClient", package: "understudy"),
        .product(name: "UnderstudyJSON", package: "understudy"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
