// `soak [seconds]` serves the contracts in Contracts until its input ends, and prints the address:
// `ci/soak` runs the clients.
import Glibc
import UnderstudyContractModel
import UnderstudyFakeServer

var configuration = ServerConfiguration()
configuration.threadCount = 2
configuration.timeScale = 0.01
configuration.limits.idleMax = .seconds(5)
configuration.limits.requestMax = .seconds(3)
configuration.limits.connectionCountMax = 400
let library = try ContractLibrary.load(["Contracts"])
let server = try await FakeUpstream.start(library, configuration: configuration)
print(server.address.port)
fflush(nil)
while readLine() != nil {}
print("closed with \(await server.close()) clients connected")
