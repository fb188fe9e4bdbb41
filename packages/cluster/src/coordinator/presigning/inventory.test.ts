import { seededEntropy, testParties, testParty } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import type { ListedPresignature } from "../../signer/presigning/pool-status.ts";
import { KEY_ID, keyIdOf, START_MS } from "../../testing/fixtures.ts";
import { ORPHAN_AGE_MS, PRESIGNATURE_MARGIN_MS } from "../limits.ts";
import { inOrderOfUse, inventoryOf, type Listings, orphansOf, type ReadyPresignature } from "./inventory.ts";

const idOf = (number: number): string => String(number).padStart(64, "0");

const listed = (
  number: number,
  signers: readonly number[],
  change: Partial<ListedPresignature> = {},
): ListedPresignature => ({
  id: idOf(number),
  keyId: KEY_ID,
  signers: signers.map(testParty),
  createdAtMs: START_MS,
  expiresAtMs: START_MS + 10 * PRESIGNATURE_MARGIN_MS,
  isUsable: true,
  ...change,
});

const listings = (lists: Readonly<Record<number, readonly ListedPresignature[]>>): Listings =>
  new Map(Object.entries(lists).map(([signer, list]) => [testParty(Number(signer)), list]));

const ready = (number: number, signers: readonly number[], keyId = KEY_ID): ReadyPresignature => ({
  id: idOf(number),
  keyId,
  signers: signers.map(testParty),
  expiresAtMs: START_MS + 10 * PRESIGNATURE_MARGIN_MS,
});

describe("the inventory", () => {
  const ids = (lists: Listings, nowMs = START_MS) => inventoryOf(lists, nowMs).map(({ id }) => id);

  test("holds what every one of its signers holds and would use", () => {
    const [both, half, resting] = [listed(1, [1, 2]), listed(2, [1, 2]), listed(3, [1, 2])];
    const lists = listings({ 1: [both, half, resting], 2: [both, { ...resting, isUsable: false }] });
    expect(ids(lists)).toEqual([idOf(1)]);
  });

  test("takes the soonest end, and leaves out what ends in a moment", () => {
    const soon = listed(1, [1, 2], { expiresAtMs: START_MS + 2 * PRESIGNATURE_MARGIN_MS });
    const lists = listings({ 1: [listed(1, [1, 2])], 2: [soon] });
    expect(inventoryOf(lists, START_MS)[0]?.expiresAtMs).toBe(soon.expiresAtMs);
    expect(ids(lists, START_MS + PRESIGNATURE_MARGIN_MS)).toEqual([]);
  });

  test("is not hidden by a signer that tells another set of an id, nor by one that is not in it", () => {
    const own = listed(1, [1, 2]);
    const lists = listings({ 3: [listed(1, [1, 3]), own], 1: [own], 2: [own] });
    expect(inventoryOf(lists, START_MS)).toMatchObject([{ id: idOf(1), signers: [1, 2] }]);
  });
});

describe("orphans", () => {
  const old = START_MS + ORPHAN_AGE_MS;

  test("are what one of the signers lacks, named to those who hold it", () => {
    const lists = listings({ 1: [listed(1, [1, 2, 3])], 2: [listed(1, [1, 2, 3])], 3: [] });
    expect(orphansOf(lists, old)).toEqual(
      new Map([
        [testParty(1), [idOf(1)]],
        [testParty(2), [idOf(1)]],
      ]),
    );
  });

  test("are not those in the making, those whose signers were not all heard, nor those that only rest", () => {
    expect(orphansOf(listings({ 1: [listed(1, [1, 2])], 2: [] }), old - 1).size).toBe(0);
    expect(orphansOf(listings({ 1: [listed(1, [1, 2])] }), old).size).toBe(0);
    const resting = listed(1, [1, 2], { isUsable: false });
    expect(orphansOf(listings({ 1: [resting], 2: [resting] }), old).size).toBe(0);
  });
});

describe("the order of use", () => {
  const usable = new Set(testParties(5));
  const idsOf = (stock: readonly ReadyPresignature[], by = usable, seed = "order") =>
    inOrderOfUse(stock, KEY_ID, by, seededEntropy(seed)).map(({ id }) => id);

  test("begins with the fullest set, so that what is left spares as many signers as before", () => {
    const stock = [ready(1, [3, 4, 5]), ready(2, [1, 2, 3]), ready(3, [1, 2, 3]), ready(4, [2, 3, 4])];
    for (const seed of ["a", "b", "c", "d", "e"]) {
      expect([idOf(2), idOf(3)]).toContain(idsOf(stock, usable, seed)[0]);
    }
  });

  test("is one of chance among equals", () => {
    const stock = [ready(1, [1, 2, 3]), ready(2, [2, 3, 4]), ready(3, [3, 4, 5])];
    const seeds = Array.from({ length: 20 }, (_, at) => `chance ${at}`);
    expect(new Set(seeds.map((seed) => idsOf(stock, usable, seed)[0])).size).toBe(3);
  });

  test("is of its key and of live signers, all that there are", () => {
    const stock = [ready(1, [1, 2, 3]), ready(2, [3, 4, 5]), ready(3, [1, 2, 3], keyIdOf(9))];
    expect(new Set(idsOf(stock))).toEqual(new Set([idOf(1), idOf(2)]));
    expect(idsOf(stock, new Set([1, 2, 3].map(testParty)))).toEqual([idOf(1)]);
    expect(idsOf([])).toEqual([]);
  });
});
