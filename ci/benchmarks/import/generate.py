"""Writes documents of others in which one thing is there n times.

    generate.py <case> <n> <folder>   writes one, and prints the format and the path to import
    generate.py list                  prints the names of the cases
"""

import json
import pathlib
import sys

CASES = {}


def case(make):
    CASES[make.__name__.replace("_", "-")] = make
    return make


# OpenAPI


def openapi(paths=None, **components):
    usual = {"/things": {"get": {"responses": response(schema("Thing"))}}}
    return "openapi", {
        "openapi": "3.1.0",
        "info": {"title": "Generated", "version": "1"},
        "servers": [{"url": "https://api.example.com/v1"}],
        "paths": paths or usual,
        "components": components,
    }


def schema(name):
    return {"$ref": f"#/components/schemas/{name}"}


def response(content, **more):
    media = {"application/json": {"schema": content}}
    return {"200": {"description": "It.", "content": media, **more}}


@case
def refs_that_double(n):
    levels = {
        f"L{level}": {"allOf": [schema(f"L{level + 1}")] * 2} for level in range(n // 50)
    }
    return openapi(schemas={"Thing": schema("L0"), **levels, f"L{n // 50}": {"type": "object"}})


@case
def members_that_double(n):
    levels = {
        f"L{level}": {
            "type": "object",
            "required": ["a", "b"],
            "properties": {"a": schema(f"L{level + 1}"), "b": schema(f"L{level + 1}")},
        }
        for level in range(n // 50)
    }
    return openapi(schemas={"Thing": schema("L0"), **levels, f"L{n // 50}": {"type": "string"}})


@case
def refs_in_a_row(n):
    levels = {
        f"L{level}": {"type": "object", "properties": {"next": schema(f"L{level + 1}")}}
        for level in range(n)
    }
    return openapi(schemas={"Thing": schema("L0"), **levels, f"L{n}": {"type": "string"}})


@case
def operations(n):
    thing = {"type": "object", "properties": {"id": {"type": "integer"}}}
    paths = {f"/things-{i}": {"get": {"responses": response(schema("Thing"))}} for i in range(n)}
    return openapi(paths, schemas={"Thing": thing})


@case
def operations_of_one_name(n):
    paths = {
        f"/things-{i}": {"get": {"operationId": "list", "responses": response({"type": "string"})}}
        for i in range(n)
    }
    return openapi(paths)


@case
def values_of_an_enum(n):
    return openapi(schemas={"Thing": {"enum": [f"value-{i}" for i in range(10 * n)]}})


@case
def members_of_an_object(n):
    members = {f"member-{i}": {"type": "string"} for i in range(n)}
    return openapi(
        schemas={"Thing": {"type": "object", "required": list(members), "properties": members}}
    )


@case
def examples_of_a_response(n):
    examples = {f"example-{i}": {"value": {"id": i}} for i in range(n)}
    media = {"application/json": {"schema": {"type": "object"}, "examples": examples}}
    get = {"responses": {"200": {"description": "It.", "content": media}}}
    return openapi({"/things": {"get": get}})


@case
def types_of_a_response(n):
    content = {
        f"application/vnd.example.v{i}+json": {"schema": {"type": "object"}} for i in range(n)
    }
    get = {"responses": {"200": {"description": "It.", "content": content}}}
    return openapi({"/things": {"get": get}})


@case
def headers_of_a_response(n):
    headers = {f"X-{i}": {"schema": {"type": "integer"}} for i in range(n)}
    return openapi({"/things": {"get": {"responses": response({"type": "string"}, headers=headers)}}})


@case
def parameters_of_an_operation(n):
    parameters = [
        {"name": f"p{i}", "in": "query", "required": True, "schema": {"type": "integer"}}
        for i in range(n)
    ]
    get = {"parameters": parameters, "responses": response({"type": "string"})}
    return openapi({"/things": {"get": get}})


@case
def parts_of_all_of(n):
    parts = [{"type": "object", "properties": {f"p{i}": {"type": "string"}}} for i in range(n)]
    return openapi(schemas={"Thing": {"allOf": parts}})


@case
def parts_of_one_of(n):
    parts = [
        {"type": "object", "required": ["kind"], "properties": {"kind": {"const": f"k{i}"}}}
        for i in range(n)
    ]
    return openapi(schemas={"Thing": {"oneOf": parts}})


@case
def all_of_in_all_of(n):
    nest = {"type": "object"}
    for i in range(min(n // 10, 180)):
        nest = {"allOf": [nest, {"properties": {f"p{i}": {"type": "string"}}}]}
    return openapi(schemas={"Thing": nest})


@case
def servers_and_schemes(n):
    kind, document = openapi(
        securitySchemes={
            f"s{i}": {"type": "apiKey", "in": "header", "name": f"X-Key-{i}"} for i in range(n)
        }
    )
    document["servers"] += [{"url": f"https://{i}.example.com"} for i in range(n)]
    return kind, document


@case
def aliases_in_yaml(n):
    lines = ["openapi: 3.1.0", "info: {title: Generated, version: '1'}", "x-shared: &it"]
    lines += ["  '200':", "    description: It.", "    content:", "      application/json:"]
    lines += ["        schema: {type: string}", "paths:"]
    lines += [f"  /things-{i}:\n    get:\n      responses: *it" for i in range(n)]
    return "openapi", "\n".join(lines) + "\n"


# WireMock


def stubs(mappings):
    return "wiremock", {"mappings": mappings}


def stub(request, **response):
    return {"request": request, "response": {"status": 200, **response}}


@case
def stubs_of_one_path(n):
    return stubs(
        [
            stub(
                {
                    "method": "GET",
                    "urlPath": "/things",
                    "queryParameters": {"id": {"equalTo": str(i)}},
                },
                body=f"{i}",
            )
            for i in range(n)
        ]
    )


@case
def stubs_of_one_name(n):
    return stubs(
        [
            {
                "name": "thing",
                **stub(
                    {
                        "method": "POST",
                        "urlPath": "/things",
                        "bodyPatterns": [{"equalToJson": {"id": i}}],
                    }
                ),
            }
            for i in range(n)
        ]
    )


@case
def stubs_for_any_method(n):
    return stubs([stub({"method": "ANY", "urlPathPattern": f"/x/.*/{i}"}) for i in range(n)])


@case
def stubs_with_tails(n):
    return stubs([stub({"method": "GET", "urlPathPattern": f"/x{i}/.*"}) for i in range(n)])


@case
def stubs_of_one_stem(n):
    return stubs(
        [stub({"method": "GET", "urlPath": f"/a{'-' * (1 + i % 200)}b{'.' * (i // 200)}"})
         for i in range(n)]
    )


@case
def headers_of_a_stub(n):
    return stubs(
        [
            {
                "request": {
                    "method": "GET",
                    "urlPath": "/things",
                    "headers": {f"X-{i}": {"equalTo": "1"} for i in range(n)},
                    "queryParameters": {f"q{i}": {"equalTo": "1"} for i in range(n)},
                },
                "response": {"status": 200, "headers": {f"Y-{i}": "1" for i in range(n)}},
            }
        ]
    )


@case
def patterns_of_a_body(n):
    return stubs(
        [
            stub(
                {
                    "method": "POST",
                    "urlPath": "/things",
                    "bodyPatterns": [{"contains": f"text-{i}"} for i in range(n)],
                }
            )
        ]
    )


@case
def expressions_of_a_stub(n):
    text = "".join(f"{{{{request.query.q{i}}}}} " for i in range(n))
    return stubs(
        [stub({"urlPath": "/things"}, body=text, transformers=["response-template"])]
    )


# HAR


def har(entries):
    return "har", {"log": {"version": "1.2", "entries": entries}}


def entry(url, method="GET", text='{"id":1}', headers=(), sent=(), body=None):
    request = {"method": method, "url": url, "headers": list(sent), "httpVersion": "HTTP/1.1"}
    if body is not None:
        request["postData"] = {"mimeType": "application/json", "text": body}
    return {
        "startedDateTime": "2026-01-01T00:00:00Z",
        "time": 1,
        "request": request,
        "response": {
            "status": 200,
            "headers": [{"name": "Content-Type", "value": "application/json"}, *headers],
            "content": {"mimeType": "application/json", "text": text},
        },
    }


@case
def entries_of_one_path(n):
    return har([entry(f"https://api.example.com/things?id={i}", text=f'{{"id":{i}}}')
                for i in range(n)])


@case
def entries_of_one_request(n):
    return har([entry("https://api.example.com/things", text=f'{{"id":{i}}}') for i in range(n)])


@case
def entries_of_many_paths(n):
    return har([entry(f"https://api.example.com/things-{i}x") for i in range(n)])


@case
def entries_of_many_hosts(n):
    return har([entry(f"https://api{i}.example.com/things") for i in range(n)])


@case
def entries_of_hosts_of_one_name(n):
    return har([entry(f"https://api.example.com:{1000 + i}/things") for i in range(n)])


@case
def entries_with_bodies(n):
    return har(
        [
            entry("https://api.example.com/things", "POST", f'{{"id":{i}}}', body=f'{{"n":{i}}}')
            for i in range(n)
        ]
    )


@case
def headers_of_an_entry(n):
    headers = [{"name": f"X-{i}", "value": "1"} for i in range(n)]
    return har([entry("https://api.example.com/things", headers=headers, sent=headers)])


@case
def parameters_of_an_entry(n):
    query = "&".join(f"q{i}=1" for i in range(n))
    return har([entry(f"https://api.example.com/things?{query}")])


@case
def members_of_an_response(n):
    text = json.dumps({f"k{i}": {"id": i} for i in range(10 * n)})
    return har([entry("https://api.example.com/things", text=text)])


@case
def elements_of_an_response(n):
    text = json.dumps([{"id": i, "name": f"n{i}"} for i in range(10 * n)])
    return har([entry("https://api.example.com/things", text=text)])


if sys.argv[1:] == ["list"]:
    print("\n".join(CASES))
else:
    name, count, folder = sys.argv[1:]
    kind, document = CASES[name](int(count))
    path = pathlib.Path(folder) / f"{name}-{count}.{'yaml' if isinstance(document, str) else 'json'}"
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    print(kind, path)
