"""PyYAML's C loader with the core schema of YAML 1.2: exact numbers, and keys as their text."""

import json
import re
from decimal import Decimal

import yaml


class CoreLoader(yaml.CSafeLoader):
    """Aliases give equal trees, as in JSON."""


CoreLoader.yaml_implicit_resolvers = {}
for tag, pattern in {
    "null": r"null|Null|NULL|~|",
    "bool": r"true|True|TRUE|false|False|FALSE",
    "int": r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+",
    "float": r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
}.items():
    CoreLoader.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(f"^(?:{pattern})$"), None)


def integer(loader, node):
    text = node.value
    return int(text[2:], {"o": 8, "x": 16}[text[1]]) if text[1:2] in ("o", "x") else int(text)


def mapping(loader, node):
    if not isinstance(node, yaml.MappingNode):
        raise yaml.constructor.ConstructorError(None, None, "not a mapping", node.start_mark)
    members = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise yaml.constructor.ConstructorError(None, None, "a key that is not text", key.start_mark)
        if key.value in members:
            raise yaml.constructor.ConstructorError(None, None, "a key twice", key.start_mark)
        members[key.value] = loader.construct_object(value, deep=True)
    return members


CoreLoader.add_constructor("tag:yaml.org,2002:int", integer)
CoreLoader.add_constructor(
    "tag:yaml.org,2002:float", lambda loader, node: Decimal(node.value.replace(".inf", "inf")))
CoreLoader.add_constructor("tag:yaml.org,2002:bool", lambda loader, node: node.value.lower() == "true")
CoreLoader.add_constructor("tag:yaml.org,2002:map", mapping)


def core_trees(text):
    """The documents of a text; `None` if PyYAML refuses it."""
    try:
        return list(yaml.load_all(text, CoreLoader))
    except (yaml.YAMLError, ValueError, ArithmeticError, RecursionError):
        return None


def json_trees(line):
    """The documents that ours has printed; `None` if it has printed a complaint."""
    return json.loads(line, parse_float=Decimal) if line.startswith("[") else None


def same(left, right):
    """Equal, but for True and 1."""
    if isinstance(left, dict) and isinstance(right, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right and isinstance(left, bool) == isinstance(right, bool)
