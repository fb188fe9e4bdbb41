import type { Toxic } from "@conclave/chaos";
import { beforeEach, describe, expect, it } from "vitest";
import { chanceOf } from "../time/chance-of.ts";
import { openProcessWorld } from "../time/process-world.ts";
import { microseconds, Scheduler } from "../time/scheduler.ts";
import { LostOnTheWay, openServerLink, type ServerLink } from "./server-link.ts";
import { TroubledWay } from "./troubled-ways.ts";

const PATIENCE_MS = 5_000;
const CUT: Toxic = { kind: "cut" };

let scheduler: Scheduler;
let there: TroubledWay;
let back: TroubledWay;
let link: ServerLink;
let done: string[];
beforeEach(() => {
  scheduler = new Scheduler("link");
  const way = (name: string) => new TroubledWay(chanceOf("link", name), () => undefined);
  [there, back, done] = [way("there"), way("back"), []];
  const world = openProcessWorld({ scheduler, name: "gateway-1", life: 1, seed: "link", startMs: 0 });
  const chance = chanceOf("link", "time");
  link = openServerLink({
    scheduler,
    world,
    server: "database",
    asked: (what) => done.push(what),
    chance,
    longestMs: 3,
    patienceMs: PATIENCE_MS,
    there,
    back,
  });
});

const pass = async (ms: number): Promise<void> => {
  const limitUs = scheduler.nowUs + microseconds(ms);
  do await new Promise((resolve) => setImmediate(resolve));
  while (scheduler.step(limitUs));
  scheduler.passUntil(limitUs);
};

/** Asks, and notes the end: the answer, or what is known of a loss. */
const ask = (): void => {
  link
    .ask("question", async () => "answer")
    .then(
      (answer) => done.push(answer),
      (error: unknown) =>
        done.push(error instanceof LostOnTheWay ? `lost, ${error.mayBeDone}` : String(error)),
    );
};

describe("a link to a server", () => {
  it("loses a question on a way that is cut, which its client notices once its patience is over", async () => {
    there.trouble(CUT);
    ask();
    await pass(PATIENCE_MS - 10);
    expect(done).toEqual([]);
    await pass(20);
    expect(done).toEqual(["lost, false"]);
  });

  it("loses an answer on a way back that is cut: the question was heard", async () => {
    back.trouble(CUT);
    ask();
    await pass(PATIENCE_MS + 10);
    expect(done).toEqual(["question", "lost, true"]);
  });

  it("loses a question at once where its connection breaks", async () => {
    there.trouble({ kind: "break", percent: 100 });
    ask();
    await pass(20);
    expect(done).toEqual(["lost, false"]);
  });

  it("takes longer on a way that is delayed, and on a slow one", async () => {
    there.trouble({ kind: "delay", ms: 400 });
    back.trouble({ kind: "slow", bytesPerSecond: 5_000 });
    ask();
    await pass(399);
    expect(done).toEqual([]);
    await pass(10);
    expect(done).toEqual(["question"]);
    await pass(80);
    expect(done).toEqual(["question"]);
    await pass(20);
    expect(done).toEqual(["question", "answer"]);
  });

  it("has a server's work rejected that the process cannot be asked for, or cannot report", async () => {
    const work = async (): Promise<void> => void done.push("work");
    const note = (error: unknown): void =>
      void done.push(error instanceof LostOnTheWay ? `lost, ${error.mayBeDone}` : "");
    const undo = back.trouble(CUT);
    link.run(work).catch(note);
    await pass(10);
    expect(done).toEqual(["lost, false"]);
    undo();
    there.trouble(CUT);
    link.run(work).catch(note);
    await pass(10);
    expect(done).toEqual(["lost, false", "work", "lost, true"]);
  });

  it("loses a hint, and tells of it after the cut where the client asked for that", async () => {
    const undo = back.trouble(CUT);
    link.hear(() => done.push("hint"));
    link.hearAlways(() => done.push("always"));
    there.trouble(CUT);
    link.send(() => done.push("sent"));
    await pass(100);
    expect(done).toEqual([]);
    undo();
    await pass(100);
    expect(done).toEqual(["always"]);
  });
});
