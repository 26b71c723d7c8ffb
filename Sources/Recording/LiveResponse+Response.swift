package import UnderstudyClient
import UnderstudyContractModel
package import UnderstudyDrafting

extension LiveResponse {
  package init(_ response: ClientResponse) {
    self.init(
      status: response.status,
      headers: response.headers.fields.map { HeaderField(name: $0.name, value: $0.value) },
      body: response.body, latency: response.timing.total)
  }

  package func response(url: String) -> ClientResponse {
    var timing = HTTPTiming()
    timing.total = latency
    return ClientResponse(
      status: status, headers: HTTPHeaders(headers.map { HTTPHeaders.Field($0.name, $0.value) }),
      body: body, url: url, timing: timing)
  }
}
