import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** The steps by Java's HttpClient, which decodes no body: it asks for none that is compressed. */
class Suite {
  static final String API = "https://api.shop.test/v1";
  static final String KETTLE = item(16, "kettle", "39.90", "\"kitchen\"");
  static final String LAMP = item(17, "lamp", "24.00", "\"light\",\"desk\"");
  static final String RUG = item(18, "rug", "120.50", "");
  static final HttpClient CLIENT =
      HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();

  static String item(int id, String name, String amount, String tags) {
    return "{\"id\":%d,\"name\":\"%s\",\"price\":{\"amount\":\"%s\",\"currency\":\"EUR\"},\"tags\":[%s]}"
        .formatted(id, name, amount, tags);
  }

  static void expect(String method, String url, String body, int status, String expected) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(url));
    if (!body.isEmpty()) request.header("Content-Type", "application/json");
    request.method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    var response = CLIENT.send(request.build(), BodyHandlers.ofString());
    if (response.statusCode() == status && response.body().equals(expected)) return;
    System.err.println(method + " " + url + ": " + response.statusCode() + " " + response.body());
    System.exit(1);
  }

  public static void main(String[] arguments) throws Exception {
    expect("GET", API + "/items?limit=1", "", 200, "{\"items\":[" + KETTLE + "],\"total\":3}");
    var all = String.join(",", KETTLE, LAMP, RUG);
    expect("GET", API + "/items?limit=3", "", 200, "{\"items\":[" + all + "],\"total\":3}");
    expect("GET", API + "/items/17", "", 200, LAMP);
    expect("GET", API + "/items/99", "", 404, "{\"error\":\"no such item\"}");
    expect("POST", API + "/items", "{\"name\":\"clock\"}", 201, "{\"id\":19,\"name\":\"clock\"}");
    expect("GET", API + "/newest", "", 200, RUG);
    expect("GET", API + "/report", "", 200, "{\"sold\":[7" + ",7".repeat(199) + "]}");
    expect("DELETE", API + "/items/17", "", 204, "");
    expect("GET", "http://status.shop.test/up", "", 200, "{\"up\":true}");
  }
}
