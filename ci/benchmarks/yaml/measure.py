"""`generate FILE` writes YAML as APIs are described in; `events FILE` and `load FILE` print the CPU time
in seconds that PyYAML's C parser takes for its events alone, and for values of Python."""

import random
import sys
import time

import yaml

BYTES_MIN = 4_000_000
WORDS = "the of contract server nightly response header validation upstream drift timeout in a größe".split()


def endpoint(dice, number):
    def text(count):
        return " ".join(dice.choice(WORDS) for _ in range(count))

    return f"""\
  /{dice.choice(WORDS)}/{number}/{{id}}:
    get:
      operationId: get{number}
      summary: {text(6)}
      description: >-
        {text(14)}
        {text(12)}
      parameters:
      - name: id
        in: path
        required: true
        schema: {{type: string, maxLength: {dice.randrange(100)}}}
      - $ref: '#/components/parameters/{dice.choice(WORDS)}'
      # {text(5)}
      responses:
        '200':
          description: "{text(3)}"
          content:
            application/json:
              schema:
                type: object
                properties:
                  id:
                    type: integer
                    minimum: 0
                  name:
                    type: string
                    example: {text(2)}
                  price: {{type: number, default: 1.5}}
"""


def generate(path):
    dice = random.Random(1)
    parts = ["openapi: 3.0.0\ninfo:\n  title: An API\n  version: 1.0.0\npaths:\n"]
    size = number = 0
    while size < BYTES_MIN:
        number += 1
        parts.append(endpoint(dice, number))
        size += len(parts[-1].encode())
    with open(path, "w") as file:
        file.write("".join(parts))


task, path = sys.argv[1:]
if task == "generate":
    generate(path)
    sys.exit()
with open(path, "rb") as file:
    data = file.read()
start = time.process_time()
if task == "events":
    for _ in yaml.parse(data, yaml.CSafeLoader):
        pass
else:
    yaml.load(data, yaml.CSafeLoader)
print(time.process_time() - start)
