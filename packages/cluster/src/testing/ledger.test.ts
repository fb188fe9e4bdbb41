import { testParty, testSessionId } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import type { SignerEffect } from "../signer/effect.ts";
import { RECORDS, type StoredRecord } from "../signer/record.ts";
import { sessionKey } from "../signer/run-id.ts";
import { requestIdOf } from "./fixtures.ts";
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
    [RECORDS.request.name(requestId), RECORDS.request.write({ version: 1, nonce, forgetAtMs: 1 })],
    [
      RECORDS.tombstone.name("one"),
      RECORDS.tombstone.write({ version: 1, digest, keyId: "key", requestId, nonce, forgetAtMs: 1 }),
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
