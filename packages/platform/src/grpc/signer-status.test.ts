import type { PendingEpoch } from "@conclave/cluster";
import { expect, test } from "vitest";
import { type SignerStatus, toStatusReply } from "./signer-status.ts";

const pending = (from: number): PendingEpoch => ({
  from,
  epoch: from + 1,
  session: "ab".repeat(32),
  digest: Buffer.alloc(32, from),
  receipt: Buffer.alloc(64, 9),
});

const STATUS: SignerStatus = {
  index: 1,
  id: "signer-1",
  state: "ready",
  parameters: "INSECURE-TEST",
  auxiliaryEpoch: 1,
  auxiliaryDigest: new Uint8Array(32),
  keyCount: 2,
  keys: [
    {
      keyId: "key-a",
      state: "active",
      epoch: 3,
      publicKey: new Uint8Array(33),
      isImported: true,
      isExported: false,
    },
    {
      keyId: "key-b",
      state: "pending",
      epoch: 1,
      publicKey: new Uint8Array(33),
      isImported: false,
      isExported: false,
    },
  ],
  next: [{ keyId: "key-a", ...pending(3) }],
  pendingAuxiliary: [pending(0), pending(1)],
  sessions: [],
  cpuMicroseconds: 1,
  residentBytes: 2,
  connectedPeers: [],
  pool: {
    ready: 1,
    reserved: 2,
    stored: 3,
    consumed: 4,
    burnt: 5,
    expired: 6,
    refused: 7,
    reused: 8,
    rolledBack: 9,
  },
};

const named = (allKeys: boolean) => toStatusReply(STATUS, allKeys).keys?.map(({ keyId }) => keyId);

test("a status names pending keys alone, however many active ones there are, but counts them all", () => {
  expect(named(false)).toEqual(["key-b"]);
  expect(toStatusReply(STATUS, false).keyCount).toBe(2);
});

test("a status names every share of a next epoch, for each waits for somebody to say what becomes of it", () => {
  expect(toStatusReply(STATUS, false).nextShares).toMatchObject([{ keyId: "key-a", epoch: 4 }]);
});

test("a status says of each key whether a client brought it, or has it", () => {
  expect(toStatusReply(STATUS, true).keys).toMatchObject([
    { imported: true, exported: false },
    { imported: false, exported: false },
  ]);
});

test("a status names every key when all are asked for", () => {
  expect(named(true)).toEqual(["key-a", "key-b"]);
});
