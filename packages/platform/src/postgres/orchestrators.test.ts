import { organisationIdSchema } from "@conclave/custody";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { freshId } from "../fresh-id.ts";
import { freshDatabase, orchestratorLogin } from "../testing/index.ts";
import { type Database, openDatabase } from "./database.ts";
import { claimDue, enqueue, failClaim, postponeClaim } from "./due-requests/index.ts";
import { bePresent, releaseOfGone } from "./orchestrators.ts";

const LANE = "Polygon";
const LEASE_MS = 3_600_000;

let url: string;
let owner: Database;
let other: Database;
const announced: string[] = [];
beforeAll(async () => {
  const ofOwner = await freshDatabase();
  url = await orchestratorLogin(ofOwner);
  owner = openDatabase({ url: ofOwner, name: "test" });
  other = openDatabase({ url, name: "other", announce: (subject) => void announced.push(subject) });
});
afterAll(() => Promise.all([owner.close(), other.close()]));
beforeEach(async () => {
  announced.length = 0;
  await owner.execute("truncate due_requests, served_turns, orchestrators");
  await enqueue(owner, {
    id: "xfr-1",
    kind: "transfer",
    orgId: freshId(organisationIdSchema, "or"),
    lane: LANE,
    line: undefined,
  });
});

const claimAs = async (database: Database, holder?: string): Promise<readonly string[]> =>
  (await claimDue(database, new Map([[LANE, 1]]), crypto.randomUUID(), LEASE_MS, holder)).map(({ id }) => id);
const entered = () => owner.rows(z.object({ id: z.string() }), "select id from orchestrators");

/** An orchestrator that is present and has claimed the request. */
const holding = async () => {
  const database = openDatabase({ url, name: "one", onBreak: () => undefined });
  const [id, done] = [crypto.randomUUID(), new AbortController()];
  let isLost = false;
  const over = bePresent(database, id, async (lost) => {
    const end = AbortSignal.any([lost, done.signal]);
    if (!end.aborted) await new Promise((resolve) => end.addEventListener("abort", resolve, { once: true }));
    isLost = lost.aborted;
  }).then(
    () => "left",
    () => "lost",
  );
  await expect.poll(entered).toEqual([{ id }]);
  expect(await claimAs(database, id)).toEqual(["xfr-1"]);
  return {
    leave: async () => {
      done.abort();
      expect([await over, isLost]).toEqual(["left", false]);
      await database.close();
    },
    /** Ends the orchestrator like a process: the server sees its connections end. */
    die: async () => {
      await owner.rows(
        z.object({}),
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'one'",
      );
      await expect
        .poll(() =>
          owner.rows(
            z.object({}),
            "select from pg_stat_activity where application_name = 'one' and state = 'idle in transaction'",
          ),
        )
        .toEqual([]);
    },
    isGone: async () => {
      expect([await over, isLost]).toEqual(["lost", true]);
      await database.close();
    },
  };
};

describe("INV-5 a request that an orchestrator holds", () => {
  it("is left to it while it is present, whatever its lease", async () => {
    const one = await holding();
    expect(await releaseOfGone(other)).toBe(0);
    expect(await claimAs(other)).toEqual([]);
    await one.leave();
    expect(await entered()).toEqual([]);
  });

  it("is due at once when it ends, and is announced", async () => {
    const one = await holding();
    await one.die();
    expect(await releaseOfGone(other)).toBe(1);
    expect(announced).toHaveLength(1);
    expect(await claimAs(other, crypto.randomUUID())).toEqual(["xfr-1"]);
    // its id is deleted, and its successor keeps what it holds
    expect([await entered(), await releaseOfGone(other), await claimAs(other)]).toEqual([[], 0, []]);
    await one.isGone();
  });

  it("is due at once when the orchestrator leaves without releasing it", async () => {
    const one = await holding();
    await one.leave();
    expect(await entered()).toEqual([]);
    expect(await claimAs(other, crypto.randomUUID())).toEqual(["xfr-1"]);
  });

  it.each([
    ["gave back", postponeClaim],
    [
      "failed",
      (...[connection, claim]: Parameters<typeof postponeClaim>) => failClaim(connection, claim, 0, "so"),
    ],
  ])("and that it %s loses its name once a previous version claims it", async (_, giveBack) => {
    const one = await holding();
    const [held] = await owner.rows(
      z.object({ token: z.string() }),
      "select token::text from due_requests where id = 'xfr-1'",
    );
    await giveBack(other, { id: "xfr-1", token: held?.token ?? "" }, 0);
    await owner.execute("update due_requests set token = $1, due_at = now() + interval '1 hour'", [
      crypto.randomUUID(),
    ]);
    await one.die();
    expect(await releaseOfGone(other)).toBe(0);
    await one.isGone();
  });

  it("waits for its lease when the orchestrator was never present, as one of the previous version", async () => {
    expect(await claimAs(other, undefined)).toEqual(["xfr-1"]);
    expect(await releaseOfGone(other)).toBe(0);
    expect(await claimAs(other)).toEqual([]);
  });
});
