import Testing
@testable import Patterns
@Suite struct PatternTests { @Test func x() throws { #expect(try Pattern("^(a+)+$").matches("aaa")) } }
