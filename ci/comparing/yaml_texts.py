"""YAML as people write it, of which both readers must make the same trees."""

TEXTS = [
    # A description of an API, as many are.
    """openapi: 3.0.3
info:
  title:   Pets   # the name
  version: "1.0"
  description: A plain text that goes on
    for two lines, with http://example.org:80/ in it

    and after a blank line.
servers:
- url: https://{host}/v1   
  variables: {host: {default: example.org, enum: [a, b]}}
- url: 'https://it''s.example'
paths:
  # a comment
  /pets/{id}:

    get: &get
      tags: [ pets,
        "two"
      ]
      responses:
        '200': {description: ok}
        404:
          description: |-
            not found
              indented

            end
        default:
          description: >
            folded
            text

              kept
            end
  ? /explicit
  : get: *get
""",
    "a: 1\r\nb:\r\n- x\r\n- |\r\n  y\r\n  z\r\n",
    "- - - a\n    - b\n  - - c\n- d\n",
    "a:\n - b\n - c:\n    d\n   e:\n   - f\n",
    "a:    # comment\n  # more\n  b   # after\n# end",
    "'a' : b\n\"c\" :\n  d\n",
    "{a: b, c: [d, {e: f}], g: , h, 'i':j}\n",
    "[a: b, {c: d}, [e]]\n",
    "a: 'one\n\n  two\n   three '\n",
    'a: "one\\\n  two \\\n   three\\n\n  four"\n',
    "a: |2\n    x\n   y\n",
    "a: |+\n  x\n\n\nb: >-\n  x\n\n  y\n\nc: >+\n\n  x\n\n",
    "--- a\n--- |\n b\n--- >\n c\n---\n- d\n...\n---\n",
    "%YAML 1.1\n%TAG ! tag:example.org,2000:\n---\na\n",
    "a: &x {b: 1}\nc: *x\nd: [*x, *x]\n&k e: *k\n",
    "!!map {a: !!str 1, b: !!int '2', c: !!seq [3]}\n",
    "a: x:y\nb: -x\nc: ?x\nd: :x\ne: x#y\nf: x !y &z *w\n",
    "ключ: значение\n\"\\u00e9\": \"\\U0001F3AD\"\n",
    "a: b\n c\n\n\n d\ne: f\n",
    "a: 0o17\nb: 0x1F\nc: 017\nd: +1\ne: 1_000\nf: .5\ng: 1.\nh: 1e3\ni: yes\nj: 2001-01-01\nk: NULL\n",
    "# nothing but a comment\n", "", "\n\n", "---\n",
    "a: b: c\n", "a: [b\n", "a:\n\t- b\n", "a: @b\n", "a: 'b\n", "- a\nb\n", "a: *b\n", "a\nb: c\n", "{a: b\n",
    "a: \"\\q\"\n", "? a\n: b\n? c\n: - d\n", "a:\n  b\n c: d\n", "a: &x b\n*x : c\n", "[a, b]]\n", "a: %b\n",
]
