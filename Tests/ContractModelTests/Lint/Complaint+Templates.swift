extension Complaint {
  /// What can be wrong with templates.
  static let templates: [Complaint] = [
    .case(
      "a template of a part nobody knows",
      #""status": 200, "template": ["head"]"#,
      says: #"""
        api/thing.json:5:37: error: found string "head", expected one of "headers", "body" [bad-value]
          fix: did you mean "headers"?
        """#),
    .case(
      "a template that is a string",
      #""status": 200, "template": "body""#,
      says: #"""
        api/thing.json:5:36: error: found string "body", expected an array of strings [wrong-type]
          fix: put it in brackets: ["body"]
        """#),
    .case(
      "an expression that is none",
      #""status": 200, "template": ["body"], "body": "{now.utc}""#,
      says: #"""
        api/thing.json:5:54: error: found ".utc" in "{now.utc}", expected .http, .unix, .unixMilliseconds [bad-template]
          fix: remove ".utc" for a date as in RFC 3339, or write \\{now.utc} for plain text
        """#),
    .case(
      "what looks like an expression",
      #""status": 200, "template": ["body"], "body": { "{now-1h}": "{now+1h}", "{path.}": "{random.6}", "b": "{form.user} {sha} {/x} {body of it} {e.g. a}" }"#,
      says: #"""
        api/thing.json:5:91: error: "{path.}" is not an expression [bad-template]
          fix: use one that "understudy help bad-template" lists, or write \\{path.} for plain text
        api/thing.json:5:91: error: "{random.6}" is not an expression [bad-template]
          fix: use one that "understudy help bad-template" lists, or write \\{random.6} for plain text
        api/thing.json:5:110: error: "{form.user}" is not an expression [bad-template]
          fix: use one that "understudy help bad-template" lists, or write \\{form.user} for plain text
        """#),
    .case(
      "an expression that is none in a malformed body",
      #""like": "ok", "template": ["body"], "malform": { "html": "<p>{Now}</p>" }"#,
      says: #"""
        api/thing.json:5:66: error: "{Now}" is not an expression [bad-template]
          fix: use one that "understudy help bad-template" lists, or write \\{Now} for plain text
        """#),
    .case(
      "text that is no expression, by a backslash",
      #""status": 200, "template": ["body"], "body": "\\{now+1h} \\{uuid}""#,
      says: ""),
    .case(
      "an expression of a parameter that is none",
      #""status": 200, "template": ["headers"], "headers": { "Link": ["{path.ids}", "{path.id}"] }"#,
      says: #"""
        api/thing.json:5:71: error: found "{path.ids}", expected a parameter of the path [bad-template]
          fix: did you mean "id"?
        """#),
    .case(
      "an expression of an upstream that is none",
      #""status": 200, "template": ["body"], "text": "{server.othr.baseURL}""#,
      says: #"""
        api/thing.json:5:54: error: found "{server.othr.baseURL}", expected the name of an upstream [bad-template]
          fix: did you mean "other"?
        """#),
    .case(
      "a time with a format nobody knows",
      #""status": 200, "template": ["body"], "body": "{now.unixMiliseconds}""#,
      says: #"""
        api/thing.json:5:54: error: found ".unixMiliseconds" in "{now.unixMiliseconds}", expected .http, .unix, .unixMilliseconds [bad-template]
          fix: write ".unixMilliseconds", or write \\{now.unixMiliseconds} for plain text
        """#),
    .case(
      "a time moved by a unit nobody knows",
      #""status": 200, "template": ["body"], "body": "{now +1q}""#,
      says: #"""
        api/thing.json:5:54: error: found "+1q" in "{now +1q}", expected a number and a unit: s, m, h, d, w, M or y [bad-template]
          fix: write it like "+1h" or "-3d", or write \\{now +1q} for plain text
        """#),
    .case(
      "a time moved by no number",
      #""status": 200, "template": ["body"], "body": "{now -d}""#,
      says: #"""
        api/thing.json:5:54: error: found "-d" in "{now -d}", expected a number and a unit: s, m, h, d, w, M or y [bad-template]
          fix: write it like "+1h" or "-3d", or write \\{now -d} for plain text
        """#),
    .case(
      "a time moved too far",
      #""status": 200, "template": ["body"], "body": "{now +1000000001s}""#,
      says: #"""
        api/thing.json:5:54: error: found "+1000000001s" in "{now +1000000001s}", expected at most 1000000000 units [bad-template]
          fix: use a smaller number or a longer unit, or write \\{now +1000000001s} for plain text
        """#),
    .case(
      "a time moved further than numbers go",
      #""status": 200, "template": ["body"], "body": "{now -99999999999999999999d}""#,
      says: #"""
        api/thing.json:5:54: error: found "-99999999999999999999d" in "{now -99999999999999999999d}", expected at most 1000000000 units [bad-template]
          fix: use a smaller number or a longer unit, or write \\{now -99999999999999999999d} for plain text
        """#),
    .case(
      "a time truncated to what is no unit",
      #""status": 200, "template": ["body"], "body": "{now /2d}""#,
      says: #"""
        api/thing.json:5:54: error: found "/2d" in "{now /2d}", expected "/" and a unit: m, h, d, w, M or y [bad-template]
          fix: write "/d" for the beginning of the day, or write \\{now /2d} for plain text
        """#),
    .case(
      "a time in no zone",
      #""status": 200, "template": ["body"], "body": "{now in}""#,
      says: #"""
        api/thing.json:5:54: error: found "in" without a time zone in "{now in}", expected one after it [bad-template]
          fix: write "in UTC", "in +02:00" or "in Europe/Berlin", or write \\{now in} for plain text
        """#),
    .case(
      "a time in an offset that is none",
      #""status": 200, "template": ["body"], "body": "{now in +2}""#,
      says: #"""
        api/thing.json:5:54: error: found offset "+2", expected hours and minutes [bad-template]
          fix: write "+02:00", or write \\{now in +2} for plain text
        """#),
    .case(
      "a time in a zone that leaves the database",
      #""status": 200, "template": ["body"], "body": "{now in ../../passwd}""#,
      says: #"""
        api/thing.json:5:54: error: found time zone "../../passwd", expected UTC, an offset or a name of the IANA database [bad-template]
          fix: write "UTC", "+02:00" or "Europe/Berlin", or write \\{now in ../../passwd} for plain text
        """#),
    .case(
      "a date with a letter nobody knows",
      #""status": 200, "template": ["body"], "body": "{now YYYY-MM-dd}""#,
      says: #"""
        api/thing.json:5:54: error: found letter "Y" at character 1 of "YYYY-MM-dd", expected one of y M d E a H h m s S X Z [bad-template]
          fix: write "y", or write \\{now YYYY-MM-dd} for plain text
        """#),
    .case(
      "a date with a word",
      #""status": 200, "template": ["body"], "body": "{now dd of MMMM}""#,
      says: #"""
        api/thing.json:5:54: error: found letter "o" at character 4 of "dd of MMMM", expected one of y M d E a H h m s S X Z [bad-template]
          fix: put text in quotes: 'o', or write \\{now dd of MMMM} for plain text
        """#),
    .case(
      "a date with too many letters",
      #""status": 200, "template": ["body"], "body": "{now MMMMM}""#,
      says: #"""
        api/thing.json:5:54: error: found 5 letters "M" at character 1 of "MMMMM", expected at most 4 [bad-template]
          fix: write fewer, or write \\{now MMMMM} for plain text
        """#),
    .case(
      "a date with an open quote",
      #""status": 200, "template": ["body"], "body": "{now HH'h}""#,
      says: #"""
        api/thing.json:5:54: error: the quote at character 3 of "HH'h" does not end [bad-template]
          fix: close it, or write '' for the character itself, or write \\{now HH'h} for plain text
        """#),
    .case(
      "a date beside another format",
      #""status": 200, "template": ["body"], "body": "{now.unix yyyy}""#,
      says: #"""
        api/thing.json:5:54: error: found pattern "yyyy" beside ".unix" in "{now.unix yyyy}", expected one of the two [bad-template]
          fix: remove ".unix", or write \\{now.unix yyyy} for plain text
        """#),
    .case(
      "a date moved too late",
      #""status": 200, "template": ["body"], "body": "{now yyyy +1d}""#,
      says: #"""
        api/thing.json:5:54: error: found "+1d" too late in "{now yyyy +1d}", expected steps, then a zone, then a pattern [bad-template]
          fix: write it like "{now -3d in UTC yyyy-MM-dd}", or put text in quotes, or write \\{now yyyy +1d} for plain text
        """#),
    .case(
      "a date with its zone too late",
      #""status": 200, "template": ["body"], "body": "{now yyyy in UTC}""#,
      says: #"""
        api/thing.json:5:54: error: found "in" too late in "{now yyyy in UTC}", expected steps, then a zone, then a pattern [bad-template]
          fix: write it like "{now -3d in UTC yyyy-MM-dd}", or put text in quotes, or write \\{now yyyy in UTC} for plain text
        """#),
    .case(
      "times that are right",
      #""status": 200, "template": ["body"], "body": "{now -3d/d yyyy-MM-dd'T'HH:mm} {now.http +1h} {now+1y in +02:00}""#,
      says: ""),
  ]
}
