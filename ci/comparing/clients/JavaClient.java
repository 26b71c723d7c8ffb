import static com.github.tomakehurst.wiremock.client.WireMock.*;

import com.github.tomakehurst.wiremock.admin.model.ServeEventQuery;
import com.github.tomakehurst.wiremock.client.BasicCredentials;
import com.github.tomakehurst.wiremock.client.HttpAdminClient;
import com.github.tomakehurst.wiremock.client.MappingBuilder;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.client.VerificationException;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.common.ClientError;
import com.github.tomakehurst.wiremock.common.Json;
import com.github.tomakehurst.wiremock.common.Metadata;
import com.github.tomakehurst.wiremock.core.Admin;
import com.github.tomakehurst.wiremock.extension.Parameters;
import com.github.tomakehurst.wiremock.global.GlobalSettings;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.HttpHeader;
import com.github.tomakehurst.wiremock.http.HttpHeaders;
import com.github.tomakehurst.wiremock.http.LogNormal;
import com.github.tomakehurst.wiremock.http.RequestMethod;
import com.github.tomakehurst.wiremock.http.UniformDistribution;
import com.github.tomakehurst.wiremock.matching.ContentPattern;
import com.github.tomakehurst.wiremock.matching.MultipartValuePattern;
import com.github.tomakehurst.wiremock.matching.RequestPatternBuilder;
import com.github.tomakehurst.wiremock.matching.StringValuePattern;
import com.github.tomakehurst.wiremock.stubbing.StubImport;
import com.github.tomakehurst.wiremock.stubbing.StubMapping;
import java.io.File;
import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Does with WireMock's Java client all that it can over HTTP, and writes what each step results in.
 *
 * Arguments: the file to write, the program of the server, its folder, the port of an upstream, the port
 * of the server, and this file.
 */
public class JavaClient {
  static PrintWriter writer;
  static int port;
  static String upstream;
  static Path root;
  static WireMock client;
  static Admin admin;
  static final UUID NOBODY = given(255);
  // Headers that say how an answer is framed, not what it says.
  static final Set<String> FRAMING = Set.of("connection", "content-encoding", "content-length", "date",
      "keep-alive", "server", "transfer-encoding", "vary");
  static final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(10)).build();

  public static void main(String[] arguments) throws Exception {
    writer = new PrintWriter(arguments[0], StandardCharsets.UTF_8);
    root = Path.of(arguments[2], "root");
    upstream = "http://127.0.0.1:" + arguments[3];
    port = Integer.parseInt(arguments[4]);
    call(":" + arguments[3], "upstream");
    call(":" + port, "port");
    call(arguments[2], "folder");
    admin = new HttpAdminClient("localhost", port);
    client = new WireMock(admin);
    clients();
    matchers();
    responses();
    stubs();
    scenarios();
    verifying();
    serveEvents();
    nearMisses();
    settings();
    saving();
    coverage(Files.readString(Path.of(arguments[5])));
    recording();
    step("shutdown", () -> { WireMock.shutdownServer(); return null; });
    step("shutdown: called again", () -> { Thread.sleep(1500); client.shutdown(); return null; });
    writer.close();
    System.exit(0);
  }

  // Steps

  static void line(Map<String, Object> value) {
    writer.println(Json.write(value).replaceAll("\\R\\s*", " "));
    writer.flush();
  }

  static void call(Object value, String name) {
    line(Map.of("value", value.toString(), "name", name));
  }

  static void write(String name, Object outcome) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("step", name);
    value.put("outcome", outcome);
    line(value);
  }

  /** Makes the call, writes what it gave or threw, and gives what it gave. */
  static <T> T step(String name, Callable<T> work) {
    Map<String, Object> outcome = new LinkedHashMap<>();
    T value = null;
    try {
      value = work.call();
      outcome.put("gave", value);
      Json.write(outcome);
    } catch (ClientError error) {
      outcome.put("raised", error.getClass().getSimpleName());
      outcome.put("errors", error.getErrors());
    } catch (Throwable error) {
      outcome.clear();
      outcome.put("raised", error.getClass().getSimpleName());
      String message = String.valueOf(error.getMessage());
      Matcher status = Pattern.compile("but was (\\d{3})").matcher(message);
      if (status.find()) outcome.put("status", Integer.parseInt(status.group(1)));
      if (error instanceof VerificationException) outcome.put("message", message.lines().findFirst().orElse(""));
    }
    write(name, outcome);
    return value;
  }

  static void run(String name, Runnable work) {
    step(name, () -> { work.run(); return null; });
  }

  static void ask(String name, String method, String path, Object... more) {
    ask(name, 0, method, path, more);
  }

  /** Makes a request of the kind that stubs answer; `more` is a body, or null, and headers. */
  static void ask(String name, int millisecondsMin, String method, String path, Object... more) {
    Object sent = more.length > 0 ? more[0] : null;
    byte[] data = sent instanceof byte[] ? (byte[]) sent : sent == null ? null : sent.toString()
        .getBytes(StandardCharsets.UTF_8);
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .timeout(Duration.ofSeconds(20)).header("User-Agent", "steps")
        .method(method, data == null ? HttpRequest.BodyPublishers.noBody()
        : HttpRequest.BodyPublishers.ofByteArray(data));
    for (int i = 1; i + 1 < more.length; i += 2) request.header(more[i].toString(), more[i + 1].toString());
    Map<String, Object> outcome = new LinkedHashMap<>();
    long start = System.nanoTime();
    try {
      HttpResponse<byte[]> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      String text = new String(answer.body(), StandardCharsets.UTF_8);
      boolean missed = text.contains("Request was not matched") || text.contains("there are no stub mappings")
          || text.startsWith("<html>") || answer.headers().firstValue("Content-Type").orElse("")
              .contains("problem+json");
      if (missed && (answer.statusCode() == 404 || answer.statusCode() == 403)) {
        outcome.put("status", 404);
        outcome.put("body", "<a miss>");
      } else {
        outcome.put("status", answer.statusCode());
        Map<String, Object> headers = new LinkedHashMap<>();
        answer.headers().map().forEach((key, values) -> {
          String lower = key.toLowerCase();
          if (!FRAMING.contains(lower) && !lower.startsWith("understudy-")) headers.put(lower, values);
        });
        outcome.put("headers", headers);
        boolean isText = java.util.Arrays.equals(text.getBytes(StandardCharsets.UTF_8), answer.body());
        outcome.put("body", isText ? text : Map.of("base64", Base64.getEncoder().encodeToString(answer.body())));
      }
    } catch (Exception error) {
      outcome.put("raised", "no whole answer");
    }
    if (millisecondsMin > 0) {
      long took = (System.nanoTime() - start) / 1_000_000;
      outcome.put("waited", took >= millisecondsMin && took < millisecondsMin + 5000);
    }
    write(name, outcome);
  }

  static UUID given(int number) {
    return UUID.fromString(String.format("00000000-0000-4000-8000-%012d", number));
  }

  static void empty(String name) {
    run(name + ": all deleted", () -> { removeAllMappings(); resetAllRequests(); });
  }

  // The parts

  /** The ways to make a client. */
  static void clients() {
    step("client: of a port", () -> new WireMock(port).allStubMappings().getMappings().size());
    step("client: of a host", () -> new WireMock("127.0.0.1", port).allStubMappings().getMeta().total);
    step("client: with a prefix", () -> new WireMock("localhost", port, "").allStubMappings().getMappings());
    step("client: with a scheme", () -> new WireMock("http", "localhost", port).allStubMappings().getMappings());
    step("client: built", () -> WireMock.create().scheme("http").http().host("localhost").port(port).urlPathPrefix("")
        .build().allStubMappings().getMappings());
    step("client: with a header", () -> WireMock.create().host("localhost").port(port).hostHeader("other.example")
        .build().allStubMappings().getMappings());
    step("client: with a password", () -> WireMock.create().host("localhost").port(port)
        .basicAuthenticator("ada", "secret").build().allStubMappings().getMappings());
    step("client: port", () -> ((HttpAdminClient) admin).port() == port);
    run("client: configured", () -> {
      configure();
      configureFor("http", "localhost", port, "");
      configureFor("http", "localhost", port);
      configureFor("localhost", port, "");
      configureFor(port);
      configureFor(client);
      configureFor("localhost", port);
    });
    step("client: used", () -> listAllStubMappings().getMappings());
  }

  static void matched(String name, MappingBuilder mapping, String method, String path, Object[] hit, Object[] miss) {
    matched(name, mapping, method, path, hit, path, miss);
  }

  /** Registers a stub, makes a request that it answers and one that it does not, and removes it. */
  static void matched(
      String name, MappingBuilder mapping, String method, String path, Object[] hit, String other, Object[] miss) {
    step("matcher " + name, () -> stubFor(mapping.withId(given(1)).willReturn(ok("hit"))));
    ask("matcher " + name + ": that matches", method, path, hit);
    ask("matcher " + name + ": that does not match", method, other, miss);
    step("matcher " + name + ": read again", () -> getSingleStubMapping(given(1)));
    empty("matcher " + name);
  }

  static Object[] sent(Object... more) {
    return more;
  }

  static void matchers() {
    Object[] none = sent();
    matched("url", get(urlEqualTo("/u?a=b")), "GET", "/u?a=b", none, "/u", none);
    matched("url, short", get("/u"), "GET", "/u", none, "/u?a=b", none);
    matched("urlPattern", get(urlMatching("/u/[0-9]+\\?x=.*")), "GET", "/u/1?x=y", none, "/u/1", none);
    matched("urlPath", get(urlPathEqualTo("/u")), "GET", "/u?any=1", none, "/v", none);
    matched("urlPathPattern", get(urlPathMatching("/u/[a-z]+")), "GET", "/u/abc?x=1", none, "/u/1", none);
    matched("any URL", get(anyUrl()), "GET", "/any/thing", none, "/", none);
    Map<String, MappingBuilder> methods = new LinkedHashMap<>();
    methods.put("GET", get(urlEqualTo("/m")));
    methods.put("POST", post(urlEqualTo("/m")));
    methods.put("POST, short", post("/m"));
    methods.put("PUT", put(urlEqualTo("/m")));
    methods.put("PUT, short", put("/m"));
    methods.put("DELETE", delete(urlEqualTo("/m")));
    methods.put("DELETE, short", delete("/m"));
    methods.put("PATCH", patch(urlEqualTo("/m")));
    methods.put("HEAD", head(urlEqualTo("/m")));
    methods.put("OPTIONS", options(urlEqualTo("/m")));
    methods.put("TRACE", trace(urlEqualTo("/m")));
    methods.put("ANY", any(urlEqualTo("/m")));
    methods.put("QUERY", request("QUERY", urlEqualTo("/m")));
    methods.forEach((name, mapping) -> {
      String method = name.equals("ANY") ? "REPORT" : name.split(",")[0];
      matched("method " + name, mapping, method, "/m", none, "/n", none);
    });
    Map<String, Object[]> texts = new LinkedHashMap<>();
    texts.put("equalTo", sent(equalTo("abc"), "abc", "abd"));
    texts.put("equalToIgnoreCase", sent(equalToIgnoreCase("abc"), "ABC", "abd"));
    texts.put("containing", sent(containing("b"), "abc", "axc"));
    texts.put("notContaining", sent(notContaining("b"), "axc", "abc"));
    texts.put("matching", sent(matching("a[bc]+"), "abcb", "xabc"));
    texts.put("notMatching", sent(notMatching("a[bc]+"), "xabc", "abcb"));
    texts.put("absent", sent(absent(), null, "abc"));
    texts.put("and", sent(and(containing("a"), containing("b")), "ab", "a"));
    texts.put("or", sent(or(equalTo("a"), equalTo("b")), "b", "c"));
    texts.put("and, method", sent(containing("a").and(containing("b")), "ab", "a"));
    texts.put("or, method", sent(equalTo("a").or(equalTo("b")), "b", "c"));
    texts.put("before", sent(before("2020-01-01T00:00:00Z"), "2019-01-01T00:00:00Z", "2021-01-01T00:00:00Z"));
    texts.put("after", sent(after("2020-01-01T00:00:00Z"), "2021-01-01T00:00:00Z", "2019-01-01T00:00:00Z"));
    texts.put("equalToDateTime", sent(equalToDateTime("2020-01-01T00:00:00Z"), "2020-01-01T00:00:00Z",
        "2021-01-01T00:00:00Z"));
    texts.put("beforeNow", sent(beforeNow(), "2019-01-01T00:00:00Z", "2999-01-01T00:00:00Z"));
    texts.put("afterNow", sent(afterNow(), "2999-01-01T00:00:00Z", "2019-01-01T00:00:00Z"));
    texts.put("isNow", sent(isNow().expectedOffset(0, com.github.tomakehurst.wiremock.common.DateTimeUnit.DAYS)
        .truncateActual(com.github.tomakehurst.wiremock.common.DateTimeTruncation.FIRST_DAY_OF_YEAR),
        "2019-01-01T00:00:00Z", "2018-01-01T00:00:00Z"));
    texts.forEach((name, each) -> {
      StringValuePattern pattern = (StringValuePattern) each[0];
      matched(name + ", header", get(urlPathEqualTo("/t")).withHeader("X-A", pattern), "GET", "/t",
          each[1] == null ? none : sent(null, "X-A", each[1]), sent(null, "X-A", each[2]));
      matched(name + ", query", get(urlPathEqualTo("/t")).withQueryParam("a", pattern), "GET",
          each[1] == null ? "/t" : "/t?a=" + each[1], none, "/t?a=" + each[2], none);
      matched(name + ", cookie", get(urlPathEqualTo("/t")).withCookie("a", pattern), "GET", "/t",
          each[1] == null ? none : sent(null, "Cookie", "a=" + each[1]), sent(null, "Cookie", "a=" + each[2]));
      if (each[1] != null) {
        matched(name + ", body", post("/t").withRequestBody(pattern), "POST", "/t", sent(each[1]), sent(each[2]));
      }
    });
    matched("several queries", get(urlPathEqualTo("/t")).withQueryParams(Map.of("a", equalTo("1"), "b",
        equalTo("2"))),
        "GET", "/t?b=2&a=1", none, "/t?a=1", none);
    matched("several headers", get("/t").withHeader("A", equalTo("1")).withHeader("B", matching(".+")),
        "GET", "/t", sent(null, "A", "1", "B", "2"), sent(null, "A", "1"));
    matched("basic auth", get("/t").withBasicAuth("ada", "secret"), "GET", "/t",
        sent(null, "Authorization", new BasicCredentials("ada", "secret").asAuthorizationHeaderValue()),
        sent(null, "Authorization", new BasicCredentials("ada", "other").asAuthorizationHeaderValue()));
    Map<String, Object[]> bodies = new LinkedHashMap<>();
    bodies.put("equalToJson", sent(equalToJson("{\"a\":[1,2]}"), "{ \"a\": [1, 2] }", "{\"a\":[2,1]}"));
    bodies.put("equalToJson, order", sent(equalToJson("{\"a\":[1,2]}", true, false), "{\"a\":[2,1]}",
        "{\"a\":[2,1],\"b\":1}"));
    bodies.put("equalToJson, extra", sent(equalToJson("{\"a\":1}", false, true), "{\"a\":1,\"b\":2}", "{\"b\":2}"));
    bodies.put("equalToJson, placeholders", sent(equalToJson("{\"a\":\"${json-unit.any-string}\"}"),
        "{\"a\":\"x\"}", "{\"a\":1}"));
    bodies.put("matchingJsonPath", sent(matchingJsonPath("$.a[?(@.b == 1)]"), "{\"a\":[{\"b\":1}]}",
        "{\"a\":[{\"b\":2}]}"));
    bodies.put("matchingJsonPath, value", sent(matchingJsonPath("$.a", equalTo("x")), "{\"a\":\"x\"}",
        "{\"a\":\"y\"}"));
    bodies.put("equalToXml", sent(equalToXml("<a><b/></a>"), "<a> <b></b></a>", "<a/>"));
    bodies.put("equalToXml, placeholders", sent(equalToXml("<a>[[xmlunit.ignore]]</a>", true, "\\[\\[", "]]"),
        "<a>x</a>", "<b/>"));
    bodies.put("matchingXPath", sent(matchingXPath("/a/b"), "<a><b/></a>", "<a/>"));
    bodies.put("matchingXPath, namespaces", sent(matchingXPath("/n:a", Map.of("n", "urn:n")),
        "<a xmlns=\"urn:n\"/>", "<a/>"));
    bodies.put("matchingXPath, value", sent(matchingXPath("/a/text()", equalTo("x")), "<a>x</a>", "<a>y</a>"));
    bodies.put("XPath, sub-matcher", sent(matchesXPathWithSubMatcher("/a/text()", containing("x")), "<a>x</a>",
        "<a>y</a>"));
    bodies.put("binaryEqualTo", sent(binaryEqualTo(new byte[] {1, 2}), new byte[] {1, 2}, new byte[] {2}));
    bodies.put("binaryEqualTo, base64", sent(binaryEqualTo("AQI="), new byte[] {1, 2}, new byte[] {2}));
    bodies.forEach((name, each) -> matched("body " + name, post("/t").withRequestBody((ContentPattern<?>) each[0]),
        "POST", "/t", sent(each[1]), sent(each[2])));
    String kind = "multipart/form-data; boundary=cut";
    matched("multipart, any part", post("/t").withMultipartRequestBody(
        aMultipart("info").withHeader("Content-Type", containing("text")).withBody(containing("yes"))),
        "POST", "/t", sent(parts("info", "yes", "x", "no"), "Content-Type", kind), sent(parts("info", "no"),
        "Content-Type", kind));
    matched("multipart, all parts", post("/t").withMultipartRequestBody(
        aMultipart().matchingType(MultipartValuePattern.MatchingType.ALL).withBody(containing("yes"))),
        "POST", "/t", sent(parts("a", "yes", "b", "yes"), "Content-Type", kind), sent(parts("a", "yes", "b", "no"),
        "Content-Type", kind));
    matched("host", get("/t").withHost(equalTo("127.0.0.1")), "GET", "/t", none, "/v", none);
    matched("scheme http", get("/t").withScheme("http"), "GET", "/t", none, "/v", none);
    matched("scheme https", get("/t").withScheme("https"), "GET", "/v", none, "/t", none);
    matched("port of another", get("/t").withPort(1), "GET", "/v", none, "/t", none);
    matched("custom matcher", requestMatching("none", Parameters.one("a", 1)), "GET", "/t", none, "/v", none);
    matched("custom matcher, without parameters", requestMatching("none"), "GET", "/t", none, "/v", none);
    matched("custom matcher, besides", get("/t").andMatching("none"), "GET", "/t", none, "/v", none);
  }

  static String parts(String... each) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < each.length; i += 2) {
      text.append("--cut\r\nContent-Disposition: form-data; name=\"").append(each[i])
          .append("\"\r\nContent-Type: text/plain\r\n\r\n").append(each[i + 1]).append("\r\n");
    }
    return text + "--cut--\r\n";
  }

  static void answered(String name, int number, ResponseDefinitionBuilder response) {
    answered(name, number, 0, response);
  }

  static void answered(String name, int number, int millisecondsMin, ResponseDefinitionBuilder response) {
    step("response " + name, () -> stubFor(any(urlPathEqualTo("/r/" + number)).withId(given(number))
        .willReturn(response)));
    ask("response " + name + ": asked", millisecondsMin, "GET", "/r/" + number + "?q=v", null, "X-A", "h");
  }

  static void responses() throws Exception {
    Files.createDirectories(root.resolve("__files"));
    Files.writeString(root.resolve("__files/answer.txt"), "from a file");
    int number = 100;
    answered("ok", number++, ok());
    answered("ok with a body", number++, ok("body"));
    answered("of a kind", number++, okForContentType("text/csv", "a,b"));
    answered("okJson", number++, okJson("{\"a\":1}"));
    answered("okXml", number++, okXml("<a/>"));
    answered("okTextXml", number++, okTextXml("<a/>"));
    answered("jsonResponse", number++, jsonResponse("{\"a\":1}", 202));
    answered("jsonResponse of an object", number++, jsonResponse(Map.of("a", 1), 202));
    answered("okForJson", number++, ResponseDefinitionBuilder.okForJson(Map.of("a", 1)));
    answered("okForEmptyJson", number++, ResponseDefinitionBuilder.okForEmptyJson());
    answered("created", number++, created());
    answered("noContent", number++, noContent());
    answered("permanentRedirect", number++, permanentRedirect("/x"));
    answered("temporaryRedirect", number++, temporaryRedirect("/x"));
    answered("seeOther", number++, seeOther("/x"));
    answered("badRequest", number++, badRequest());
    answered("badRequestEntity", number++, badRequestEntity());
    answered("unauthorized", number++, unauthorized());
    answered("forbidden", number++, forbidden());
    answered("notFound", number++, notFound().withBody("not here"));
    answered("serverError", number++, serverError());
    answered("serviceUnavailable", number++, serviceUnavailable());
    answered("status", number++, status(299));
    answered("message", number++, aResponse().withStatus(418).withStatusMessage("Teapot"));
    answered("headers", number++, aResponse().withHeader("A", "b").withHeader("C", "d", "e"));
    answered("headers at once", number++, aResponse().withHeaders(new HttpHeaders(HttpHeader.httpHeader("A", "b",
        "c"))));
    answered("file", number++, aResponse().withBodyFile("answer.txt"));
    answered("bytes", number++, aResponse().withBody(new byte[] {0, 1, -1}));
    answered("base64", number++, aResponse().withBase64Body("AAH/"));
    answered("JSON", number++, aResponse().withJsonBody(Json.node("{\"a\":[1,null]}")));
    answered("template", number++, aResponse().withTransformers("response-template")
        .withBody("{{request.method}} {{request.path}} {{request.query.q}} {{request.headers.X-A}}"));
    answered("template, parameters", number++, aResponse().withTransformers("response-template")
        .withTransformerParameter("who", "Ada").withBody("{{parameters.who}}"));
    answered("template, parameters at once", number++, aResponse().withTransformer("response-template", "who", "Ada")
        .withTransformerParameters(Map.of("who", "Bob")).withBody("{{parameters.who}}"));
    answered("fixed delay", number++, 200, ok("late").withFixedDelay(200));
    answered("uniform delay", number++, 150, ok("late").withUniformRandomDelay(150, 170));
    answered("lognormal delay", number++, 100, ok("late").withLogNormalRandomDelay(150, 0.01));
    answered("random delay", number++, 100, ok("late").withRandomDelay(new UniformDistribution(100, 110)));
    answered("chunked dribble", number++, 250, ok("in five pieces").withChunkedDribbleDelay(5, 300));
    for (Fault fault : Fault.values()) answered("fault " + fault, number++, aResponse().withFault(fault));
    answered("body of its own", number++, ResponseDefinitionBuilder.responseDefinition()
        .withResponseBody(new com.github.tomakehurst.wiremock.http.Body("own")));
    answered("like another", number++, ResponseDefinitionBuilder.like(ok("same").build()).but().withStatus(201));
    step("response proxy", () -> stubFor(any(urlPathMatching("/pre/echo.*")).withId(given(170)).willReturn(
        aResponse().proxiedFrom(upstream).withProxyUrlPrefixToRemove("/pre").withAdditionalRequestHeader("X-Added",
            "added"))));
    ask("response proxy: asked", "POST", "/pre/echo", "sent");
    empty("responses");
    step("proxy all", () -> stubFor(proxyAllTo(upstream).withId(given(171))));
    ask("proxy all: asked", "GET", "/echo?x=1");
    empty("proxy all");
  }

  static void stubs() throws Exception {
    step("stubs: givenThat", () -> givenThat(get("/a").withId(given(200)).withName("first").willReturn(ok("a"))));
    step("stubs: register", () -> client.register(get("/b").withId(given(201)).willReturn(ok("b"))));
    run("stubs: register what is built", () -> client.register(get("/c").withId(given(202)).willReturn(ok("c"))
        .build()));
    run("stubs: add by the admin", () -> admin.addStubMapping(get("/e").withId(given(203)).willReturn(ok("e"))
        .build()));
    StubMapping made = step("stubs: without an id", () -> stubFor(get("/d").willReturn(ok("d"))));
    for (String path : List.of("/a", "/b", "/c", "/d")) ask("stubs: asked " + path, "GET", path);
    step("stubs: list", () -> listAllStubMappings().getMappings());
    step("stubs: list of the client", () -> client.allStubMappings().getMeta().total);
    step("stubs: one", () -> getSingleStubMapping(given(200)));
    step("stubs: one of the client", () -> client.getStubMapping(given(200)).getItem());
    step("stubs: one that is missing", () -> getSingleStubMapping(NOBODY));
    run("stubs: edit", () -> editStub(get("/a").withId(given(200)).willReturn(ok("edited"))));
    ask("stubs: asked after an edit", "GET", "/a");
    run("stubs: edit by the client", () -> client.editStubMapping(get("/a2").withId(given(200))
        .willReturn(ok("again"))));
    ask("stubs: asked after another edit", "GET", "/a");
    ask("stubs: asked at the other path", "GET", "/a2");
    run("stubs: edit what is missing", () -> editStub(get("/x").withId(NOBODY).willReturn(ok())));
    run("stubs: remove", () -> removeStub(get("/a2").withId(given(200))));
    ask("stubs: asked after its removal", "GET", "/a2");
    run("stubs: remove what is made", () -> removeStub(made));
    ask("stubs: asked after another removal", "GET", "/d");
    run("stubs: remove by the client", () -> client.removeStubMapping(get("/b").withId(given(201))));
    run("stubs: remove by its pattern", () -> client.removeStubMapping(get("/c").willReturn(ok("c")).build()));
    run("stubs: remove by its id", () -> admin.removeStubMapping(given(202)));
    run("stubs: remove what is missing", () -> admin.removeStubMapping(NOBODY));
    step("stubs: what is left", () -> listAllStubMappings().getMappings());
    for (int priority : List.of(10, 1, 5)) {
      step("stubs: priority " + priority, () -> stubFor(get("/p").withId(given(210 + priority)).atPriority(priority)
          .willReturn(ok("priority " + priority))));
      ask("stubs: asked, priority " + priority, "GET", "/p");
    }
    empty("stubs");
    for (int number : List.of(230, 231, 232)) {
      step("metadata: stub " + number, () -> stubFor(get("/meta/" + number).withId(given(number))
          .withMetadata(Metadata.metadata()
          .attr("team", number == 231 ? "b" : "a").list("tags", "x", number).attr("deep", Metadata.metadata()
          .attr("n", number))).willReturn(ok())));
    }
    step("metadata: as a map", () -> stubFor(get("/meta/233").withId(given(233)).withMetadata(Map.of("team", "c"))
        .willReturn(ok())));
    step("metadata: find", () -> findStubsByMetadata(matchingJsonPath("$.team", equalTo("a"))));
    step("metadata: find by the client", () -> client.findAllStubsByMetadata(matchingJsonPath("$.deep.n",
        equalTo("231"))));
    step("metadata: find by equality", () -> findStubsByMetadata(equalToJson("{\"team\":\"c\"}")));
    step("metadata: find none", () -> findStubsByMetadata(matchingJsonPath("$.none")));
    ask("metadata: asked", "GET", "/meta/230");
    step("metadata: remove events", () -> removeEventsByStubMetadata(matchingJsonPath("$.team", equalTo("a")))
        .size());
    step("metadata: remove events by the client", () -> client.removeEventsByMetadata(matchingJsonPath("$.team")));
    run("metadata: remove", () -> removeStubsByMetadata(matchingJsonPath("$.team", equalTo("a"))));
    run("metadata: remove by the client", () -> client.removeStubsByMetadataPattern(matchingJsonPath("$.team",
        equalTo("b"))));
    step("metadata: what is left", () -> listAllStubMappings().getMappings());
    empty("metadata");
    step("import: before", () -> stubFor(get("/i/1").withId(given(240)).willReturn(ok("before"))));
    run("import: ignoring", () -> importStubs(StubImport.stubImport().stub(get("/i/1").withId(given(240))
        .willReturn(ok("after")))
        .stub(get("/i/2").withId(given(241)).willReturn(ok("second"))).ignoreExisting().doNotDeleteExistingStubs()));
    ask("import: asked after ignoring", "GET", "/i/1");
    run("import: overwriting", () -> client.importStubMappings(StubImport.stubImport()
        .stub(get("/i/1").withId(given(240)).willReturn(ok("after"))).overwriteExisting()));
    ask("import: asked after overwriting", "GET", "/i/1");
    run("import: in place of all", () -> client.importStubMappings(StubImport.stubImport()
        .stub(get("/i/3").withId(given(242)).willReturn(ok("third"))).deleteAllExistingStubsNotInImport().build()));
    run("import: built", () -> importStubs(StubImport.stubImport().stub(get("/i/4").withId(given(243))
        .willReturn(ok()).build()).build()));
    step("import: what is there", () -> listAllStubMappings().getMappings());
    empty("import");
    Path local = Files.createDirectories(root.resolveSibling("local/mappings"));
    Files.writeString(local.resolve("one.json"), Json.write(get("/loaded").withId(given(244))
        .willReturn(ok("loaded")).build()));
    run("load: from a folder", () -> client.loadMappingsFrom(local.getParent().toString()));
    run("load: from a file", () -> client.loadMappingsFrom(new File(local.getParent().toString())));
    ask("load: asked", "GET", "/loaded");
    step("load: what is there", () -> listAllStubMappings().getMappings());
    step("post serve actions", () -> stubFor(get("/after").withId(given(245)).withPostServeAction("none",
        Map.of("a", 1)).willReturn(ok())));
    empty("load");
  }

  static void scenarios() {
    List<String> states = List.of("Started", "two", "three", "four");
    for (int i = 0; i < 3; i++) {
      int number = i;
      step("scenario: " + states.get(i), () -> stubFor(get("/s").withId(given(300 + number)).inScenario("steps")
          .whenScenarioStateIs(states.get(number)).willSetStateTo(states.get(number + 1))
          .willReturn(ok(states.get(number)))));
    }
    step("scenario: another", () -> stubFor(get("/o").withId(given(310)).inScenario("other")
        .whenScenarioStateIs("Started").willSetStateTo("done").willReturn(ok("other"))));
    for (int i = 0; i < 4; i++) ask("scenario: request " + i, "GET", "/s");
    ask("scenario: request of the other", "GET", "/o");
    step("scenario: all", () -> states());
    run("scenario: set a state", () -> setScenarioState("steps", "two"));
    ask("scenario: asked after that", "GET", "/s");
    run("scenario: set a state by the client", () -> client.setSingleScenarioState("steps", "Started"));
    step("scenario: all of the client", () -> client.getScenarios().size());
    run("scenario: an unknown state", () -> setScenarioState("steps", "nonsense"));
    run("scenario: an unknown scenario", () -> setScenarioState("none", "two"));
    ask("scenario: asked once more", "GET", "/s");
    run("scenario: reset one", () -> resetScenario("steps"));
    step("scenario: after one was reset", () -> states());
    run("scenario: reset one by the client", () -> client.resetScenarioState("other"));
    run("scenario: reset an unknown", () -> resetScenario("none"));
    ask("scenario: asked after one was reset", "GET", "/s");
    run("scenario: reset all", () -> resetAllScenarios());
    step("scenario: after all were reset", () -> states());
    run("scenario: reset all by the client", () -> client.resetScenarios());
    empty("scenario");
    step("scenario: none", () -> states());
  }

  /** The scenarios in the order of their names: WireMock has none. */
  static Object states() {
    List<Object> found = new ArrayList<>();
    getAllScenarios().stream().sorted((a, b) -> a.getName().compareTo(b.getName())).forEach(each -> found.add(Map.of(
        "id", each.getId(), "name", each.getName(), "state", each.getState(),
        "possibleStates", new TreeSet<>(each.getPossibleStates()),
        "mappings", new TreeSet<>(each.getMappings().stream().map(one -> one.getId().toString()).toList()))));
    return found;
  }

  static void asked() {
    step("journal: a stub", () -> stubFor(any(urlPathEqualTo("/j")).withId(given(400)).withMetadata(Map.of("a", 1))
        .willReturn(ok("j"))));
    ask("journal: GET", "GET", "/j?a=1&a=2&b=", null, "X-A", "a", "Cookie", "c=1; d=2");
    ask("journal: POST", "POST", "/j", "sent", "Content-Type", "text/plain");
    ask("journal: JSON", "PUT", "/j", "{\"a\":1}", "Content-Type", "application/json");
    ask("journal: parts", "POST", "/j", parts("a", "yes"), "Content-Type", "multipart/form-data; boundary=cut");
    for (String method : List.of("DELETE", "PATCH", "HEAD", "OPTIONS")) ask("journal: " + method, method, "/j");
    ask("journal: a miss", "GET", "/nearly?x=1");
    ask("journal: another miss", "GET", "/far");
  }

  static void verifying() {
    asked();
    Map<String, RequestPatternBuilder> patterns = new LinkedHashMap<>();
    patterns.put("GET", getRequestedFor(urlPathEqualTo("/j")));
    patterns.put("POST", postRequestedFor(urlEqualTo("/j")));
    patterns.put("PUT", putRequestedFor(urlPathMatching("/j.*")));
    patterns.put("DELETE", deleteRequestedFor(urlEqualTo("/j")));
    patterns.put("PATCH", patchRequestedFor(urlEqualTo("/j")));
    patterns.put("HEAD", headRequestedFor(urlEqualTo("/j")));
    patterns.put("OPTIONS", optionsRequestedFor(urlEqualTo("/j")));
    patterns.put("TRACE", traceRequestedFor(urlEqualTo("/j")));
    patterns.put("any", anyRequestedFor(urlMatching("/.*")));
    patterns.put("header", anyRequestedFor(anyUrl()).withHeader("X-A", equalTo("a")));
    patterns.put("without a header", anyRequestedFor(anyUrl()).withoutHeader("X-A"));
    patterns.put("query", anyRequestedFor(anyUrl()).withQueryParam("a", equalTo("2")));
    patterns.put("cookie", anyRequestedFor(anyUrl()).withCookie("d", equalTo("2")));
    patterns.put("body", anyRequestedFor(anyUrl()).withRequestBody(equalToJson("{\"a\":1}")));
    patterns.put("part", anyRequestedFor(anyUrl()).withAnyRequestBodyPart(aMultipart("a").withBody(equalTo("yes"))));
    patterns.put("one part", anyRequestedFor(anyUrl()).withRequestBodyPart(aMultipart("a").build()));
    patterns.put("all parts", anyRequestedFor(anyUrl()).withAllRequestBodyParts(aMultipart()
        .withBody(equalTo("yes"))));
    patterns.put("basic auth", anyRequestedFor(anyUrl()).withBasicAuth(new BasicCredentials("ada", "secret")));
    patterns.put("host", anyRequestedFor(anyUrl()).withHost(equalTo("127.0.0.1")).withScheme("http").withPort(port));
    patterns.put("URL", RequestPatternBuilder.newRequestPattern(RequestMethod.GET, anyUrl()).withUrl("/far"));
    patterns.put("everything", RequestPatternBuilder.allRequests());
    patterns.put("never", getRequestedFor(urlEqualTo("/never")));
    patterns.put("custom matcher", requestMadeFor("none", Parameters.empty()));
    patterns.forEach((name, pattern) -> {
      run("verify " + name, () -> verify(pattern));
      step("verify " + name + ": found", () -> findAll(pattern).stream().map(each ->
          each.getMethod() + " " + each.getUrl()).toList());
    });
    RequestPatternBuilder pattern = postRequestedFor(urlEqualTo("/j"));
    run("verify: exactly two", () -> verify(2, pattern));
    run("verify: exactly three", () -> verify(3, pattern));
    run("verify: less than three", () -> verify(lessThan(3), pattern));
    run("verify: less than two", () -> verify(lessThan(2), pattern));
    run("verify: at most two", () -> verify(lessThanOrExactly(2), pattern));
    run("verify: as counted", () -> verify(exactly(2), pattern));
    run("verify: at least two", () -> verify(moreThanOrExactly(2), pattern));
    run("verify: more than two", () -> verify(moreThan(2), pattern));
    run("verify: by the client", () -> client.verifyThat(pattern));
    run("verify: by the client, a number", () -> client.verifyThat(2, pattern));
    run("verify: by the client, a count", () -> client.verifyThat(moreThan(5), pattern));
    step("count: by the admin", () -> admin.countRequestsMatching(pattern.build()));
    step("find: by the admin", () -> admin.findRequestsMatching(pattern.build()).getRequests().size());
    step("find: whole", () -> findAll(getRequestedFor(urlPathEqualTo("/j"))));
    step("find: by the client", () -> client.find(putRequestedFor(anyUrl())));
    step("unmatched", () -> findUnmatchedRequests());
    step("unmatched: by the client", () -> client.findAllUnmatchedRequests().size());
    run("requests: reset", () -> resetAllRequests());
    step("requests: after the reset", () -> findAll(anyRequestedFor(anyUrl())));
    run("requests: reset by the client", () -> client.resetRequests());
    empty("verifying");
  }

  static void serveEvents() {
    asked();
    step("events: all", () -> getAllServeEvents());
    step("events: by the client", () -> client.getServeEvents().size());
    step("events: every", () -> getAllServeEvents(ServeEventQuery.ALL).size());
    step("events: unmatched", () -> urls(getAllServeEvents(ServeEventQuery.ALL_UNMATCHED)));
    step("events: of a stub", () -> urls(client.getServeEvents(ServeEventQuery.forStubMapping(given(400)))));
    step("events: of a mapping", () -> urls(getAllServeEvents(ServeEventQuery.forStubMapping(getSingleStubMapping(given(400))))));
    step("events: of none", () -> urls(getAllServeEvents(ServeEventQuery.forStubMapping(NOBODY))));
    UUID last = getAllServeEvents().isEmpty() ? NOBODY : getAllServeEvents().get(0).getId();
    call(last, "the last request");
    step("events: one", () -> admin.getServedStub(last).getItem());
    step("events: one that is missing", () -> admin.getServedStub(NOBODY).getItem());
    run("events: remove one", () -> removeServeEvent(last));
    run("events: remove it again", () -> client.removeEvent(last));
    step("events: after that", () -> urls(getAllServeEvents()));
    step("events: remove by a pattern", () -> removeServeEvents(postRequestedFor(urlEqualTo("/j"))));
    step("events: remove by a pattern, by the client", () -> client.removeEvents(putRequestedFor(anyUrl())).size());
    step("events: remove none", () -> removeServeEvents(getRequestedFor(urlEqualTo("/never"))));
    step("events: remove by a pattern, by the admin",
        () -> admin.removeServeEventsMatching(deleteRequestedFor(anyUrl()).build()).getServeEvents().size());
    step("events: remove by metadata of none, by the admin",
        () -> admin.removeServeEventsForStubsMatchingMetadata(matchingJsonPath("$.none")).getServeEvents());
    step("events: remove by metadata", () -> urls(removeEventsByStubMetadata(matchingJsonPath("$.a"))));
    step("events: what is left", () -> urls(getAllServeEvents()));
    empty("events");
  }

  static List<String> urls(List<com.github.tomakehurst.wiremock.stubbing.ServeEvent> events) {
    return events.stream().map(each -> each.getRequest().getMethod() + " " + each.getRequest().getUrl()).toList();
  }

  static void nearMisses() {
    step("near misses: a stub", () -> stubFor(get("/nearly").withId(given(500)).withHeader("X-A", equalTo("a"))
        .willReturn(ok())));
    step("near misses: another stub", () -> stubFor(post("/quite/another").withId(given(501)).willReturn(ok())));
    ask("near misses: asked", "GET", "/nearby", null, "X-A", "a");
    step("near misses: of all", () -> findNearMissesForAllUnmatched());
    step("near misses: of all, by the client", () -> client.findNearMissesForAllUnmatchedRequests().size());
    step("near misses: of all, by the admin", () -> admin.findNearMissesForUnmatchedRequests().getNearMisses()
        .size());
    step("near misses: of a request", () -> findNearMissesFor(findUnmatchedRequests().get(0)));
    step("near misses: of a request, by the client", () -> client.findTopNearMissesFor(findUnmatchedRequests()
        .get(0)).size());
    step("near misses: of a pattern", () -> findNearMissesFor(getRequestedFor(urlEqualTo("/nearly"))));
    step("near misses: of a pattern, by the client", () -> client.findAllNearMissesFor(getRequestedFor(urlEqualTo("/nearly"))).size());
    empty("near misses");
  }

  static void settings() {
    step("settings: a stub", () -> stubFor(get("/slow").withId(given(510)).willReturn(ok("slow"))));
    step("settings: at first", () -> getSettings());
    run("settings: a fixed delay", () -> setGlobalFixedDelay(200));
    step("settings: read", () -> client.getGlobalSettings());
    ask("settings: asked", 200, "GET", "/slow");
    run("settings: a fixed delay by the client", () -> client.setGlobalFixedDelayVariable(100));
    run("settings: a random delay", () -> setGlobalRandomDelay(new UniformDistribution(100, 120)));
    step("settings: read after that", () -> getSettings());
    ask("settings: asked after that", 100, "GET", "/slow");
    run("settings: a random delay by the client", () -> client.setGlobalRandomDelayVariable(new LogNormal(1, 0.1)));
    run("settings: extended", () -> updateSettings(GlobalSettings.builder().fixedDelay(0)
        .extended(Parameters.one("a", 1)).build()));
    step("settings: read the extended", () -> getSettings().getExtended());
    run("settings: by the client", () -> client.updateGlobalSettings(GlobalSettings.defaults()));
    step("settings: read at the end", () -> getSettings());
    empty("settings");
  }

  static void saving() throws Exception {
    Files.createDirectories(root.resolve("mappings"));
    Files.writeString(root.resolve("mappings/disk.json"), Json.write(get("/disk").withId(given(520))
        .willReturn(ok("disk")).build()));
    run("saving: to default", () -> resetToDefault());
    ask("saving: asked for the disk", "GET", "/disk");
    step("saving: persistent", () -> stubFor(get("/kept").withId(given(521)).persistent().willReturn(ok("kept"))));
    step("saving: not persistent", () -> stubFor(get("/lost").withId(given(522)).persistent(false)
        .willReturn(ok("lost"))));
    run("saving: to default by the client", () -> client.resetToDefaultMappings());
    ask("saving: asked for what is kept", "GET", "/kept");
    ask("saving: asked for what is lost", "GET", "/lost");
    step("saving: another", () -> stubFor(get("/saved").withId(given(523)).willReturn(ok("saved"))));
    run("saving: save", () -> saveAllMappings());
    run("saving: save by the client", () -> client.saveMappings());
    run("saving: reset", () -> WireMock.reset());
    ask("saving: asked for what is saved", "GET", "/saved");
    run("saving: reset all", () -> ((HttpAdminClient) admin).resetAll());
    run("saving: reset the mappings", () -> client.resetMappings());
    step("saving: what is left", () -> listAllStubMappings().getMappings());
    run("saving: remove by the client", () -> client.removeMappings());
    step("saving: options", () -> admin.getOptions().portNumber() == port);
  }

  static void recording() {
    step("recording: status at first", () -> getRecordingStatus().getStatus());
    step("recording: stop at first", () -> stopRecording().getStubMappings());
    run("recording: start", () -> startRecording(upstream));
    step("recording: status", () -> client.getStubRecordingStatus().getStatus());
    ask("recording: asked", "GET", "/person?id=7");
    ask("recording: asked to echo", "POST", "/echo", "{\"a\":1}", "Content-Type", "application/json");
    step("recording: stop", () -> stopRecording().getStubMappings());
    ask("recording: asked for what was recorded", "GET", "/person?id=7");
    empty("recording");
    run("recording: start by the client", () -> client.startStubRecording(upstream));
    step("recording: stop by the client", () -> client.stopStubRecording().getStubMappings());
    run("recording: start with a specification", () -> startRecording(recordSpec().forTarget(upstream)
        .onlyRequestsMatching(getRequestedFor(urlPathMatching("/per.*"))).captureHeader("Accept")
        .captureHeader("X-A", true)
        .extractTextBodiesOver(5).extractBinaryBodiesOver(5).makeStubsPersistent(false).ignoreRepeatRequests()
        .matchRequestBodyWithEqualToJson(false, true)));
    ask("recording: asked with a specification", "GET", "/person", null, "X-A", "a");
    ask("recording: asked for what is filtered", "GET", "/missing");
    step("recording: stop with a specification", () -> stopRecording().getStubMappings());
    run("recording: start with transformers", () -> startRecording(recordSpec().forTarget(upstream)
        .makeStubsPersistent(false).transformers("none").transformerParameters(Parameters.one("a", 1))));
    step("recording: stop with transformers", () -> stopRecording().getStubMappings());
    run("recording: start with a specification, by the client", () -> client.startStubRecording(
        recordSpec().forTarget(upstream).chooseBodyMatchTypeAutomatically(true, true, true)));
    step("recording: stop again", () -> client.stopStubRecording().getStubMappings());
    empty("recording, again");
    step("snapshot: a proxy", () -> stubFor(proxyAllTo(upstream).withId(given(600))));
    ask("snapshot: asked", "GET", "/person?id=8");
    step("snapshot: proxied", () -> snapshotRecord(recordSpec().makeStubsPersistent(false).allowNonProxied(false)));
    step("snapshot: by the client", () -> client.takeSnapshotRecording(recordSpec().matchRequestBodyWithEqualTo()
        .makeStubsPersistent(false)).size());
    step("snapshot: persistent", () -> snapshotRecord());
    step("snapshot: persistent, by the client", () -> client.takeSnapshotRecording().size());
    empty("snapshot");
    step("snapshot: a stub", () -> stubFor(get("/own").withId(given(601)).willReturn(okJson("{\"own\":true}"))));
    ask("snapshot: asked for a stub", "GET", "/own", null, "X-A", "a");
    step("snapshot: of what is not proxied", () -> snapshotRecord(recordSpec().makeStubsPersistent(false)
        .allowNonProxied(true)));
    empty("snapshot, again");
  }

  /** Which public methods of the client this file does not name; a matcher that is Java code stays at home. */
  static void coverage(String source) {
    TreeSet<String> missing = new TreeSet<>();
    int count = 0;
    for (Class<?> type : List.of(WireMock.class, Admin.class, MappingBuilder.class,
        ResponseDefinitionBuilder.class, RequestPatternBuilder.class)) {
      TreeSet<String> names = new TreeSet<>();
      for (Method method : type.getDeclaredMethods()) {
        boolean isPublic = Modifier.isPublic(method.getModifiers()) && !method.isSynthetic();
        if (isPublic && !method.getName().equals("forCustomMatcher")) names.add(method.getName());
      }
      count += names.size();
      for (String name : names) {
        if (!Pattern.compile("\\b" + name + "\\(").matcher(source)
            .find()) missing.add(type.getSimpleName() + "." + name);
      }
    }
    write("methods of the client that no step calls", missing);
    write("number of methods of the client", count);
  }
}
