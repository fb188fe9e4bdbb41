import { ok } from "@conclave/custody";
import { Secret } from "@conclave/threshold";
import { testParties } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { configOf } from "../testing/fixtures.ts";
import { foundFor } from "../testing/held-keys.ts";
import { openAlone } from "../testing/signer-input.ts";
import { keepOnly, withPendingShare } from "./key-change/next-share.ts";
import {
  heldKeys,
  KEYS_NAMED_MAX,
  KEYS_PER_PAGE_MAX,
  type KeyHolding,
  type KeysAsked,
  readHeldKeys,
} from "./key-holdings.ts";
import { factsOfKey } from "./records/key-records.ts";
import { type KeyRecord, RECORDS, type StoredRecord } from "./records/record.ts";
import type { SignerState } from "./state.ts";

const [ONE = expect.fail("there is one")] = testParties(1);
const KEYS = 20_000;
const PAGE_BYTES_MAX = 300 * 1024;

const idOf = (number: number): string => `key-${String(number).padStart(8, "0")}`;

const record = (state: KeyRecord["state"]): KeyRecord => ({
  version: 1,
  scheme: "CGGMP24",
  state,
  epoch: 1,
  publicKey: new Uint8Array(33),
  chainCode: new Uint8Array(32),
  share: new Secret(new Uint8Array(0)),
});

const share = (epoch: number) => ({
  version: 1 as const,
  session: "ab".repeat(32),
  scheme: "CGGMP24" as const,
  from: 1,
  epoch,
  publicKey: new Uint8Array(33),
  chainCode: new Uint8Array(32),
  digest: new Uint8Array(32),
  share: new Secret(new Uint8Array(0)),
  isOlder: false,
  holders: [],
  receipt: new Uint8Array(64),
});

/** A signer, and the records of its store. */
interface Holder {
  readonly state: SignerState;
  readonly records: Map<string, StoredRecord["value"]>;
}

const store = ({ records }: Pick<Holder, "records">, keyId: string, key: KeyRecord): void => {
  records.set(RECORDS.keyFacts.name(keyId), RECORDS.keyFacts.write(factsOfKey(key)));
  const mark = RECORDS.pendingKey.name(keyId);
  if (key.state === "pending") records.set(mark, RECORDS.pendingKey.write({ version: 1 }));
};

/** A signer with this many keys, of which some are pending, and some have a next epoch that waits. */
const holding = (count: number, pending: readonly number[] = [], waiting: readonly number[] = []): Holder => {
  const records: Holder["records"] = new Map();
  let { state } = openAlone(configOf(ONE, 3, 2), [], (name) => records.get(name));
  for (let number = 0; number < count; number++) {
    store({ records }, idOf(number), record(pending.includes(number) ? "pending" : "active"));
  }
  for (const number of waiting) state = withPendingShare(state, idOf(number), share(2));
  return { state, records };
};

const asks = ({ state, records }: Holder, asked: KeysAsked) =>
  heldKeys(state, asked, foundFor(records, asked));

type Which = Extract<KeysAsked, { readonly kind: "page" }>["which"];

/** All pages, from the first. */
const pagesOf = (holder: Holder, which: Which, most = KEYS_PER_PAGE_MAX) => {
  const pages: (readonly KeyHolding[])[] = [];
  let after: string | undefined;
  do {
    const page = asks(holder, { kind: "page", which, after, most });
    pages.push(page.keys);
    after = page.next;
  } while (after !== undefined);
  return pages;
};
const idsOf = (pages: readonly (readonly KeyHolding[])[]) => pages.flat().map(({ keyId }) => keyId);
const bytesOf = (page: readonly KeyHolding[]): number =>
  page.reduce(
    (sum, { keyId, publicKey, next }) => sum + keyId.length + publicKey.length + next.length * 180,
    0,
  );

test("the pages of 20 000 keys name each of them once, and each page is bounded in keys and in bytes", () => {
  const pages = pagesOf(holding(KEYS), "all");
  const named = idsOf(pages);
  expect(named).toHaveLength(KEYS);
  expect(new Set(named).size).toBe(KEYS);
  expect(Math.max(...pages.map((page) => page.length))).toBe(KEYS_PER_PAGE_MAX);
  expect(Math.max(...pages.map(bytesOf))).toBeLessThan(PAGE_BYTES_MAX);
});

test("next epochs of many keys make pages shorter, for they are long", () => {
  const waiting = Array.from({ length: 4_000 }, (_, number) => number);
  const pages = pagesOf(holding(4_000, [], waiting), "waiting", 10 * KEYS_PER_PAGE_MAX);
  expect(idsOf(pages)).toHaveLength(4_000);
  expect(Math.max(...pages.map(bytesOf))).toBeLessThan(PAGE_BYTES_MAX);
});

test("a key of which change after change failed is shown with the latest, and still fits a message with others like it", () => {
  const holder = holding(KEYS_NAMED_MAX);
  let { state } = holder;
  const names = Array.from({ length: KEYS_NAMED_MAX }, (_, number) => idOf(number));
  for (const keyId of names) {
    for (let epoch = 2; epoch < 102; epoch++) state = withPendingShare(state, keyId, share(epoch));
  }
  const { keys } = asks({ ...holder, state }, { kind: "named", keyIds: names });
  expect(keys.map(({ next }) => next.at(-1)?.epoch)).toEqual(names.map(() => 101));
  expect(bytesOf(keys)).toBeLessThan(500 * 1024);
});

test("a key that is there all the while is on a page, though others come and go between two pages", () => {
  const holder = holding(3_000);
  const seen: string[] = [];
  let after: string | undefined;
  for (let number = 0; ; number++) {
    const page = asks(holder, { kind: "page", which: "all", after, most: 100 });
    seen.push(...page.keys.map(({ keyId }) => keyId));
    if (page.next === undefined) break;
    after = page.next;
    // deletes even the last key of the page
    holder.records.delete(RECORDS.keyFacts.name(page.next));
    store(holder, `key-new-${number}`, record("active"));
  }
  expect(seen).toEqual(expect.arrayContaining(Array.from({ length: 3_000 }, (_, number) => idOf(number))));
});

test("a signer names a key that it does not hold as absent, in the order that was asked", () => {
  const holder = holding(KEYS, [7], [9]);
  const { keys } = asks(holder, { kind: "named", keyIds: ["key-nobody", idOf(7), idOf(9)] });
  expect(keys).toMatchObject([
    { keyId: "key-nobody", state: "absent", epoch: 0, next: [] },
    { keyId: idOf(7), state: "pending", next: [] },
    { keyId: idOf(9), state: "active", next: [{ epoch: 2 }] },
  ]);
});

test("no more keys are looked up by name than a message holds", () => {
  const keyIds = Array.from({ length: 2 * KEYS_NAMED_MAX }, (_, number) => idOf(number));
  expect(asks(holding(1), { kind: "named", keyIds }).keys).toHaveLength(KEYS_NAMED_MAX);
});

test("pages of what is pending or waits name just that, also of a key whose next epoch is all that there is", () => {
  const holder = holding(KEYS, [5, 19_999], [11]);
  const state = { ...holder, state: withPendingShare(holder.state, "key-reshared", share(3)) };
  expect(idsOf(pagesOf(state, "pending", 1)).sort()).toEqual([idOf(5), idOf(19_999)]);
  expect(idsOf(pagesOf(state, "waiting", 1)).sort()).toEqual([idOf(11), "key-reshared"]);
  expect(idsOf(pagesOf(state, "all"))).toContain("key-reshared");
});

test.each([
  ["while the store is read", "before", { epoch: 1, next: [{ epoch: 2 }] }],
  ["before the store is read", "after", { epoch: 2, next: [] }],
] as const)("a key that goes to its next epoch %s is shown in one of both", async (_, found, expected) => {
  const { records, ...holder } = holding(1, [], [0]);
  let { state } = holder;
  const asked = { kind: "page", which: "all", after: undefined, most: 10 } as const;
  const before = foundFor(records, asked);
  const page = await readHeldKeys(state, asked, async () => {
    store({ records }, idOf(0), { ...record("active"), epoch: 2 });
    state = keepOnly(state, idOf(0), []);
    return ok(found === "before" ? before : foundFor(records, asked));
  });
  const later = heldKeys(state, asked, before);
  expect(later.keys).toMatchObject([{ epoch: 1, next: [] }]); // a newer state would hide the next epoch
  expect(page).toMatchObject({ ok: true, value: { keys: [{ keyId: idOf(0), ...expected }] } });
});
