import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NO_WORLDS } from "./campaign-sum.ts";
import { leftMsOf, liveText, openLiveLine } from "./live-line.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SUM = { ...NO_WORLDS, worlds: 30, transfers: 480, steps: 9_000, failed: 1 };

describe("the text of a live line", () => {
  it("has the sums, the rate, the failures and the time that is left", () => {
    expect(liveText(SUM, 120_000, 1_500)).toBe(
      "30 worlds, 480 transfers, 9000 steps, 15 worlds a minute, 1 failed, 2 s left",
    );
    expect(liveText(NO_WORLDS, 0, undefined)).toBe(
      "0 worlds, 0 transfers, 0 steps, 0 worlds a minute, 0 failed",
    );
  });

  it("takes the time that is left from the minutes, or from the worlds that are left", () => {
    expect(leftMsOf({ worlds: undefined, minutes: 2 }, 0, 30_000)).toBe(90_000);
    expect(leftMsOf({ worlds: undefined, minutes: 1 }, 9, 61_000)).toBe(0);
    expect(leftMsOf({ worlds: 10, minutes: 1 }, 4, 20_000)).toBe(30_000);
    expect(leftMsOf({ worlds: 10, minutes: 1 }, 0, 20_000)).toBeUndefined();
  });
});

describe("a live line", () => {
  const opened = (isTTY: boolean, columns = 20) => {
    const written: string[] = [];
    let count = 0;
    const line = openLiveLine({ isTTY, columns, write: (text) => written.push(text) }, () => {
      count += 1;
      return `text ${count} of the line that is long`;
    });
    return { written, line };
  };

  it("is written anew each second on a terminal, within its width, and stays below other lines", () => {
    const { written, line } = opened(true);
    vi.advanceTimersByTime(1_000);
    line.say("a world");
    line.end();
    vi.advanceTimersByTime(5_000);
    const clear = "\r\u001b[2K";
    expect(written).toEqual([
      `${clear}text 1 of the line `,
      `${clear}text 2 of the line `,
      `${clear}a world\n`,
      `${clear}text 3 of the line `,
      clear,
    ]);
  });

  it("is not written where the stream is no terminal", () => {
    const { written, line } = opened(false);
    vi.advanceTimersByTime(5_000);
    line.say("a world");
    line.end();
    expect(written).toEqual(["a world\n"]);
  });
});
