import { ENVELOPE_KIND, Secret, SIGNING_ROUND } from "@conclave/threshold";
import { testParty, testSessionId } from "@conclave/threshold/testing";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { sessionKey } from "../control/session-key.ts";
import type { SignerEffect } from "../signer/effect.ts";
import { RECORDS, type StoredRecord } from "../signer/records/record.ts";
import { reader, requestIdOf, transactionOf } from "./fixtures.ts";
import { openLedger } from "./ledger.ts";

const signer = testParty(1);
const digest = new Uint8Array(32).fill(5);
const requestId = requestIdOf(1);

const signs = (name: string): SignerEffect => {
  const session = sessionKey(testSessionId(name));
  if (session === undefined) throw new Error("a session id has 32 bytes");
  return { kind: "compute", session, task: { kind: "open-signing", digest } };
};

const durable = (nonce: bigint): Map<string, StoredRecord["value"]> =>
  new Map([
    [
      RECORDS.request.name(requestId),
      RECORDS.request.write({
        version: 2,
        network: "EthereumSepolia",
        transactions: [{ exclusion: reader.exclusionOfNonce(nonce), digests: [] }],
        forgetAtMs: 1,
      }),
    ],
    [
      RECORDS.tombstone.name("one"),
      RECORDS.tombstone.write({ version: 2, digest, keyId: "key", requestId, forgetAtMs: 1 }),
    ],
  ]);

test("INV-2 the ledger catches a partial signature without a durable tombstone", () => {
  expect(() => openLedger().watch(signer, signs("a"), new Map())).toThrow("INV-2");
});

test("INV-2 the ledger catches a second partial signature of one session", () => {
  const ledger = openLedger();
  ledger.watch(signer, signs("a"), durable(7n));
  expect(() => ledger.watch(signer, signs("a"), durable(7n))).toThrow("INV-2");
});

test("INV-4 the ledger catches a request without a durable nonce, and one with two", () => {
  const records = durable(7n);
  records.delete(RECORDS.request.name(requestId));
  expect(() => openLedger().watch(signer, signs("a"), records)).toThrow("INV-4");
  const ledger = openLedger();
  ledger.watch(signer, signs("a"), durable(7n));
  expect(() => ledger.watch(signer, signs("b"), durable(8n))).toThrow("INV-4");
});

test("INV-4 the ledger catches two transactions of a request that could both land, and not one that follows a dead one", () => {
  const [one, two] = [transactionOf(7), transactionOf(8)];
  const transactions = [one, two].map((unsigned, at) => ({
    exclusion: reader.exclusionOfNonce(BigInt(7 + at)),
    digests: [bytesToHex(sha256(unsigned))],
  }));
  const request = RECORDS.request.write({ version: 2, network: "n", transactions, forgetAtMs: 1 });
  const records = durable(7n).set(RECORDS.request.name(requestId), request);
  expect(() => openLedger().watch(signer, signs("a"), records)).toThrow("INV-4");
  const ledger = openLedger();
  ledger.bury(one);
  expect(() => ledger.watch(signer, signs("a"), records)).not.toThrow();
});

const presigns = (share: number): SignerEffect => {
  const session = sessionKey(testSessionId("epochs"));
  if (session === undefined) throw new Error("a session id has 32 bytes");
  const key = new Secret(new Uint8Array([share]));
  const auxiliary = new Secret(new Uint8Array(1));
  const task = { kind: "open-presigning", purpose: "request", signers: [signer], key, auxiliary } as const;
  return { kind: "compute", session, task };
};

const holding = (share: number, epoch: number, state: "pending" | "active" = "active") => {
  const secret = new Secret(new Uint8Array([share]));
  const nothing = new Uint8Array(0);
  const key = {
    version: 1,
    scheme: "CGGMP24",
    state,
    epoch,
    publicKey: nothing,
    chainCode: nothing,
  } as const;
  return new Map([[RECORDS.key.name("key"), RECORDS.key.write({ ...key, share: secret })]]);
};

test("the ledger catches a share that is not active, and a session of two epochs", () => {
  expect(() => openLedger().watch(signer, presigns(7), holding(8, 1))).toThrow("not its active one");
  expect(() => openLedger().watch(signer, presigns(7), holding(7, 1, "pending"))).toThrow(
    "not its active one",
  );
  const ledger = openLedger();
  ledger.watch(signer, presigns(7), holding(7, 1));
  ledger.watch(testParty(2), presigns(8), holding(8, 1));
  expect(() => ledger.watch(testParty(3), presigns(9), holding(9, 2))).toThrow("mixes epochs");
});

const id = "ab".repeat(32);

const signsPooled = (name: string): SignerEffect => {
  const session = sessionKey(testSessionId(name));
  if (session === undefined) throw new Error("a session id has 32 bytes");
  const presignature = new Secret(new Uint8Array(1));
  const key = { keyId: "key", epoch: 1 };
  const task = {
    kind: "open-pooled-signing",
    id,
    presignature,
    key,
    digest: { from: "transaction", bytes: digest },
  } as const;
  return { kind: "compute", session, task };
};

const buried = (spentOn: Uint8Array): Map<string, StoredRecord["value"]> => {
  const tombstone = {
    version: 2,
    digest: spentOn,
    session: "s",
    keyId: "key",
    requestId,
  } as const;
  const value = RECORDS.spent.write({ ...tombstone, spentAtMs: 1, forgetAtMs: 1 });
  return durable(7n).set(RECORDS.spent.name(id), value);
};

test("INV-2 the ledger catches a presignature without its own tombstone, or with one of another digest", () => {
  expect(() => openLedger().watch(signer, signsPooled("a"), durable(7n))).toThrow("INV-2");
  const other = buried(new Uint8Array(32).fill(6));
  expect(() => openLedger().watch(signer, signsPooled("a"), other)).toThrow("INV-2");
});

test("INV-2 the ledger catches a presignature that is still kept, and one that is used in two sessions", () => {
  const kept = buried(digest).set(RECORDS.presignature.name(id), new Secret(new Uint8Array(1)));
  expect(() => openLedger().watch(signer, signsPooled("a"), kept)).toThrow("still keeps");
  const ledger = openLedger();
  ledger.watch(signer, signsPooled("a"), buried(digest));
  expect(() => ledger.watch(signer, signsPooled("b"), buried(digest))).toThrow("twice");
});

test("INV-2 the ledger catches a partial signature that leaves without the tombstone of its presignature", () => {
  const ledger = openLedger();
  const compute = signsPooled("a");
  ledger.watch(signer, compute, buried(digest));
  const envelope = {
    session: testSessionId("a"),
    round: SIGNING_ROUND,
    kind: ENVELOPE_KIND.broadcast,
    from: signer,
    to: 0,
    payload: new Uint8Array(32),
    signature: new Uint8Array(64),
  };
  const send = { kind: "send", to: testParty(2), envelope } as const;
  ledger.watch(signer, send, buried(digest));
  expect(ledger.partials).toMatchObject([{ signer, presignature: id }]);
  expect(() => ledger.watch(signer, send, durable(7n))).toThrow("leaves");
});
