// Called by libFuzzer for each new input: one in four gets an extreme number or a key twice, which
// random bytes hardly ever make; libFuzzer changes the others.
import UnderstudyTestSupport

@_silgen_name("LLVMFuzzerMutate")
private func mutateAsUsual(
  _ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ countMax: Int
) -> Int

@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ countMax: Int, _ seed: CUnsignedInt
) -> Int {
  var dice = Dice(seed: UInt64(seed))
  // SAFETY: libFuzzer passes room for `countMax` bytes, of which `count` are set.
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard dice.below(4) == 0, let output = ExtremeNumbers.mutation(of: input, &dice),
    output.count <= countMax
  else { return mutateAsUsual(start, count, countMax) }
  start.update(from: output, count: output.count)
  return output.count
}
