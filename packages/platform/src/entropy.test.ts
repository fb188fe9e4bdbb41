import { expect, test } from "vitest";
import { kernelEntropy, mixed, processEntropy } from "./entropy.ts";

/** A generator after a snapshot was resumed: it repeats its output. */
const repeated = (length: number): Uint8Array => new Uint8Array(length).fill(7);

test("P6 a process whose own generator repeats draws other bytes, because it mixes in the kernel's", () => {
  const draw = mixed(repeated, kernelEntropy);
  expect(draw(32)).toHaveLength(32);
  expect(draw(32)).not.toEqual(draw(32));
});

test("a kernel's generator that repeats leaves the bytes of the process's own random", () => {
  let count = 0;
  const counted = (length: number): Uint8Array => new Uint8Array(length).fill(++count);
  const draw = mixed(counted, repeated);
  expect([draw(2), draw(2)]).toEqual([Uint8Array.of(1 ^ 7, 1 ^ 7), Uint8Array.of(2 ^ 7, 2 ^ 7)]);
});

test.each([0, 1, 16, 384, 100_000])("a process draws %i bytes", (length) => {
  const drawn = processEntropy(length);
  expect(drawn).toHaveLength(length);
  if (length >= 16) expect(drawn).not.toEqual(processEntropy(length));
});
