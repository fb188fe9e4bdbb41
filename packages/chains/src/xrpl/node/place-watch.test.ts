import { describe, expect, it } from "vitest";
import { PlaceWatch } from "./place-watch.ts";

/** Whether the place is abandoned, at each of these ledgers. */
const at = (
  watch: PlaceWatch,
  next: bigint,
  lowest: bigint,
  ledgers: readonly number[],
): readonly boolean[] => ledgers.map((ledger) => watch.isAbandoned("account", next, lowest, ledger));

describe("an empty place below those that our records know", () => {
  it("is abandoned when it stays empty for four ledgers", () => {
    expect(at(new PlaceWatch(), 5n, 7n, [100, 101, 103, 104, 105])).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it("is waited for anew when it is another one, or another account's", () => {
    const watch = new PlaceWatch();
    expect(at(watch, 5n, 7n, [100, 103])).toEqual([false, false]);
    expect(at(watch, 6n, 7n, [104, 107, 108])).toEqual([false, false, true]);
    expect(watch.isAbandoned("another", 6n, 7n, 108)).toBe(false);
  });

  it("is waited for one ledger where the place before it was abandoned, and our records have not moved", () => {
    const watch = new PlaceWatch();
    expect(at(watch, 5n, 500n, [100, 104])).toEqual([false, true]);
    expect(at(watch, 6n, 500n, [104, 105])).toEqual([false, true]);
    expect(at(watch, 7n, 500n, [105, 106])).toEqual([false, true]);
    expect(at(watch, 8n, 501n, [106, 107, 110])).toEqual([false, false, true]);
  });

  it("is remembered of ten thousand accounts, the oldest forgotten first", () => {
    const watch = new PlaceWatch();
    for (let number = 0; number <= 10_000; number += 1) watch.isAbandoned(`${number}`, 5n, 7n, 100);
    expect([watch.isAbandoned("1", 5n, 7n, 104), watch.isAbandoned("0", 5n, 7n, 104)]).toEqual([true, false]);
  });
});
