import type { PendingEpoch } from "@conclave/cluster";
import { testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import type { StatusReply } from "./generated/proto.gen.ts";
import { CONTROL } from "./proto.ts";
import { fromStatusReply, type SignerStatus, toStatusReply } from "./signer-status.ts";

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
  auxiliaryDigest: Buffer.alloc(32),
  keyCount: 2,
  keysToRefresh: 1,
  pendingAuxiliary: [pending(0), pending(1)],
  sessions: [],
  cpuMicroseconds: 1,
  residentBytes: 2,
  connectedPeers: [],
  quarantined: [
    {
      signer: testParty(3),
      check: "presign/2 Πaff-g of D",
      evidence: "ab".repeat(32),
      auxiliaryEpoch: 4,
      provenAtMs: 1_795_000_000_000,
    },
  ],
  clockMs: 1_795_000_000_001,
  life: Buffer.alloc(16, 7),
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

/** The reply as the caller receives it. */
const overTheWire = (reply: StatusReply) => {
  const { responseSerialize, responseDeserialize } = CONTROL.GetStatus;
  return responseDeserialize(responseSerialize(reply));
};

test("a status counts the keys and names none", () => {
  expect(overTheWire(toStatusReply(STATUS))).toMatchObject({ keyCount: 2, keys: [], nextShares: [] });
});

test("a quarantine that names no possible signer is ignored", () => {
  const reply = toStatusReply(STATUS);
  const quarantined = [0, 65].map((signer) => ({ ...reply.quarantined?.[0], signer }));
  expect(fromStatusReply(overTheWire({ ...reply, quarantined })).quarantined).toEqual([]);
});

test("a status is the same before and after it went over the wire", () => {
  expect(fromStatusReply(overTheWire(toStatusReply(STATUS)))).toEqual(STATUS);
});

test("a status tells the signer's time; that of an older signer tells none", () => {
  expect(fromStatusReply(overTheWire(toStatusReply(STATUS))).clockMs).toBe(1_795_000_000_001);
  const { clockMs: _, ...older } = toStatusReply(STATUS);
  expect(fromStatusReply(overTheWire(older)).clockMs).toBeUndefined();
});
