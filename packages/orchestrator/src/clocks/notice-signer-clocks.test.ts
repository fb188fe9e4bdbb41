import { isClockOff } from "@conclave/platform/coordination";
import { expect, test } from "vitest";
import { LOOKED_EVERY_MS, noticeSignerClocks } from "./notice-signer-clocks.ts";

/** The largest difference between clocks that agree. */
const AGREEING_MS = 30_000;

test("a signer's clock that is off is said once, and once that it agrees again; while it is away nothing is", async () => {
  const lines: unknown[] = [];
  const log = (...line: readonly unknown[]): void => void lines.push(line);
  let aheadMs: number | undefined = AGREEING_MS;
  const seen = { address: "", live: true, status: undefined, stage: undefined };
  const round = noticeSignerClocks(
    {
      view: () => [
        { ...seen, index: 1, id: "signer-1", clockAheadMs: aheadMs, isClockOff: isClockOff(aheadMs ?? 0) },
        { ...seen, index: 2, id: "signer-2", clockAheadMs: 0, isClockOff: false },
      ],
    },
    { warn: log, info: log },
  );
  const loggedAt = async (ms: number | undefined): Promise<readonly unknown[]> => {
    aheadMs = ms;
    expect(await round()).toBe(LOOKED_EVERY_MS);
    return lines.splice(0);
  };
  const said = (event: string, ms: number) => [
    [{ event, signer: "signer-1", aheadMs: ms }, expect.any(String)],
  ];
  const off = (ms: number) => said("signer-clock-off", ms);
  expect(await loggedAt(AGREEING_MS)).toEqual([]);
  expect(await loggedAt(AGREEING_MS + 1)).toEqual(off(AGREEING_MS + 1));
  expect(await loggedAt(AGREEING_MS + 2)).toEqual([]);
  expect(await loggedAt(undefined)).toEqual([]);
  expect(await loggedAt(-AGREEING_MS)).toEqual(said("signer-clock-agrees", -AGREEING_MS));
  expect(await loggedAt(-AGREEING_MS - 1)).toEqual(off(-AGREEING_MS - 1));
});
