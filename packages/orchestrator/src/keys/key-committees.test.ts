import { ok } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { testParties } from "@conclave/threshold/testing";
import { describe, expect, it } from "vitest";
import { keyInfoOf } from "../testing/key-info.ts";
import { KeyCommittees } from "./key-committees.ts";

const KEY = "key-1";

/** The key info that signers return for a key with this many shares. */
const infoOf = (threshold: number, count: number, epoch = 1): Uint8Array =>
  keyInfoOf(KEY, threshold, testParties(count), epoch);

const signersSaying = (said: ReadonlyMap<number, Uint8Array>) => {
  let asked = 0;
  const live = testParties(said.size);
  return {
    asked: () => asked,
    live: () => live,
    get: (index: PartyIndex) => ({
      getKeyInfo: async () => {
        asked += 1;
        return ok(said.get(index) ?? expect.fail("it is live"));
      },
    }),
  };
};

const all = (count: number, bytes: Uint8Array) =>
  new Map(Array.from({ length: count }, (_, at) => [at + 1, bytes] as const));

const roster = (size: number, threshold: number, change?: { threshold: number; leaving: number[] }) => ({
  threshold,
  signers: testParties(size).map((index) => ({
    index,
    id: `signer-${index}`,
    address: "localhost:1",
    identityKey: "",
    encryptionKey: "",
  })),
  ...(change === undefined ? {} : { change }),
});

describe("the holders of keys", () => {
  it("are those of the roster, and nobody is asked, while it does not change", () => {
    const signers = signersSaying(all(5, infoOf(3, 5)));
    const holders = new KeyCommittees(signers, roster(5, 3));
    expect(holders.known(KEY)).toEqual({ threshold: 3, parties: [1, 2, 3, 4, 5] });
    expect(signers.asked()).toBe(0);
  });

  it("are asked for while it changes, once for each key", async () => {
    const signers = signersSaying(all(7, infoOf(3, 5)));
    const holders = new KeyCommittees(signers, roster(7, 4, { threshold: 3, leaving: [7] }));
    expect(holders.ofNewKeys).toEqual({ threshold: 4, parties: [1, 2, 3, 4, 5, 6] });
    expect(holders.known(KEY)).toBeUndefined();
    expect(await holders.learn(KEY)).toEqual({ threshold: 3, parties: [1, 2, 3, 4, 5] });
    expect(holders.known(KEY)).toEqual({ threshold: 3, parties: [1, 2, 3, 4, 5] });
  });

  it("are what most of them say: fewer than sign together name no others", async () => {
    const said = new Map(all(5, infoOf(3, 5)));
    said.set(1, infoOf(2, 2, 9)).set(2, infoOf(2, 2, 9));
    const holders = new KeyCommittees(signersSaying(said), roster(5, 3));
    expect(await holders.learn(KEY)).toEqual({ threshold: 3, parties: [1, 2, 3, 4, 5] });
  });

  it("are not known where too few of them answer", async () => {
    const said = new Map([
      [1, infoOf(3, 5)],
      [2, infoOf(3, 5)],
    ]);
    const holders = new KeyCommittees(signersSaying(said), roster(5, 3));
    expect(await holders.learn(KEY)).toBeUndefined();
  });

  it("are not learnt from two liars for good, while too few of the others are there", async () => {
    const all5 = new Map(all(5, infoOf(3, 5)));
    const lying = new Map(all5).set(1, infoOf(2, 2, 9)).set(2, infoOf(2, 2, 9));
    const signers = signersSaying(lying);
    const four = testParties(4);
    const holders = new KeyCommittees(
      { ...signers, live: () => four },
      roster(5, 3, { threshold: 3, leaving: [] }),
    );
    // 1 and 2 lie, 3 and 4 do not, 5 is away: nothing is certain, and no key has a t below 3
    expect(await holders.learn(KEY)).toBeUndefined();
    expect(holders.known(KEY)).toBeUndefined();
  });

  it("are those of the latest epoch that enough hold, not those whom a certificate has not reached", async () => {
    // 3 of 5 held it; 1 to 4 leave and were away; 5, 6 and 7 hold it now, 2 of 3
    const of = testParties(7).filter((index) => index > 4);
    const moved = keyInfoOf(KEY, 2, of, 2);
    const said = new Map(all(7, infoOf(3, 5)));
    for (const index of of) said.set(index, moved);
    const holders = new KeyCommittees(
      signersSaying(said),
      roster(7, 2, { threshold: 2, leaving: [1, 2, 3, 4] }),
    );
    expect(await holders.learn(KEY)).toEqual({ threshold: 2, parties: [5, 6, 7] });
  });
});
