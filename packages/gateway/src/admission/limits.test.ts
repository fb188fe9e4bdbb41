import { FairTurns, type NoTurn, processWorld, type Turn } from "@conclave/platform";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ADMISSION_LIMITS } from "./limits.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Shared = Exclude<keyof typeof ADMISSION_LIMITS, "underWay" | "arrivalMs">;

/** More requests than there are turns and places to wait. */
const MANY = 5_000;

/** Requests this many turns for an organisation, and ends none. @returns the reason for the last refusal */
const fill = async (turns: FairTurns, organisation: string): Promise<NoTurn> => {
  let why: NoTurn | undefined;
  const note = (turn: Turn): void => {
    if ("refused" in turn) why = turn.refused;
  };
  for (let asked = 0; asked < MANY; asked++) void turns.take(organisation).then(note);
  await vi.advanceTimersByTimeAsync(0);
  return why ?? expect.fail(`${organisation} is never refused`);
};

/** Whether an organisation's next request has a turn, waits for one, or is refused. */
const fateOf = async (turns: FairTurns, organisation: string): Promise<"begun" | "waits" | NoTurn> => {
  let fate: "begun" | "waits" | NoTurn = "waits";
  void turns.take(organisation).then((turn) => {
    fate = "refused" in turn ? turn.refused : "begun";
  });
  await vi.advanceTimersByTimeAsync(0);
  return fate;
};

describe("INV-9 K8 of what a gateway takes at a time", () => {
  it.each<Shared>([
    "work",
    "strangers",
    "signingIn",
    "largeOfStrangers",
    "contracts",
    "signing",
    "connections",
    "statements",
  ])("an organisation whose requests do not end leaves turns to two others: %s", async (kind) => {
    const turns = new FairTurns(processWorld, ADMISSION_LIMITS[kind]);
    expect(await fill(turns, "greedy")).toBe("too many of its own");
    expect([await fateOf(turns, "second"), await fateOf(turns, "third")]).toEqual(["begun", "begun"]);
  });

  it.each<Shared>(["work", "signingIn", "largeOfStrangers", "contracts", "reading", "connections", "keys"])(
    "three whose lines are full leave room in line to a fourth: %s",
    async (kind) => {
      const turns = new FairTurns(processWorld, ADMISSION_LIMITS[kind]);
      for (const greedy of ["first", "second", "third"]) await fill(turns, greedy);
      expect(["begun", "waits"]).toContain(await fateOf(turns, "fourth"));
    },
  );
});
