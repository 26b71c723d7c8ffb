import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Asks a server whose authority is in the trust store that the system properties name. */
class Client {
  public static void main(String[] arguments) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(arguments[0])).build();
    var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    System.out.print(response.statusCode() + " " + response.body());
  }
}
