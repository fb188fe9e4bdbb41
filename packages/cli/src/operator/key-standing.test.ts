import { partyIndex } from "@conclave/threshold";
import { expect, test } from "vitest";
import { keyStandings } from "./key-standing.ts";

const KEY = "key-a";
const PUBLIC_KEY = new Uint8Array(33).fill(2);

interface Said {
  readonly epoch: number;
  readonly next?: number;
  readonly state?: "pending" | "active";
}

/** The standing of one key at signers 1, 2 and so on; epoch 0 means that the signer does not have the key. */
const standing = (...said: readonly Said[]) => standingAmong("settled", said);

const standingAmong = (which: "settled" | "all", said: readonly Said[]) => {
  const heard = new Map(
    said.flatMap(({ epoch, next, state = "active" }, at) => {
      const index = partyIndex(at + 1);
      if (index === undefined) return [];
      const made = { from: epoch, session: "ab".repeat(32), digest: new Uint8Array(32) };
      const share = { epoch: next ?? 0, ...made, receipt: new Uint8Array(64) };
      const key = {
        keyId: KEY,
        state: epoch === 0 ? ("absent" as const) : state,
        epoch,
        publicKey: PUBLIC_KEY,
        isImported: false,
        isExported: false,
        next: next === undefined ? [] : [share],
      };
      return [[index, new Map([[KEY, key]])] as const];
    }),
  );
  return keyStandings(heard, 2, which)[0];
};

test("a key that all signers hold in one epoch is lacking at none", () => {
  expect(standing({ epoch: 2 }, { epoch: 2 }, { epoch: 2 })).toMatchObject({
    keyId: KEY,
    publicKey: "02".repeat(33),
    epoch: 2,
    lacking: [],
    isHalfActive: false,
  });
});

test("a signer without the key, or with an epoch that is over, lacks it", () => {
  expect(standing({ epoch: 2 }, { epoch: 0 }, { epoch: 2 }, { epoch: 1 })).toMatchObject({
    epoch: 2,
    lacking: [2, 4],
    isHalfActive: false,
  });
});

test("a key is half active if some signers are in its new epoch and the others hold shares of it", () => {
  const [there, behind] = [{ epoch: 3 }, { epoch: 2, next: 3 }];
  expect(standing(there, there, behind)).toMatchObject({ epoch: 3, lacking: [3], isHalfActive: true });
});

test("an epoch that fewer than t name is not the key's", () => {
  expect(standing({ epoch: 99 }, { epoch: 2 }, { epoch: 2 })).toMatchObject({ epoch: 2, lacking: [] });
});

test("a key whose new epoch no signer has activated is in the old one", () => {
  expect(standing({ epoch: 2, next: 3 }, { epoch: 2, next: 3 }, { epoch: 2 })).toMatchObject({
    epoch: 2,
    lacking: [],
    isHalfActive: false,
  });
});

test("a key that is still being made is left alone", () => {
  expect(standing({ epoch: 1 }, { epoch: 1, state: "pending" })).toBeUndefined();
});

test("a key that enough hold is not left out because one signer says that it is being made", () => {
  // otherwise a move would skip the key, report success, and have the signers stopped that hold its only shares
  const said = [{ epoch: 1 }, { epoch: 1 }, { epoch: 1 }, { epoch: 1, state: "pending" as const }];
  expect(standingAmong("all", said)).toMatchObject({ keyId: KEY, epoch: 1 });
});

const heardOf = (publicKeys: readonly (Uint8Array | undefined)[]) =>
  new Map(
    publicKeys.flatMap((publicKey, at) => {
      const index = partyIndex(at + 1);
      if (index === undefined) return [];
      const key = {
        keyId: KEY,
        state: "active" as const,
        epoch: 1,
        isImported: false,
        isExported: false,
        next: [],
      };
      const keys = publicKey === undefined ? [] : [[KEY, { ...key, publicKey }] as const];
      return [[index, new Map(keys)] as const];
    }),
  );

test("a key has the public key that enough signers name, not the one that the last of them names", () => {
  const liar = new Uint8Array(33).fill(3);
  const [key] = keyStandings(heardOf([PUBLIC_KEY, PUBLIC_KEY, PUBLIC_KEY, liar]), 2);
  expect(key?.publicKey).toBe("02".repeat(33));
});

test("a key that one signer alone names stops no move of the others", () => {
  expect(keyStandings(heardOf([undefined, undefined, PUBLIC_KEY]), 2, "all")).toEqual([]);
});
