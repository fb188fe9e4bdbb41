import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { openLogins } from "../testing/index.ts";
import { claimPresignatures, forgetLapsedLeases, releasePresignatures } from "./presignature-leases.ts";

const [first, second] = [randomUUID(), randomUUID()];
const MINUTE_MS = 60_000;
const idOf = (number: number): string => String(number).padStart(64, "0");
const IDS = [1, 2, 3].map(idOf);

const { owner, orchestrator, close } = await openLogins();
afterAll(close);
beforeEach(async () => {
  await owner.execute("delete from presignature_leases");
});

const claim = (holder: string, ids: readonly string[], most = 100) =>
  claimPresignatures(orchestrator, { holder, ids, most, leaseMs: MINUTE_MS });

const lapse = (milliseconds: number): Promise<number> =>
  owner.execute("update presignature_leases set until = now() - $1 * interval '1 millisecond'", [
    milliseconds,
  ]);

const leased = () =>
  owner.rows(z.object({ id: z.string(), holder: z.string() }), "select id, holder from presignature_leases");

test("an orchestrator's login leases unleased presignatures, and its own again; another gets the rest", async () => {
  expect(await claim(first, IDS.slice(0, 2))).toEqual({
    granted: IDS.slice(0, 2),
    otherHolders: 0,
  });
  expect((await claim(first, IDS.slice(0, 2))).granted).toHaveLength(2);
  const other = await claim(second, IDS);
  expect(other).toEqual({ granted: [idOf(3)], otherHolders: 1 });
});

test("a claim gets no more than it asks for, the preferred ones first, and passes over what is another's", async () => {
  await claim(second, IDS.slice(0, 1));
  const ids = [...IDS, idOf(4)];
  expect((await claim(first, ids, 2)).granted).toEqual([idOf(2), idOf(3)]);
  expect((await claim(second, [idOf(4), ...IDS], 1)).granted).toEqual([idOf(4)]);
});

test("a lapsed lease is taken over, and its holder before gets it no more", async () => {
  await claim(first, IDS);
  await lapse(1);
  expect(await claim(second, IDS)).toEqual({
    granted: IDS,
    otherHolders: 0,
  });
  expect((await claim(first, IDS)).granted).toEqual([]);
});

test("of many simultaneous claims for the same presignatures, each presignature goes to one", async () => {
  const ids = Array.from({ length: 50 }, (_, at) => idOf(at));
  const claims = await Promise.all(
    Array.from({ length: 8 }, (_, at) => claim(randomUUID(), at % 2 === 0 ? ids : ids.toReversed())),
  );
  const granted = claims.flatMap((claim) => claim.granted);
  expect(granted.toSorted()).toEqual(ids);
});

test("only the holder gives back, and what lapsed long ago is forgotten", async () => {
  await claim(first, IDS);
  await releasePresignatures(orchestrator, second, IDS);
  expect(await leased()).toHaveLength(3);
  await releasePresignatures(orchestrator, first, IDS.slice(0, 1));
  expect(await leased()).toHaveLength(2);
  await lapse(30 * MINUTE_MS);
  expect(await forgetLapsedLeases(orchestrator)).toBe(0);
  await lapse(61 * MINUTE_MS);
  expect(await forgetLapsedLeases(orchestrator)).toBe(2);
});
