import { describe, expect, test } from "vitest";
import { NOTHING_FORGOTTEN } from "../session/forgotten-mark.ts";
import { alarmsNow, isInDoubt, whyInDoubt } from "./key-in-doubt.ts";

const after = (alarms: number) => ({ forgotten: { ...NOTHING_FORGOTTEN, alarms } });

describe("INV-4 a key of a signer whose store was an older copy", () => {
  test("is in doubt where the share is of before the last alarm", () => {
    const doubted = [0, 1, 2].map((alarms) =>
      [undefined, 1, 2].map((of) => isInDoubt(after(alarms), { alarms: of })),
    );
    expect(doubted).toEqual([
      [false, false, false],
      [true, false, false],
      [true, true, false],
    ]);
  });

  test("is in doubt no more once the signer has another share of it", () => {
    for (const alarms of [0, 1, 2]) expect(isInDoubt(after(alarms), alarmsNow(after(alarms)))).toBe(false);
    expect(alarmsNow(after(0))).toEqual({});
  });

  test("is refused with the command that gives it the next epoch", () => {
    expect(whyInDoubt(after(1), {})).toMatchObject({ code: "KeyNotRefreshed" });
    expect(whyInDoubt(after(1), { alarms: 1 })).toBeUndefined();
  });
});
