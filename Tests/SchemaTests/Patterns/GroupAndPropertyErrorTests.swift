import Testing
import UnderstudySchema

@Suite struct GroupAndPropertyErrorTests {
  @Test(
    "explains groups that do not exist in ECMAScript",
    arguments: [
      Complaint(
        "(?P<name>x)", at: 0,
        #"found group "(?P", expected "(?:" or "(?<name>""#,
        fix: #"leave out the P: ECMAScript writes (?<name>…) and \k<name>"#),
      Complaint(
        "(?#c)a", at: 0,
        #"found group "(?#", expected "(?:" or "(?<name>""#,
        fix: "leave the comment out"),
      Complaint(
        "a(?i)b", at: 1,
        #"found group "(?i", expected "(?:" or "(?<name>""#,
        fix: "leave the flags out; for either case write both, as in [Aa]"),
      Complaint(
        "(?>a)", at: 0,
        #"found group "(?>", expected "(?:" or "(?<name>""#),
      Complaint(
        "(?", at: 0,
        #"found group "(?", expected "(?:" or "(?<name>""#),
      Complaint(
        "(?<1>a)", at: 3,
        #"no group name, expected an identifier and ">""#),
      Complaint(
        "(?<>a)", at: 3,
        #"no group name, expected an identifier and ">""#),
      Complaint(
        "(?<a", at: 3,
        #"no group name, expected an identifier and ">""#),
      Complaint(
        #"(?<a\x41>a)"#, at: 3,
        #"no group name, expected an identifier and ">""#),
      Complaint(
        "(?<n>a)(?<n>b)", at: 10,
        #"a second group is named "n""#),
      Complaint(
        "((?<n>a)|b)(?<n>c)", at: 14,
        #"a second group is named "n""#),
      Complaint(
        #"(a)\2"#, at: 3,
        #"backreference "\2" is in a pattern with 1 group"#),
      Complaint(
        #"\99999999999999999999"#, at: 0,
        #"backreference "\99999999999999999999" is in a pattern with 0 groups"#),
      Complaint(
        #"(?<year>a)\k<yaer>"#, at: 10,
        #"backreference "\k<yaer>" is of a group that does not exist"#,
        fix: "name a group like this: (?<yaer>…)"),
      Complaint(
        #"\k"#, at: 0,
        #"found escape "\k", expected a group's name, as in \k<name>"#),
    ])
  func groups(complaint: Complaint) {
    complaint.check()
  }

  @Test(
    "offers the property that was probably meant",
    arguments: [
      Complaint(
        #"\p"#, at: 0,
        #"found escape "\p", expected a property in braces, as in \p{Letter}"#),
      Complaint(
        #"\pL"#, at: 0,
        #"found escape "\p", expected a property in braces, as in \p{Letter}"#),
      Complaint(
        #"\p{L"#, at: 0,
        #"found escape "\p{", expected a property in braces, as in \p{Letter}"#),
      Complaint(
        #"a\p{Leter}"#, at: 1,
        #"unknown property "Leter""#,
        fix: #"did you mean "Letter"?"#),
      Complaint(
        #"\P{letter}"#, at: 0,
        #"unknown property "letter""#,
        fix: #"did you mean "Letter"?"#),
      Complaint(
        #"\p{Greek}"#, at: 0,
        #"unknown property "Greek""#,
        fix: #"write \p{Script=Greek}"#),
      Complaint(
        #"\p{}"#, at: 0,
        #"found escape "\p{}", expected a property in braces, as in \p{Letter}"#),
      Complaint(
        #"[\p{gc=Lx}]"#, at: 1,
        #"unknown general category "Lx""#,
        fix: #"did you mean "L"?"#),
      Complaint(
        #"\p{Foo=Bar}"#, at: 0,
        #"unknown property "Foo", expected General_Category, Script or "#
          + #"Script_Extensions before "=""#),
    ])
  func properties(complaint: Complaint) {
    complaint.check()
  }
}
