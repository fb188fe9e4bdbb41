import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FairTurns, type TurnLimits } from "./fair-turns.ts";
import { processWorld } from "./world.ts";

const LIMITS: TurnLimits = { atOnce: 2, atOnceOfOne: 1, waiting: 4, waitingOfOne: 3, waitMs: 1_000 };

/** Takes turns, and records in order which requests were served. */
const served = (limits: Partial<TurnLimits> = {}) => {
  const turns = new FairTurns(processWorld, { ...LIMITS, ...limits });
  const order: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = async (organisation: string, request: string): Promise<void> => {
    const turn = await turns.take(organisation);
    order.push("refused" in turn ? `${request} ${turn.refused}` : request);
    if (!("refused" in turn)) ends.set(request, turn.end);
  };
  const end = async (request: string): Promise<void> => {
    ends.get(request)?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { turns, ask, end, order };
};

/** These tests wait for nothing outside the process, so a turn that has not come within this timeout never comes. */
vi.setConfig({ testTimeout: 5_000 });
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("turns", () => {
  it("go round the organisations, however long the line of one is", async () => {
    const { ask, end, order } = served({ atOnce: 1 });
    for (const request of ["a1", "a2", "a3", "a4", "b1"]) void ask(request.charAt(0), request);
    await vi.advanceTimersByTimeAsync(0);
    for (const request of ["a1", "a2", "b1", "a3", "a4"]) await end(request);
    expect(order).toEqual(["a1", "a2", "b1", "a3", "a4"]);
  });

  it("leave room for others beside an organisation whose requests do not end", async () => {
    const { ask, order } = served();
    for (const request of ["a1", "a2", "b1"]) void ask(request.charAt(0), request);
    await vi.advanceTimersByTimeAsync(0);
    expect(order).toEqual(["a1", "b1"]);
  });

  it("are given to requests that go first, in their order, although the line is full", async () => {
    const { turns, ask, end, order } = served({ atOnce: 1, waitingOfOne: 1 });
    for (const request of ["a1", "a2", "a3"]) void ask("a", request);
    const first = async (name: string) => {
      const turn = await turns.take("a", true);
      order.push(name);
      if (!("refused" in turn)) turn.end();
    };
    for (const name of ["f1", "f2"]) void first(name);
    await vi.advanceTimersByTimeAsync(0);
    await end("a1");
    expect(order).toEqual(["a1", "a3 too many of its own", "f1", "f2", "a2"]);
  });

  it("INV-9 have room in line for 64 more that go first, and for none where nothing may wait", async () => {
    const { turns, ask, order } = served({ atOnce: 1, waiting: 200, waitingOfOne: 1 });
    void ask("a", "a1");
    void ask("a", "a2");
    const refused: unknown[] = [];
    for (let at = 0; at < 66; at++) void turns.take("a", true).then((turn) => refused.push(turn));
    await vi.advanceTimersByTimeAsync(0);
    expect(refused).toEqual([1, 2].map(() => ({ refused: "too many of its own" })));
    const impatient = served({ atOnce: 1, waitingOfOne: 0 });
    void impatient.ask("a", "a1");
    expect(await impatient.turns.take("a", true)).toEqual({ refused: "too many of its own" });
    expect(order).toEqual(["a1"]);
  });

  it("INV-9 beyond a used-up share are given to requests that go first, up to a limit, while any are free", async () => {
    const { turns, ask, end, order } = served({ atOnce: 4, atOnceOfOne: 2, beyondForFirst: 1 });
    for (const request of ["a1", "a2", "a3"]) void ask("a", request);
    const first = async (name: string) => {
      const turn = await turns.take("a", true);
      order.push(name);
      return "refused" in turn ? undefined : turn.end;
    };
    const beyond = await first("f1");
    void first("f2");
    void ask("b", "b1");
    void ask("c", "c1");
    await vi.advanceTimersByTimeAsync(0);
    // the fourth turn goes to another organisation, and `beyondForFirst` adds no turn to `atOnce`
    expect(order).toEqual(["a1", "a2", "f1", "b1"]);
    beyond?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(order).toEqual(["a1", "a2", "f1", "b1", "f2"]);
    await end("a1");
    expect(order).toEqual(["a1", "a2", "f1", "b1", "f2", "c1"]);
  });

  it("INV-9 are never more than there are, and beyond a share only for requests that go first", async () => {
    const full = served({ beyondForFirst: 1 });
    for (const request of ["a1", "b1"]) void full.ask(request.charAt(0), request);
    void full.turns.take("a", true).then(() => full.order.push("beyond"));
    await vi.advanceTimersByTimeAsync(0);
    expect(full.order).toEqual(["a1", "b1"]);
    const { ask, end, order } = served({ atOnce: 4, atOnceOfOne: 2, beyondForFirst: 1 });
    for (const request of ["a1", "a2", "a3", "b1"]) void ask(request.charAt(0), request);
    await vi.advanceTimersByTimeAsync(0);
    await end("b1");
    expect(order).toEqual(["a1", "a2", "b1"]);
  });

  it("INV-9 are left for a further organisation, however many others use up their share", async () => {
    const { ask, end, order } = served({ atOnce: 64, atOnceOfOne: 48, waiting: 200, waitingOfOne: 100 });
    for (const organisation of ["a", "b"])
      for (let at = 0; at < 60; at++) void ask(organisation, `${organisation}${at}`);
    void ask("c", "c0");
    await vi.advanceTimersByTimeAsync(0);
    const begun = (organisation: string) => order.filter((request) => request.startsWith(organisation));
    expect([begun("a").length, begun("b").length, begun("c").length]).toEqual([48, 12, 1]);
    // the organisation with more turns waits until the other has as many
    for (let at = 0; at < 21; at++) await end(`a${at}`);
    expect([begun("a").length, begun("b").length]).toEqual([48, 27]);
  });

  it("are refused to one that has too many in line, and to all when the line is too long", async () => {
    const { ask, order } = served({ atOnce: 1 });
    for (const request of ["a1", "a2", "a3", "a4", "a5", "b1", "b2"]) void ask(request.charAt(0), request);
    await vi.advanceTimersByTimeAsync(0);
    expect(order).toEqual(["a1", "a5 too many of its own", "b2 too many of all"]);
  });

  it("are refused to a request that has waited too long, and its place in line is free", async () => {
    const { ask, end, order } = served({ atOnce: 1, waiting: 1 });
    void ask("a", "a1");
    void ask("b", "b1");
    await vi.advanceTimersByTimeAsync(LIMITS.waitMs);
    void ask("c", "c1");
    await end("a1");
    expect(order).toEqual(["a1", "b1 too many of all", "c1"]);
  });
});
