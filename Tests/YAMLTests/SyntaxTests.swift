import Testing
import UnderstudyJSON
import UnderstudyYAML

/// Small inputs for each syntax, with the JSON they are read as.
@Suite struct SyntaxTests {
  struct Example: CustomTestStringConvertible {
    let yaml: String
    let json: String
    var testDescription: String { yaml.debugDescription }

    init(_ yaml: String, _ json: String) {
      self.yaml = yaml
      self.json = json
    }
  }

  @Test("reads block collections", arguments: blocks)
  func block(_ example: Example) { #expect(translated(example.yaml) == example.json) }

  @Test("reads flow collections", arguments: flows)
  func flow(_ example: Example) { #expect(translated(example.yaml) == example.json) }

  @Test("reads scalars of each style", arguments: scalars)
  func scalar(_ example: Example) { #expect(translated(example.yaml) == example.json) }

  @Test("reads anchors, aliases and tags", arguments: properties)
  func property(_ example: Example) { #expect(translated(example.yaml) == example.json) }

  @Test("reads every example the same with Windows' line ends", arguments: blocks + scalars)
  func windows(_ example: Example) {
    #expect(translated(example.yaml.replacing("\n", with: "\r\n")) == example.json)
  }

  @Test("reads every example the same with carriage returns alone", arguments: blocks + scalars)
  func carriageReturns(_ example: Example) {
    #expect(translated(example.yaml.replacing("\n", with: "\r")) == example.json)
  }

  static let blocks: [Example] = [
    Example("a: 1\nb: two\n", #"{"a":1,"b":"two"}"#),
    Example("a: 1", #"{"a":1}"#),
    Example("- a\n- 2\n-\n- - b\n  - c\n", #"["a",2,null,["b","c"]]"#),
    Example("list:\n- a\n- b\nnext: c", #"{"list":["a","b"],"next":"c"}"#),
    Example("list:\n  - a\n  - b\nnext: c", #"{"list":["a","b"],"next":"c"}"#),
    Example(
      "- name: a\n  age: 1\n-   name: b\n    age: 2",
      #"[{"name":"a","age":1},{"name":"b","age":2}]"#),
    Example("a:\n    b:\n      c: d\ne:", #"{"a":{"b":{"c":"d"}},"e":null}"#),
    Example("# first\na: 1 # one\n  # deeper\n\n\nb: 2\n# last", #"{"a":1,"b":2}"#),
    Example("a:    b   # comment", #"{"a":"b"}"#),
    Example("a: b#c\nd: 'x' # y", #"{"a":"b#c","d":"x"}"#),
    Example("url: http://x.org:80/?a=b", #"{"url":"http://x.org:80/?a=b"}"#),
    Example("'200': ok\n\"201\" : made\n204: gone", #"{"200":"ok","201":"made","204":"gone"}"#),
    Example("null: a\n1.0: b\n~: c\ntrue: d", #"{"null":"a","1.0":"b","~":"c","true":"d"}"#),
    Example("? a\n: b\n? c\n? |\n  d\n: - e", #"{"a":"b","c":null,"d\n":["e"]}"#),
    Example("a b c: d e f", #"{"a b c":"d e f"}"#),
    Example("größe: ü\nключ: 日本", #"{"größe":"ü","ключ":"日本"}"#),
    Example("---\na: b\n...\n", #"{"a":"b"}"#),
    Example("%YAML 1.2\n%FUTURE x\n---\na", #""a""#),
    Example("--- text\n", #""text""#),
    Example("--- |\n text\n", #""text\n""#),
    Example("a: \n\n\n  b: c\n\n\n", #"{"a":{"b":"c"}}"#),
    Example("a:\t1\nb: \t'x'\t# y", #"{"a":1,"b":"x"}"#),
    Example("a: \"\"\nb: ''", #"{"a":"","b":""}"#),
    Example("-1", "-1"), Example("- -1\n- -a\n- ?b\n- :c", #"[-1,"-a","?b",":c"]"#),
  ]

  static let flows: [Example] = [
    Example("[a, 1, [b], {c: d}, ]", #"["a",1,["b"],{"c":"d"}]"#),
    Example("{}", "{}"), Example("[]", "[]"), Example("a: {}\nb: []", #"{"a":{},"b":[]}"#),
    Example("{a, b: , \"c\":1, 'd' : 2, e: }", #"{"a":null,"b":null,"c":1,"d":2,"e":null}"#),
    Example("[a: 1, \"b\":2, ? c : 3, ? d]", #"[{"a":1},{"b":2},{"c":3},{"d":null}]"#),
    Example("{? a : b, ? c}", #"{"a":"b","c":null}"#),
    Example("{a\n : b, \"c\"\n : d}", #"{"a":"b","c":"d"}"#),
    Example("a: [\n  b, # one\n  c\n]", #"{"a":["b","c"]}"#),
    Example("- [\n]\n- {\n}", "[[],{}]"),
    Example("[a b\n c, http://x, a:b, -1, -a]", #"["a b c","http://x","a:b",-1,"-a"]"#),
    Example("[\n\ta,\n\tb\n]", #"["a","b"]"#),
    Example("{\"a\":[1,2,{\"b\":null}]}", #"{"a":[1,2,{"b":null}]}"#),
    Example("{a: http://x, b: c#d}", #"{"a":"http://x","b":"c#d"}"#),
    Example("[::x, :y, a?, b-]", #"["::x",":y","a?","b-"]"#),
  ]

  static let scalars: [Example] = [
    Example("a: one\n  two\n\n  three\n\n\n  four", #"{"a":"one two\nthree\n\nfour"}"#),
    Example("one\ntwo", #""one two""#),
    Example("a: 'it''s \"x\" \\n'", #"{"a":"it's \"x\" \\n"}"#),
    Example("a: 'one \n  two\n\n  three'", #"{"a":"one two\nthree"}"#),
    Example("a: \"one \\\n  \\ two\\n\n  three\"", #"{"a":"one  two\n three"}"#),
    Example(
      #""\0\a\b\t\n\v\f\r\e\ \"\/\\\N\_\L\P\x41\u00e9\U0001f600""#,
      "\"\\u0000\\u0007\\b\\t\\n\\u000b\\f\\r\\u001b \\\"/\\\\\u{85}\u{A0}\u{2028}\u{2029}Aé😀\""),
    Example(#""\ud83d\ude00""#, "\"😀\""),
    Example("a: |\n  one\n   two\n\n  three\n\n", #"{"a":"one\n two\n\nthree\n"}"#),
    Example("a: |-\n  one\n\nb: |+\n  two\n\nc: 3", #"{"a":"one","b":"two\n\n","c":3}"#),
    Example(
      "a: >\n  one\n  two\n\n  three\n   four\n  five\n", #"{"a":"one two\nthree\n four\nfive\n"}"#),
    Example("a: >+2\n    one\n  two\n\n", #"{"a":"  one\ntwo\n\n"}"#),
    Example("a: >-\n\n  one\n\n\n  two\n", #"{"a":"\none\n\ntwo"}"#),
    Example("a: |1-  # two\n  one", #"{"a":" one"}"#),
    Example("a: |\n  x\ty \"z\" \\ é", #"{"a":"x\ty \"z\" \\ é\n"}"#),
    Example("- |\n a\n- >\n b\n-  |\n  c", #"["a\n","b\n","c\n"]"#),
    Example("a: |\nb: >-\n\nc: |+\n\n", #"{"a":"","b":"","c":"\n"}"#),
    Example("[null, Null, NULL, ~, nULL]", #"[null,null,null,null,"nULL"]"#),
    Example(
      "[true, True, TRUE, tRUE, yes, no, on, off]",
      #"[true,true,true,"tRUE","yes","no","on","off"]"#),
    Example("[false, False, FALSE, fALSE]", #"[false,false,false,"fALSE"]"#),
    Example("[0, -0, +12, 007, -007, 1_000, 12e, 0b1]", #"[0,-0,12,7,-7,"1_000","12e","0b1"]"#),
    Example(
      "[0o17, 0xFF, 0xff, 0o8, 0xg, -0x1, 0o, 0x]", #"[15,255,255,"0o8","0xg","-0x1","0o","0x"]"#),
    Example("0xFFFFFFFFFFFFFFFFFFFF", "1208925819614629174706175"),
    Example("[.5, 1., +1e3, -.5, 1.e3, 01.50, 1E-3, 00]", "[0.5,1.0,1e3,-0.5,1.0e3,1.50,1E-3,0]"),
    Example(
      "[1.2.3, ., -a, +, .e3, 1e, 2001-12-14, 12:30:45]",
      #"["1.2.3",".","-a","+",".e3","1e","2001-12-14","12:30:45"]"#),
    Example("[<, =, <<, a<<b]", #"["<","=","<<","a<<b"]"#),
    Example("'<<': 1", #"{"<<":1}"#),
  ]

  static let properties: [Example] = [
    Example("a: &x 1\nb: *x", #"{"a":1,"b":1}"#),
    Example("a: &x\n  b: [c]\nd: *x\ne: *x", #"{"a":{"b":["c"]},"d":{"b":["c"]},"e":{"b":["c"]}}"#),
    Example("&x a: *x\n", #"{"a":"a"}"#),
    Example("&x 200: *x\nb: 3", #"{"200":200,"b":3}"#),
    Example("a: &x 0x10\n*x : b", #"{"a":16,"0x10":"b"}"#),
    Example("- &x a\n- &x b\n- *x", #"["a","b","b"]"#),
    Example("- &x\n- *x\n- {*x : 1}", #"[null,null,{"":1}]"#),
    Example("[&x {a: &y [1]}, *x, *y]", #"[{"a":[1]},{"a":[1]},[1]]"#),
    Example(
      "[!!str 1, ! 2, !!int \"3\", !!float 4, !!bool true, !!null ~]", #"["1","2",3,4,true,null]"#),
    Example("!!map\na: !!seq [!!str]", #"{"a":[""]}"#),
    Example("!<tag:yaml.org,2002:str> 1", #""1""#),
    Example("%TAG !e! tag:yaml.org,2002:\n---\n!e!str 1", #""1""#),
  ]
}
