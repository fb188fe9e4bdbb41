import { type SessionKey, sessionKey } from "@conclave/cluster";
import { testParties } from "@conclave/threshold/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { SessionLog } from "./session-log.ts";

const [ONE, TWO, THREE] = testParties(3);
if (ONE === undefined || TWO === undefined || THREE === undefined) throw new Error("there are three");
const keyOf = (number: number): SessionKey => {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, number);
  return sessionKey(bytes) ?? expect.fail("a session has 32 bytes");
};
const KEY = keyOf(1);
const SIGNING = { kind: "signing", digest: "d1" } as const;

let now: { nowUs: number };
let log: SessionLog;
beforeEach(() => {
  now = { nowUs: 0 };
  log = new SessionLog(now);
});

const words = (): readonly string[] => log.lines(() => undefined).map((line) => line.words);

describe("the log of sessions", () => {
  it("says that each heard all, and names the request, at the time of the last event", () => {
    for (const signer of [TWO, ONE]) log.opened(signer, KEY, SIGNING);
    log.heard(ONE, KEY, 5, TWO);
    log.heard(TWO, KEY, 5, ONE);
    now.nowUs = 7;
    for (const signer of [ONE, TWO]) log.ended(signer, KEY, "signed");
    expect(log.lines((_, digest) => `transfer of ${digest}`)).toEqual([
      { atUs: 7, process: "sessions", words: "s1 s2 sign transfer of d1 (round 5: each hears all): signed" },
    ]);
  });

  it("says who heard whom where somebody heard less, and who did not end", () => {
    for (const signer of [ONE, TWO, THREE]) log.opened(signer, KEY, SIGNING);
    log.heard(ONE, KEY, 1, THREE);
    log.heard(ONE, KEY, 1, TWO);
    log.heard(TWO, KEY, 1, ONE);
    log.ended(ONE, KEY, "signed");
    expect(words()).toEqual([
      "s1 s2 s3 sign d1 (round 1: s1 hears s2 s3, s2 hears s1, s3 hears nobody): signed at s1, unfinished at s2 s3",
    ]);
  });

  it("goes on from presigning to signing in one line, and leaves messages without a session out", () => {
    log.heard(ONE, KEY, 1, TWO);
    log.ended(ONE, KEY, "signed");
    expect(words()).toEqual([]);
    for (const signer of [ONE, TWO])
      log.opened(signer, KEY, { kind: "presigning", keyId: "key-a", isForPool: false });
    expect(words()).toEqual(["s1 s2 presign with key-a (nobody hears anybody): unfinished"]);
    log.ended(ONE, KEY, "presigned");
    log.opened(ONE, KEY, SIGNING);
    expect(words()).toEqual(["s1 s2 sign d1 (nobody hears anybody): unfinished"]);
  });

  it("leaves out presignatures that were made for the pool, and has those that were not", () => {
    const work = { kind: "presigning", keyId: "key-a", isForPool: true } as const;
    for (const signer of [ONE, TWO]) log.opened(signer, KEY, work);
    log.ended(ONE, KEY, "made");
    expect(words()).toEqual([
      "s1 s2 presign with key-a for the pool (nobody hears anybody): made at s1, unfinished at s2",
    ]);
    log.ended(TWO, KEY, "made");
    expect(words()).toEqual([]);
  });

  it("keeps the latest sessions", () => {
    for (let number = 0; number < 2_001; number += 1)
      log.opened(ONE, keyOf(number), { kind: "key", keyId: `key-${number}` });
    expect([words().length, words()[0]]).toEqual([2_000, "s1 make key-1 (nobody hears anybody): unfinished"]);
  });
});
