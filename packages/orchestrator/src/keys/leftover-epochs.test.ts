import { generateKeyPairSync, sign } from "node:crypto";
import { AUXILIARY_SUBJECT, certify, receiptBytes } from "@conclave/cluster";
import { fail, ok } from "@conclave/custody";
import type { Signer } from "@conclave/platform/coordination";
import type { SignerStatus } from "@conclave/platform/grpc";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import { expect, test } from "vitest";
import { settleLeftoverEpochs } from "./leftover-epochs.ts";
import { Rotation } from "./rotation.ts";

const KEY = "key-a";

const party = (value: number): PartyIndex => {
  const index = partyIndex(value);
  if (index === undefined) throw new RangeError(`${value} is no index`);
  return index;
};

const PARTIES = [1, 2, 3].map(party);
const identities = new Map(PARTIES.map((index) => [index, generateKeyPairSync("ed25519")]));
const roster = new Map(
  [...identities].map(([index, { publicKey }]) => {
    const { x = "" } = publicKey.export({ format: "jwk" });
    const identity = new Uint8Array(Buffer.from(x, "base64url"));
    return [index, { id: `signer-${index}`, identity, encryption: new Uint8Array(32) }];
  }),
);

const DIGEST = new Uint8Array(32).fill(3);
const SESSION = new Uint8Array(32).fill(0xab);

const certificateOf = (subject: string, to: number): Uint8Array => {
  const made = { subject, from: 1, to, digest: DIGEST, session: SESSION };
  const receipts = new Map(
    [...identities].map(([index, { privateKey }]) => [
      index,
      new Uint8Array(sign(null, receiptBytes(roster, index, made), privateKey)),
    ]),
  );
  return certify(roster, made, receipts) ?? expect.fail("all signed");
};

interface Holding {
  /** of the key; 0 when the signer does not answer */
  readonly epoch: number;
  readonly next?: number;
  /** keys of which nobody else knows a next epoch, shown before it */
  readonly junk?: number;
  readonly pendingAuxiliary?: number;
  /** what it answers who is asked for a certificate */
  readonly certificate?: Uint8Array;
}

const pendingOf = (epoch: number) => ({
  from: 1,
  epoch,
  session: "ab".repeat(32),
  digest: DIGEST,
  receipt: new Uint8Array(64),
});

const STATUS: Omit<SignerStatus, "index" | "id" | "next" | "pendingAuxiliary"> = {
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

/** Which signers are shown which certificates. */
const settle = (...held: readonly Holding[]) => settleIn(1, held);

/** The same, in so many looks. */
const settleIn = async (looks: number, held: readonly Holding[]) => {
  const shown: (readonly [number, Uint8Array])[] = [];
  const signers = held.map((holding, at): Signer => {
    const index = party(at + 1);
    return {
      index,
      begin: () => ({ cancel: () => undefined }),
      activateKey: async () => fail("Internal"),
      attestKey: async () => fail("Internal"),
      discardKey: async () => fail("Internal"),
      switchEpoch: async (certificate) => {
        shown.push([index, certificate]);
        return ok(2);
      },
      getCertificate: async () =>
        holding.epoch === 0 ? fail("ServiceUnavailable") : ok(holding.certificate),
      discardPresignatures: async () => ok(0),
      listPresignatures: async () => ok([]),
      getStatus: async () => fail("ServiceUnavailable"),
      watchHealth: () => ({ close: () => undefined }),
      close: () => undefined,
    };
  });
  const view = held.map(({ next, pendingAuxiliary, junk = 0 }, at) => {
    const id = `signer-${at + 1}`;
    const status = {
      ...STATUS,
      index: at + 1,
      id,
      next: [
        ...Array.from({ length: junk }, (_, number) => ({ keyId: `junk-${number}`, ...pendingOf(2) })),
        ...(next === undefined ? [] : [{ keyId: KEY, ...pendingOf(next) }]),
      ],
      pendingAuxiliary: pendingAuxiliary === undefined ? [] : [pendingOf(pendingAuxiliary)],
    };
    return { index: at + 1, id, address: "", live: true, status, stage: undefined };
  });
  const live = held.flatMap(({ epoch }, at) => (epoch === 0 ? [] : [party(at + 1)]));
  const logger = { info: () => undefined };
  const work = { roster, signers: { all: () => signers, view: () => view, live: () => live }, logger };
  const turns = new Rotation<PartyIndex>();
  for (let look = 0; look < looks; look++) await settleLeftoverEpochs(work, turns);
  return shown;
};

const CERTIFICATE = certificateOf(KEY, 2);
const there = { epoch: 2, certificate: CERTIFICATE };
const behind = { epoch: 1, next: 2 };

test("a signer that missed a new epoch is shown its certificate, though one alone keeps it", async () => {
  expect(await settle(there, behind, behind)).toEqual([
    [2, CERTIFICATE],
    [3, CERTIFICATE],
  ]);
});

test("auxiliary information is brought to stragglers like a key", async () => {
  const certificate = certificateOf(AUXILIARY_SUBJECT, 2);
  expect(await settle({ epoch: 1, certificate }, { epoch: 1, pendingAuxiliary: 2 })).toEqual([
    [2, certificate],
  ]);
});

test("a change of which nobody shows a certificate waits for its operator", async () => {
  expect(await settle({ epoch: 2 }, behind, behind)).toEqual([]);
});

test.each<[string, Uint8Array]>([
  ["that is forged", CERTIFICATE.with(-1, (CERTIFICATE.at(-1) ?? 0) ^ 1)],
  ["of another key", certificateOf("key-b", 2)],
  ["of the auxiliary information", certificateOf(AUXILIARY_SUBJECT, 2)],
  ["that is no bytes at all", new Uint8Array(0)],
])("a certificate %s is shown to nobody", async (_, certificate) => {
  expect(await settle({ epoch: 2, certificate }, behind, behind)).toEqual([]);
});

test("the certificate of an epoch before the one that waits is not shown again and again", async () => {
  expect(await settle(there, { epoch: 2, next: 3 })).toEqual([]);
});

test("a signer that does not answer is asked and shown nothing", async () => {
  expect(await settle(there, behind, { epoch: 0, next: 2 })).toEqual([[2, CERTIFICATE]]);
});

test("what one signer claims keeps no other from its certificate, nor itself for ever", async () => {
  const liar = { epoch: 1, next: 2, junk: 100 };
  expect(await settleIn(1, [liar, there, behind])).toEqual([[3, CERTIFICATE]]);
  const shown = await settleIn(13, [liar, there, behind]);
  expect(shown.some(([signer]) => signer === 1)).toBe(true);
});
