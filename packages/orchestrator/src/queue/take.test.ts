import { organisationIdSchema, walletIdSchema } from "@conclave/custody";
import {
  claimDue,
  type Database,
  DUE_SUBJECT,
  enqueue,
  freshId,
  listParked,
  makeLogger,
  Outage,
  openDatabase,
  type Stoppable,
} from "@conclave/platform";
import { freshDatabase, orchestratorLogin } from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { DONE, type HeldRequest, type RequestLook } from "./disposition.ts";
import { PARKED_AFTER_FAILURES } from "./failure.ts";
import { startTaking } from "./take.ts";

const orgId = freshId(organisationIdSchema, "or");
const LANE = "Polygon";
const holder = crypto.randomUUID();

let owner: Database;
let database: Database;
let running: Stoppable[];
const bells = new Set<() => void>();
const hear = (ring: () => void): Stoppable => {
  bells.add(ring);
  return { stop: () => void bells.delete(ring) };
};
const ringAll = (): void => {
  for (const ring of bells) ring();
};

beforeEach(async () => {
  const url = await freshDatabase();
  running = [];
  owner = openDatabase({ url, name: "test", announce: (subject) => subject === DUE_SUBJECT && ringAll() });
  database = openDatabase({ url: await orchestratorLogin(url), name: "orchestrator" });
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  await Promise.all([owner.close(), database.close()]);
});

const ask = async (id: string, line?: string): Promise<void> =>
  enqueue(owner, {
    id,
    kind: "transfer",
    orgId,
    lane: LANE,
    line: line === undefined ? undefined : walletIdSchema.parse(line),
  });
const take = (
  look: RequestLook,
  more: {
    readonly nowMs?: () => number;
    readonly presentAs?: () => string | undefined;
    readonly isDeaf?: true;
    readonly slots?: number;
  } = {},
): Stoppable => {
  const taking = startTaking({
    database,
    slots: new Map([[LANE, more.slots ?? 2]]),
    looks: { transfer: look, transaction: look, key: look, export: look, signature: look },
    presentAs: more.presentAs ?? (() => undefined),
    letsGo: async () => true,
    hear: more.isDeaf === true ? () => ({ stop: () => undefined }) : hear,
    world: { ...processWorld, monotonicMs: more.nowMs ?? processWorld.monotonicMs },
    logger: makeLogger({ name: "test", level: "silent" }),
  });
  running.push(taking);
  return taking;
};
const row = async (id: string) => {
  const [found] = await owner.rows(
    z.object({
      failures: z.number(),
      reason: z.string().nullable(),
      wait: z.string(),
      token: z.string().nullable(),
    }),
    "select failures, reason, round(extract(epoch from due_at - now()))::text as wait, token::text from due_requests where id = $1",
    [id],
  );
  return found;
};
const PATIENCE = { timeout: 20_000, interval: 10 };
const gone = (id: string) => expect.poll(() => row(id), PATIENCE).toBeUndefined();
/** Ends a request's lease or pause early. */
const hurry = (id: string) => owner.execute("update due_requests set due_at = now() where id = $1", [id]);
const gate = () => {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
};

describe("requests that are due", () => {
  it("are taken at once when they are announced, and also when nobody hears it", async () => {
    take(async () => DONE);
    await ask("xfr-1");
    await gone("xfr-1");
    await running[0]?.stop();
    take(async () => DONE, { isDeaf: true });
    await ask("xfr-2");
    await gone("xfr-2");
  });

  it("are looked at again as their look says, no more of a lane at a time than it has slots", async () => {
    const held = new Set<string>();
    let most = 0;
    take(async ({ id, attempt }) => {
      held.add(id);
      most = Math.max(most, held.size);
      // the first look waits for a second one beside it
      await expect.poll(() => most, PATIENCE).toBeGreaterThan(1);
      held.delete(id);
      return attempt < 3 ? { kind: "Again", afterMs: 0 } : DONE;
    });
    for (let count = 0; count < 12; count += 1) await ask(`xfr-${count}`);
    for (let count = 0; count < 12; count += 1) await gone(`xfr-${count}`);
    expect(most).toBe(2);
  });

  it("INV-5 of one organisation, whose looks do not end, leave slots for another's", async () => {
    const ended = gate();
    const begun: string[] = [];
    take(
      async ({ id }) => {
        begun.push(id);
        if (id.startsWith("slow")) await ended.passed;
        return DONE;
      },
      { slots: 8, presentAs: () => holder },
    );
    for (let count = 0; count < 20; count += 1) await ask(`slow-${count}`);
    await expect.poll(() => begun.length, PATIENCE).toBe(6);
    const other = freshId(organisationIdSchema, "or");
    await enqueue(owner, { id: "xfr-1", kind: "transfer", orgId: other, lane: LANE, line: undefined });
    await gone("xfr-1");
    expect(begun.filter((id) => id.startsWith("slow"))).toHaveLength(6);
    ended.open();
    for (let count = 0; count < 20; count += 1) await gone(`slow-${count}`);
  });

  it("that are not theirs to serve are left to others", async () => {
    take(async () => DONE);
    await enqueue(owner, { id: "key-1", kind: "key", orgId, lane: "key", line: undefined });
    await ask("xfr-1");
    await gone("xfr-1");
    expect(await row("key-1")).toMatchObject({ token: null });
  });

  it("that are worked on when the process stops are given back before it ends", async () => {
    const asked = gate();
    const answer = gate();
    const taking = take(async () => {
      asked.open();
      await answer.passed;
      return { kind: "Again", afterMs: 60_000 };
    });
    await ask("xfr-1");
    await asked.passed;
    const stopped = taking.stop();
    answer.open();
    await stopped;
    expect(await row("xfr-1")).toMatchObject({ token: null, wait: "60" });
  });
});

describe("a look that fails", () => {
  it("is made again after a pause, and its failure is reported", async () => {
    take(() => Promise.reject(new Error("nobody foresaw this")));
    await ask("xfr-1");
    await expect
      .poll(() => row("xfr-1"), PATIENCE)
      .toMatchObject({ failures: 1, reason: "nobody foresaw this" });
    await hurry("xfr-1");
    ringAll();
    await expect.poll(() => row("xfr-1"), PATIENCE).toMatchObject({ failures: 2, wait: "2" });
  });

  it("because something is away is no failure", async () => {
    take(() => Promise.reject(new Outage("database", new Error("it is away"))));
    await ask("xfr-1");
    await expect.poll(() => row("xfr-1"), PATIENCE).toMatchObject({ token: null, failures: 0, wait: "1" });
  });

  it("again and again puts the request aside with its reason, and those behind it go on", async () => {
    const line = freshId(walletIdSchema, "wa");
    take(({ id }) => (id === "xfr-1" ? Promise.reject(new Error("always")) : Promise.resolve(DONE)));
    await ask("xfr-1", line);
    await ask("xfr-2", line);
    await expect.poll(() => row("xfr-1"), PATIENCE).toMatchObject({ failures: 1 });
    await owner.execute("update due_requests set failures = $2 where id = $1", [
      "xfr-1",
      PARKED_AFTER_FAILURES - 1,
    ]);
    await hurry("xfr-1");
    ringAll();
    await gone("xfr-2");
    expect(await listParked(owner, 10)).toMatchObject([{ id: "xfr-1", reason: "always" }]);
  });

  it("with the process itself, again and again, puts the request aside too", async () => {
    await ask("xfr-1");
    for (let count = 0; count <= PARKED_AFTER_FAILURES; count += 1) {
      const [claim] = await claimDue(database, new Map([[LANE, 1]]), crypto.randomUUID(), 0);
      expect(claim?.failures).toBe(count);
    }
    const looked: string[] = [];
    take(async ({ id }) => {
      looked.push(id);
      return DONE;
    });
    await expect.poll(() => listParked(owner, 10), PATIENCE).toMatchObject([{ id: "xfr-1" }]);
    expect(looked).toEqual([]);
  });
});

/** A look at xfr-1 that has begun, and lasts until the test answers it. */
const lookThatWaits = async (more: Parameters<typeof take>[1]) => {
  const asked = gate();
  const answer = gate();
  let held: HeldRequest | undefined;
  const taking = take(async (request) => {
    held = request;
    asked.open();
    await answer.passed;
    return DONE;
  }, more);
  await ask("xfr-1");
  await asked.passed;
  return {
    isHeld: () => held?.isHeld(),
    lock: () => database.transaction(async (connection) => held?.lock(connection)),
    end: async () => {
      answer.open();
      await taking.stop();
    },
  };
};

describe("a process that is paused", () => {
  it("INV-4 knows that its request may be another's, and what it does then changes nothing of the queue", async () => {
    let nowMs = 0;
    // with a second slot it could itself take the request that it no longer holds
    const paused = await lookThatWaits({ nowMs: () => nowMs, slots: 1 });
    expect([paused.isHeld(), await paused.lock()]).toEqual([true, true]);
    // its clock stands still, while the others see the lease end
    await hurry("xfr-1");
    const [successor] = await claimDue(database, new Map([[LANE, 1]]), crypto.randomUUID(), 60_000);
    nowMs = 10_000;
    expect([successor?.id, paused.isHeld(), await paused.lock()]).toEqual(["xfr-1", false, false]);
    await paused.end();
    expect(await row("xfr-1")).toMatchObject({ token: successor?.token });
  });

  it("INV-4 knows it as well when the database lost sight of the process itself", async () => {
    let name: string | undefined = crypto.randomUUID();
    const unseen = await lookThatWaits({ presentAs: () => name });
    expect(unseen.isHeld()).toBe(true);
    name = undefined;
    expect(unseen.isHeld()).toBe(false);
    name = crypto.randomUUID();
    expect(unseen.isHeld()).toBe(false);
    await unseen.end();
  });
});
