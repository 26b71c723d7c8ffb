"""Prints a page of the manual's reference, made of the description that programs read.

    reference.py schema FILE TITLE INTRODUCTION [EXAMPLE]   of the keys of a JSON Schema
    reference.py admin FILE                                 of an OpenAPI document
"""
import json
import re
import sys

WIDTH = 110


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def code(value):
    text = json.dumps(value, ensure_ascii=False)
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def joined(labels):
    labels = list(dict.fromkeys(labels))
    if len(labels) < 2:
        return "".join(labels)
    return ", ".join(labels[:-1]) + " or " + labels[-1]


class Schema:
    """A schema and its definitions. Those with keys become sections, the others words in a table."""

    def __init__(self, root, definitions="$defs"):
        self.root = root
        self.prefix = f"#/{definitions.replace('.', '/')}/"
        self.definitions = root
        for part in definitions.split("."):
            self.definitions = self.definitions.get(part, {})
        self.wanted = []

    def target(self, schema):
        """The name of the definition that a schema refers to, and what it says."""
        reference = schema.get("$ref", "")
        if not reference.startswith(self.prefix):
            return None, {}
        name = reference.removeprefix(self.prefix)
        return name, self.definitions[name]

    def objects(self, schema):
        """Each object that a schema describes with keys."""
        if not isinstance(schema, dict):
            return
        if "properties" in schema or "patternProperties" in schema:
            yield schema
        for key in ("oneOf", "anyOf"):
            for part in schema.get(key, []):
                if "$ref" not in part:
                    yield from self.objects(part)

    def want(self, name):
        if name not in self.wanted:
            self.wanted.append(name)

    def label(self, schema):
        """The values that a schema allows, in words."""
        if not isinstance(schema, dict):
            return ""
        name, definition = self.target(schema)
        if name and "properties" not in schema:
            if any(self.objects(definition)) or definition.get("description") and "examples" in definition:
                self.want(name)
                return f"[{name}](#{name.lower()})"
            return self.label(definition)
        if "const" in schema:
            return code(schema["const"])
        if "enum" in schema:
            return joined(code(value) for value in schema["enum"])
        for key in ("oneOf", "anyOf"):
            labels = [self.label(part) for part in schema.get(key, [])]
            if any(labels):
                return joined(label for label in labels if label)
        if "if" in schema:
            return f"{self.label(schema['else'])}, or an array of them"
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        return joined(self.kind(kind, schema) for kind in kinds) or "any JSON"

    def kind(self, kind, schema):
        if kind == "array":
            return f"array of {self.label(schema.get('items', {}))}"
        if kind == "object":
            values = schema.get("additionalProperties")
            if isinstance(values, dict) and "properties" not in schema:
                return f"object of {self.label(values)}"
        if kind in ("integer", "number"):
            low, high = schema.get("minimum", schema.get("exclusiveMinimum")), schema.get("maximum")
            if low is not None and high is not None:
                return f"{kind}, {low} to {high}"
            if low is not None:
                return f"{kind} {'above' if 'exclusiveMinimum' in schema else 'from'} {low}"
        return kind

    def meaning(self, schema):
        _, definition = self.target(schema)
        sentences = [schema.get("description", definition.get("description", ""))]
        if schema.get("examples"):
            sentences.append(f"Such as {joined(code(value) for value in schema['examples'])}.")
        if "default" in schema:
            sentences.append(f"Default: {code(schema['default'])}.")
        return " ".join(sentence for sentence in sentences if sentence)

    def rows(self, schema, prefix=""):
        """The keys of an object, and those of the objects within."""
        required = schema.get("required", [])
        keys = dict(schema.get("properties", {}))
        for pattern, value in schema.get("patternProperties", {}).items():
            keys[PATTERNS[pattern]] = value
        for key, value in keys.items():
            if value is False:
                continue
            label = self.label(value)
            if not prefix and key in required:
                label += ", required"
            yield f"| `{prefix}{cell(key)}` | {cell(label)} | {cell(self.meaning(value))} |"
            if "$ref" not in value:
                for inner in self.objects(value):
                    yield from self.rows(inner, f"{prefix}{key}.")
                for inner in self.objects(value.get("items", {})):
                    yield from self.rows(inner, f"{prefix}{key}[].")

    def table(self, schema):
        for described in self.objects(schema):
            yield from ["", "| key | value | meaning |", "|---|---|---|"]
            yield from self.rows(described)

    def sections(self):
        """What the tables above refer to, in the order in which it is met."""
        for name in self.wanted:
            schema = self.definitions[name]
            yield from ["", f"## {name}", ""]
            text = self.meaning(schema)
            yield from paragraphs(text or "Its keys:")
            if not any(self.objects(schema)) or "oneOf" in schema:
                yield ""
                yield from paragraphs(f"Value: {self.label(schema)}.")
            yield from self.table(schema)


# What a key looks like that a schema allows by a pattern.
PATTERNS = {
    "^path\\.[A-Za-z0-9_-]+$": "path.NAME",
    "^query\\.([^*].*|\\*.+)$": "query.NAME",
    "^query\\.\\*$": "query.*",
    "^header\\.[!#$%&'*+.^_`|~0-9A-Za-z-]+$": "header.NAME",
    "^x-": "x-…",
    "^[A-Za-z0-9._-]+$": "NAME",
}


def paragraphs(text):
    line = ""
    for word in re.findall(r"(?:`[^`]*`|\S)+", text):
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    yield line


def schema_page(path, title, introduction, example=None):
    with open(path, encoding="utf-8") as file:
        root = json.load(file)
    schema = Schema(root)
    yield f"# {title}"
    yield ""
    yield from paragraphs(introduction)
    if example:
        with open(example, encoding="utf-8") as file:
            yield from ["", "```json", file.read().rstrip("\n"), "```"]
    described = root["items"] if "items" in root else root
    if not example:
        whole = json.dumps(described["examples"], indent=2, ensure_ascii=False)
        yield from ["", "```json", whole, "```"]
    yield from schema.table(described)
    yield from schema.sections()


def admin_page(path):
    with open(path, encoding="utf-8") as file:
        root = json.load(file)
    schema = Schema(root, "components.schemas")

    def resolved(value):
        while "$ref" in value and not value["$ref"].startswith(schema.prefix):
            target = root
            for part in value["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            value = target
        return value

    def content(value):
        body = next(iter(resolved(value).get("content", {}).items()), None)
        if not body:
            return ""
        kind, media = body
        label = schema.label(media.get("schema", {}))
        return label if kind == "application/json" else f"`{kind}`"

    yield "# The admin API"
    yield ""
    yield from paragraphs(
        f"{root['info']['description']} Paths are below `/__understudy`; `/__understudy/openapi.json` is the"
        " description from which this page is made, for generators of clients.")
    yield ""
    yield "```"
    yield "curl http://127.0.0.1:8080/__understudy/health"
    yield "```"
    for path, item in root["paths"].items():
        shared = item.get("parameters", [])
        for method, operation in item.items():
            if method == "parameters":
                continue
            yield from ["", f"## {method.upper()} {path}", ""]
            yield from paragraphs(f"{operation['summary']}. {operation.get('description', '')}".strip())
            parameters = [resolved(value) for value in shared + operation.get("parameters", [])]
            if parameters:
                yield from ["", "| parameter | in | value | meaning |", "|---|---|---|---|"]
                for value in parameters:
                    yield (
                        f"| `{value['name']}` | {value['in']} | {cell(schema.label(value['schema']))}"
                        f" | {cell(schema.meaning(value))} |")
            if "requestBody" in operation:
                body = resolved(operation["requestBody"])
                yield from ["", f"Body: {content(body)}."]
                media = next(iter(body["content"].values()))
                if "$ref" not in media.get("schema", {}):
                    yield from schema.table(media.get("schema", {}))
            yield ""
            for status, response in operation["responses"].items():
                if status in ("4XX", "5XX"):
                    continue
                response = resolved(response)
                kind = content(response)
                yield from paragraphs(
                    f"{status}: {response['description']}" + (f" Body: {kind}." if kind else ""))
                for media in response.get("content", {}).values():
                    if "$ref" not in media.get("schema", {}):
                        yield from schema.table(media.get("schema", {}))
    yield from ["", "## Errors", ""]
    yield from paragraphs(
        "Every error is an `application/problem+json` of RFC 9457, with a fix where there is one:")
    yield from schema.table(schema.definitions["Problem"])
    yield from schema.sections()


def main():
    kind, *arguments = sys.argv[1:]
    page = {"schema": schema_page, "admin": admin_page}[kind]
    print("\n".join(page(*arguments)))


main()
