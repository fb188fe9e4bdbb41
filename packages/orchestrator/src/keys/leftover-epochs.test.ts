import { fail, ok } from "@conclave/custody";
import type { Signer } from "@conclave/platform/coordination";
import type { SignerStatus } from "@conclave/platform/grpc";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import { expect, test } from "vitest";
import { settleLeftoverEpochs } from "./leftover-epochs.ts";

const KEY = "key-a";

const party = (value: number): PartyIndex => {
  const index = partyIndex(value);
  if (index === undefined) throw new RangeError(`${value} is no index`);
  return index;
};

interface Holding {
  /** of the active share; 0 when the signer does not answer */
  epoch: number;
  readonly next?: number;
}

const STATUS: Omit<SignerStatus, "index" | "id" | "next"> = {
  state: "ready",
  parameters: "INSECURE-TEST",
  auxiliaryEpoch: 1,
  auxiliaryDigest: new Uint8Array(32),
  keyCount: 1,
  keys: [],
  sessions: [],
  cpuMicroseconds: 0,
  residentBytes: 0,
  connectedPeers: [],
  pool: {
    ready: 0,
    reserved: 0,
    stored: 0,
    consumed: 0,
    burnt: 0,
    expired: 0,
    refused: 0,
    reused: 0,
    rolledBack: 0,
  },
};

/** Three of five sign; each signer as it holds the key. */
const settle = async (...held: readonly Holding[]): Promise<readonly number[]> => {
  const signers = held.map((holding, at): Signer => {
    const index = party(at + 1);
    return {
      index,
      begin: () => ({ cancel: () => undefined }),
      activateKey: async (_keyId, epoch) => {
        if (holding.epoch === 0) return fail("ServiceUnavailable");
        if (epoch !== undefined && epoch === holding.next) holding.epoch = epoch;
        return ok({ state: "active", epoch: holding.epoch });
      },
      attestKey: async () => fail("Internal"),
      discardKey: async () => fail("Internal"),
      discardPresignatures: async () => ok(0),
      listPresignatures: async () => ok([]),
      getStatus: async () => fail("ServiceUnavailable"),
      watchHealth: () => ({ close: () => undefined }),
      close: () => undefined,
    };
  });
  const view = held.map(({ next }, at) => {
    const id = `signer-${at + 1}`;
    const share = { keyId: KEY, epoch: next ?? 0, session: "ab".repeat(32), digest: new Uint8Array(32) };
    const status = { ...STATUS, index: at + 1, id, next: next === undefined ? [] : [share] };
    return { index: at + 1, id, address: "", live: true, status, stage: undefined };
  });
  const live = held.flatMap(({ epoch }, at) => (epoch === 0 ? [] : [party(at + 1)]));
  const logger = { info: () => undefined };
  await settleLeftoverEpochs({
    signers: { all: () => signers, view: () => view, live: () => live, threshold: 3 },
    logger,
  });
  return held.map(({ epoch }) => epoch);
};

const NEW = { epoch: 2 };
const behind = () => ({ epoch: 1, next: 2 });

test("a signer that missed the activation of a new epoch follows t others into it", async () => {
  expect(await settle(NEW, NEW, NEW, behind(), behind())).toEqual([2, 2, 2, 2, 2]);
});

test("fewer than t may lie: on their word nobody leaves the old epoch", async () => {
  expect(await settle(NEW, NEW, behind(), behind(), behind())).toEqual([2, 2, 1, 1, 1]);
});

test("a change that nobody has activated waits for its operator", async () => {
  expect(await settle(behind(), behind(), behind(), behind(), behind())).toEqual([1, 1, 1, 1, 1]);
});

test("a signer that does not answer counts for nothing, and is asked nothing", async () => {
  expect(await settle(NEW, NEW, { epoch: 0 }, behind(), { epoch: 0, next: 2 })).toEqual([2, 2, 0, 1, 0]);
});
