import Testing

@testable import UnderstudyCore

@Suite struct ClampingTests {
  @Test(
    "the whole part of a number is moved into range",
    arguments: [
      (1e19, Int.max), (-1e19, .min), (.infinity, .max), (-.infinity, .min), (.nan, 0), (-0.0, 0),
      (0x1p63, .max), (-0x1p63, .min), (2.9, 2), (-2.9, -2),
    ])
  func int(number: Double, expected: Int) {
    #expect(Int(clamping: number) == expected)
  }

  @Test("smaller types have their own ends")
  func smaller() {
    #expect(UInt8(clamping: 256.0) == 255)
    #expect(UInt64(clamping: -1.0) == 0)
    #expect(Int32(clamping: 1e300) == .max)
  }
}
