import type { SignedAuthorisation } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { testParties } from "@conclave/threshold/testing";
import { ed25519 } from "@noble/curves/ed25519.js";
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { Transaction } from "ethers";
import { beforeEach, describe, expect, it } from "vitest";
import type { MadePartial } from "./made-partial.ts";
import { readsNumbered } from "./payload/read-numbered.ts";
import type { ReadPayload, ReadsPayload } from "./payload/read-payload.ts";
import { RunningChecks } from "./running-checks.ts";

const SECRET = new Uint8Array(32).fill(7);
const CHAIN_ID = 11155111n;
const SIGNED_MS = Date.parse("2026-11-20T10:00:00.000Z");
const TO = `0x${"11".repeat(20)}`;
const [first, second] = testParties(2);

const content = {
  kind: "transfer",
  requestId: "xfr-1",
  keyId: "key-1",
  transfer: { kind: "Native", to: TO, amount: "5" },
  dateAuthorised: "2026-11-20T10:00:00.000Z",
};
const authorised = (change: object = {}): SignedAuthorisation => {
  const payload = utf8ToBytes(JSON.stringify({ ...content, ...change }));
  return { payload, signature: ed25519.sign(payload, SECRET) };
};
const transactionOf = (
  change: { readonly [Field in "to" | "data"]?: string } & {
    readonly nonce?: number;
    readonly value?: bigint;
    readonly chainId?: bigint;
  } = {},
): Transaction =>
  Transaction.from({
    type: 2,
    to: TO,
    value: 5n,
    nonce: 0,
    chainId: CHAIN_ID,
    gasLimit: 21_000n,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
    ...change,
  });

let checks: RunningChecks;
const party = (one: PartyIndex | undefined): PartyIndex => {
  if (one === undefined) throw new Error("two parties");
  return one;
};
/** A signer is asked to sign, and makes a partial signature. */
const signed = (
  transaction: Transaction,
  {
    authorisation = authorised(),
    isAsked = true,
    ...change
  }: Partial<MadePartial> & { readonly authorisation?: SignedAuthorisation; readonly isAsked?: boolean } = {},
): void => {
  const signer = party(first);
  const unsigned = hexToBytes(transaction.unsignedSerialized.slice(2));
  const digest = transaction.unsignedHash.slice(2);
  const made = {
    atMs: 7,
    clocksMs: [SIGNED_MS],
    signer,
    keyId: "key-1",
    presignature: digest,
    digest,
    ...change,
  };
  if (isAsked) checks.passed({ signer: made.signer, keyId: made.keyId, unsigned, authorisation });
  checks.partial(made);
};
const found = () => checks.found.map(({ invariant, atMs }) => [invariant, atMs]);
const words = () => checks.found.map((violation) => violation.words).join();

beforeEach(() => {
  checks = new RunningChecks({
    readers: [readsNumbered(CHAIN_ID)],
    authorityKey: ed25519.getPublicKey(SECRET),
  });
});

describe("the checks of a run", () => {
  it("find nothing in what was authorised, however often and by whichever signer it is signed", () => {
    signed(transactionOf());
    signed(transactionOf(), { presignature: "another" });
    signed(transactionOf({ nonce: 3 }), { signer: party(second) });
    expect(found()).toEqual([]);
  });

  it("INV-1 find a process with t shares of a key, at the time of the last", () => {
    const share = { process: "signer-1", keyId: "key-1", threshold: 2 };
    checks.decoded({ ...share, party: 1, atMs: 1 });
    checks.decoded({ ...share, party: 1, atMs: 2 });
    checks.decoded({ ...share, party: 2, keyId: "key-2", atMs: 3 });
    checks.decoded({ ...share, party: 2, process: "signer-2", atMs: 4 });
    expect(found()).toEqual([]);
    checks.decoded({ ...share, party: 2, atMs: 5 });
    expect(found()).toEqual([["INV-1", 5]]);
  });

  it("INV-2 find a signer that uses a presignature for a second digest", () => {
    signed(transactionOf(), { presignature: "aa" });
    signed(transactionOf(), { presignature: "aa" });
    signed(transactionOf({ nonce: 1 }), { presignature: "aa", signer: party(second) });
    expect(found()).toEqual([]);
    signed(transactionOf(), { presignature: "aa", signer: party(second), atMs: 9 });
    expect(found()).toEqual([
      ["INV-2", 9],
      ["INV-4", 9],
    ]);
  });

  it("INV-2 find a run that a signer opens again", () => {
    checks.opened({ signer: party(first), run: "aa", atMs: 1 });
    checks.opened({ signer: party(second), run: "aa", atMs: 2 });
    checks.opened({ signer: party(first), run: "bb", atMs: 3 });
    expect(found()).toEqual([]);
    checks.opened({ signer: party(first), run: "aa", atMs: 4 });
    expect(found()).toEqual([["INV-2", 4]]);
  });

  it.each([
    ["another recipient", { to: `0x${"22".repeat(20)}` }],
    ["another amount", { value: 6n }],
    ["another chain", { chainId: 1n }],
    ["a call", { data: "0x01" }],
  ])("INV-3 find a payload with %s", (difference, change) => {
    signed(transactionOf(change));
    expect([found(), words()]).toEqual([[["INV-3", 7]], expect.stringContaining(difference)]);
  });

  it("INV-3 INV-8 find a digest that the signer was not asked to sign", () => {
    signed(transactionOf(), { isAsked: false });
    expect(found()).toEqual([
      ["INV-3", 7],
      ["INV-8", 7],
    ]);
  });

  it("INV-3 find a payload of a request that is for another key", () => {
    signed(transactionOf(), { authorisation: authorised({ keyId: "key-2" }) });
    expect(found()).toEqual([["INV-3", 7]]);
  });

  describe("of the answer to a command", () => {
    const answered = (
      digests: readonly (string | undefined)[],
      { authorisation = authorised(), transaction = transactionOf(), keyId = "key-1" } = {},
    ): void => {
      const unsigned = hexToBytes(transaction.unsignedSerialized.slice(2));
      checks.answered({ signer: party(first), keyId, unsigned, authorisation }, { atMs: 7, digests });
    };
    const own = transactionOf().unsignedHash.slice(2);

    it("find nothing in signatures of its own payload", () => {
      answered([own]);
      expect(found()).toEqual([]);
    });

    it.each<readonly [string, string | undefined]>([
      [
        "of a payload that the signer may sign in another session",
        transactionOf({ nonce: 1 }).unsignedHash.slice(2),
      ],
      ["that no key of the cluster made", undefined],
    ])("INV-3 find a signature %s", (_, digest) => {
      signed(transactionOf({ nonce: 1 }), { atMs: 1 });
      answered([own, digest]);
      expect([found(), words()]).toEqual([
        [["INV-3", 7]],
        expect.stringContaining("1 of 2 signatures are of another payload"),
      ]);
    });

    it("INV-3 find a payload that is not what its own request asks for", () => {
      answered([own], { authorisation: authorised({ transfer: { ...content.transfer, amount: "6" } }) });
      answered([own], { keyId: "key-2" });
      expect(words()).toContain("another amount");
      expect(words()).toContain("another key");
    });

    it("INV-3 find a payload that is of no chain of the cluster", () => {
      const transaction = transactionOf({ chainId: 1n });
      answered([transaction.unsignedHash.slice(2)], { transaction });
      expect(found()).toEqual([["INV-3", 7]]);
    });

    it("INV-8 find a command that the authority did not sign", () => {
      answered([own], { authorisation: { ...authorised(), signature: new Uint8Array(64) } });
      expect(found()).toEqual([["INV-8", 7]]);
    });
  });

  it("INV-4 find a signer that signs two transactions of a request that can both land", () => {
    signed(transactionOf());
    signed(transactionOf({ nonce: 1 }), { atMs: 8 });
    expect(found()).toEqual([["INV-4", 8]]);
  });

  it("INV-4 pass transactions of a request that share a coin with each earlier one, and find others", () => {
    const payload = (takes: readonly string[]): ReadPayload => {
      const digests = [takes.join()];
      return { digests, to: TO, amount: 5n, strange: undefined, takes };
    };
    const read: ReadsPayload = (unsigned) => payload(new TextDecoder().decode(unsigned).split(","));
    checks = new RunningChecks({ readers: [read], authorityKey: ed25519.getPublicKey(SECRET) });
    const sign = (coins: string, atMs: number): void => {
      const [signer, keyId, authorisation] = [party(first), "key-1", authorised()];
      checks.passed({ signer, keyId, authorisation, unsigned: utf8ToBytes(coins) });
      checks.partial({ atMs, clocksMs: [SIGNED_MS], signer, keyId, presignature: coins, digest: coins });
    };
    for (const coins of ["a,b", "b,c", "a,b", "b"]) sign(coins, 1);
    expect(found()).toEqual([]);
    sign("a,d", 2);
    expect([found(), words()]).toEqual([
      [["INV-4", 2]],
      expect.stringContaining("key-1/b, key-1/c and for key-1/a"),
    ]);
  });

  it("INV-4 find a view of the chain with two payments of a request, once", () => {
    const [one, two, other] = [
      { hash: "1", to: "a" },
      { hash: "2", to: "a" },
      { hash: "3", to: "b" },
    ];
    checks.block([one, other], 1);
    checks.block([two, other], 2);
    expect(found()).toEqual([]);
    checks.block([one, two], 3);
    checks.block([one, two], 4);
    expect(found()).toEqual([["INV-4", 3]]);
  });

  it.each([
    ["not signed by the authority", { authorisation: { ...authorised(), signature: new Uint8Array(64) } }],
    ["authorised too long ago", { clocksMs: [SIGNED_MS + 15 * 60_000] }],
    ["authorised later", { clocksMs: [SIGNED_MS - 60_001] }],
  ])("INV-8 find a signature whose request was %s", (reason, change) => {
    signed(transactionOf(), change);
    expect([found(), words()]).toEqual([[["INV-8", 7]], expect.stringContaining(reason)]);
  });

  it("INV-8 pass a signature that was decided before the authorisation lapsed", () => {
    signed(transactionOf(), { clocksMs: [SIGNED_MS + 15 * 60_000, SIGNED_MS + 1] });
    expect(found()).toEqual([]);
  });

  it("keep the first violations of each invariant", () => {
    for (let nonce = 0; nonce < 9; nonce += 1) signed(transactionOf({ nonce }), { atMs: nonce });
    expect(found()).toEqual([
      ["INV-4", 1],
      ["INV-4", 2],
      ["INV-4", 3],
    ]);
  });
});
