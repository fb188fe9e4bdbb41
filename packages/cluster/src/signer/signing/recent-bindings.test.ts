import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import { boundRequestName, HANDOVER_REQUESTS_MAX } from "../../control/epoch-handover.ts";
import { CLOCK_SKEW_MS_MAX, RECENT_BINDINGS_MAX } from "../limits.ts";
import { RECORDS } from "../records/record.ts";
import {
  afterLatest,
  BINDINGS_UNKNOWN,
  bindingsOf,
  type RecentBindings,
  withBinding,
} from "./recent-bindings.ts";

const STARTED_MS = 1_000_000;
const DIGEST = "ab".repeat(32);
const transaction = {
  network: "Ethereum",
  digest: DIGEST,
  exclusion: new Uint8Array(1),
  deadlineMs: undefined,
  unsigned: undefined,
} as const;

const bind = (recent: RecentBindings, id: string, requestedAtMs: number, ...keyIds: string[]) =>
  withBinding(
    recent,
    { requestId: id, replaces: [], transaction, keyIds, requestedAtMs, forgetAtMs: 0 },
    STARTED_MS,
  );

/** The written dates, one by one. */
const written = ({ writes }: ReturnType<typeof bind>) =>
  writes.map((each) => RECORDS.latestBound.read(each).requestedAtMs);

const namesOf = (recent: RecentBindings, keyId: string, heldSinceMs = 0) =>
  bindingsOf(recent, keyId, STARTED_MS, heldSinceMs).requests.map((each) => bytesToHex(each));

const name = (id: string): string => bytesToHex(boundRequestName(id, DIGEST));

describe("INV-4 a signer's memory of the requests that it signed for lately", () => {
  test("is of the key that signed them, each once, with those that they replace", () => {
    let { recent } = bind(afterLatest(0), "one", 5, "key");
    ({ recent } = bind(recent, "one", 5, "key"));
    ({ recent } = bind(recent, "two", 6, "other", "key", "key"));
    const claim = {
      requestId: "three",
      replaces: ["zero"],
      transaction,
      keyIds: ["other"],
      requestedAtMs: 7,
      forgetAtMs: 0,
    };
    ({ recent } = withBinding(recent, claim, STARTED_MS));
    expect(namesOf(recent, "key")).toEqual(["one", "two"].map(name));
    expect(namesOf(recent, "other")).toEqual(["two", "three", "zero"].map(name));
    expect(namesOf(recent, "third")).toEqual([]);
  });

  test("is complete from the latest date of the lives before, and from the time since which the key has its holders", () => {
    const { recent } = bind(afterLatest(100), "one", 120, "key");
    expect(bindingsOf(recent, "key", STARTED_MS, 0)).toMatchObject({ sinceMs: 101, latestMs: 120 });
    expect(bindingsOf(recent, "key", STARTED_MS, 110)).toMatchObject({ sinceMs: 110, latestMs: 120 });
  });

  test("is complete from the start alone, with the skew of clocks, where an older version left no date", () => {
    const soonMs = STARTED_MS + CLOCK_SKEW_MS_MAX;
    const unknown = { sinceMs: soonMs, latestMs: soonMs };
    expect(bindingsOf(BINDINGS_UNKNOWN, "key", STARTED_MS, 0)).toMatchObject(unknown);
    const bound = bind(BINDINGS_UNKNOWN, "one", 5, "key");
    expect(bindingsOf(bound.recent, "key", STARTED_MS, 0)).toMatchObject(unknown);
    expect(written(bound)).toEqual([soonMs]);
  });

  test("has its latest date on the disk before anything is signed, and writes it only when it is later", () => {
    const first = bind(afterLatest(0), "one", 50, "key");
    expect(written(first)).toEqual([50]);
    expect(written(bind(first.recent, "two", 50, "key"))).toEqual([]);
    expect(written(bind(first.recent, "three", 20, "key"))).toEqual([]);
    expect(written(bind(first.recent, "four", 51, "key"))).toEqual([51]);
  });

  test("leaves the oldest out past its bound, and says since when it is complete", () => {
    let recent = afterLatest(0);
    for (let at = 1; at <= RECENT_BINDINGS_MAX + 2; at += 1) {
      ({ recent } = bind(recent, `${at}`, at * 10, "other"));
    }
    expect(recent.bound).toHaveLength(RECENT_BINDINGS_MAX);
    expect(bindingsOf(recent, "key", STARTED_MS, 0).sinceMs).toBe(21);
  });

  test("names as many requests of a key as a handover may, the last ones", () => {
    let recent = afterLatest(0);
    for (let at = 1; at <= HANDOVER_REQUESTS_MAX + 1; at += 1)
      ({ recent } = bind(recent, `${at}`, at, "key"));
    const { sinceMs, requests } = bindingsOf(recent, "key", STARTED_MS, 0);
    expect(requests.map((each) => bytesToHex(each))).toEqual(
      Array.from({ length: HANDOVER_REQUESTS_MAX }, (_, at) => name(`${at + 2}`)),
    );
    expect(sinceMs).toBe(2);
  });

  test("is nothing where a message is signed, which no chain carries", () => {
    const claim = {
      requestId: "m",
      replaces: [],
      transaction: undefined,
      keyIds: ["key"],
      requestedAtMs: 9,
      forgetAtMs: 0,
    };
    const { recent, writes } = withBinding(afterLatest(0), claim, STARTED_MS);
    expect([recent.bound, writes]).toEqual([[], []]);
  });
});
