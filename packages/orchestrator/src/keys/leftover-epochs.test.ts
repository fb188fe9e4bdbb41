import { generateKeyPairSync, sign } from "node:crypto";
import {
  AUXILIARY_SUBJECT,
  certify,
  handoverBytes,
  type KeyHolding,
  receiptBytes,
  withHandovers,
} from "@conclave/cluster";
import { fail, ok } from "@conclave/custody";
import type { Signer } from "@conclave/platform/coordination";
import { IDLE_STATUS } from "@conclave/platform/testing";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import { expect, test } from "vitest";
import { pageOf } from "../testing/key-pages.ts";
import { bringToEpoch, type LeftoverEpochs, settleLeftoverEpochs } from "./leftover-epochs.ts";
import { Leftovers } from "./leftovers.ts";

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
  /** epoch of the key; 0 when the signer does not answer */
  readonly epoch: number;
  readonly next?: number;
  /** number of keys with a next epoch that no other signer knows, listed before the key */
  readonly junk?: number;
  /** number of further keys of which the others keep the certificate, listed after the key */
  readonly more?: number;
  readonly pendingAuxiliary?: number;
  /** its answer to a question for a certificate */
  readonly certificate?: Uint8Array;
}

const pendingOf = (epoch: number) => ({
  from: 1,
  epoch,
  session: "ab".repeat(32),
  digest: DIGEST,
  receipt: new Uint8Array(64),
});

/** The keys with a next epoch that waits at a signer, in the order of its list. */
const keysOf = ({ next, junk = 0, more = 0 }: Holding): readonly KeyHolding[] =>
  [
    ...Array.from({ length: junk }, (_, number) => ({ keyId: `junk-${number}`, next: [pendingOf(2)] })),
    ...(next === undefined ? [] : [{ keyId: KEY, next: [pendingOf(next)] }]),
    ...Array.from({ length: more }, (_, number) => ({ keyId: `more-${number}`, next: [pendingOf(2)] })),
  ].map((key) => ({
    ...key,
    state: "active",
    epoch: 1,
    publicKey: new Uint8Array(33),
    isImported: false,
    isExported: false,
  }));

/** Runs one look. @returns which signers are shown which certificates */
const settle = (...held: readonly Holding[]) => settleIn(1, held);

/** Runs this many looks. @returns which signers are shown which certificates */
const settleIn = (looks: number, held: readonly Holding[]) =>
  settleBy(held, async (work) => {
    const leftovers = new Leftovers("waiting");
    for (let look = 0; look < looks; look++) await settleLeftoverEpochs(work, leftovers);
  });

/** Runs a look over signers with these holdings. @returns which signers are shown which certificates */
const settleBy = async (held: readonly Holding[], look: (work: LeftoverEpochs) => Promise<void>) => {
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
        return ok({ epoch: 2 });
      },
      getCertificate: async (subject) => {
        if (holding.epoch === 0) return fail("ServiceUnavailable");
        const isMore = holding.certificate !== undefined && subject.startsWith("more-");
        return ok(isMore ? certificateOf(subject, 2) : holding.certificate);
      },
      getKeyInfo: async () => fail("KeyUnknown"),
      discardPresignatures: async () => ok(0),
      listPresignatures: async () => ok([]),
      getSigned: async () => fail("ServiceUnavailable"),
      getStatus: async () => fail("ServiceUnavailable"),
      listKeys: async (asked) => ok(pageOf(keysOf(holding), asked)),
      watchHealth: () => ({ close: () => undefined }),
      close: () => undefined,
    };
  });
  const view = held.map(({ pendingAuxiliary }, at) => {
    const id = `signer-${at + 1}`;
    const status = {
      ...IDLE_STATUS,
      keyCount: 1,
      life: undefined,
      index: at + 1,
      id,
      pendingAuxiliary: pendingAuxiliary === undefined ? [] : [pendingOf(pendingAuxiliary)],
    };
    return {
      index: at + 1,
      id,
      address: "",
      live: true,
      status,
      clockAheadMs: undefined,
      isClockOff: false,
      stage: undefined,
    };
  });
  const live = held.flatMap(({ epoch }, at) => (epoch === 0 ? [] : [party(at + 1)]));
  const logger = { info: () => undefined };
  const work = { roster, signers: { all: () => signers, view: () => view, live: () => live }, logger };
  await look(work);
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

test("one signer's claim keeps no other from its certificate, nor itself for ever", async () => {
  const liar = { epoch: 1, next: 2, junk: 100 };
  expect(await settleIn(1, [liar, there, behind])).toEqual([[3, CERTIFICATE]]);
  const shown = await settleIn(13, [liar, there, behind]);
  expect(shown.some(([signer]) => signer === 1)).toBe(true);
});

test("of a hundred leftovers the first forty, which nobody can settle, keep none of the others from its turn", async () => {
  const shown = await settleIn(13, [there, { ...behind, junk: 40, more: 59 }]);
  expect(shown.map(([signer]) => signer)).toEqual(Array.from({ length: 60 }, () => 2));
  expect(new Set(shown.map(([, certificate]) => Buffer.from(certificate).toString("hex"))).size).toBe(60);
});

test("a signer that signing met in an earlier epoch is shown that key's certificate at once, whatever else waits there", async () => {
  const held = [there, { ...behind, junk: 100 }, behind];
  expect(await settleBy(held, (work) => bringToEpoch(work, party(2), KEY))).toEqual([[2, CERTIFICATE]]);
});

test.each([
  ["that holds no other epoch", there, KEY],
  ["of a key that it does not hold", behind, "key-b"],
  ["that is not in the roster", behind, KEY],
])("a signer %s is shown nothing, even when a session says that it is behind", async (what, said, keyId) => {
  const index = party(what.includes("roster") ? 9 : 2);
  expect(await settleBy([there, said], (work) => bringToEpoch(work, index, keyId))).toEqual([]);
});

/*
 * A signer that handed the key over keeps the certificate as it received it, without handovers; one that has switched
 * keeps it with them. A signer that joins the key waits for handovers.
 */
test("of two certificates of one epoch the one with handovers is shown", async () => {
  const one = party(1);
  const key = identities.get(one)?.privateKey ?? expect.fail("it has one");
  const known = { sinceMs: 0, latestMs: 0, requests: [] };
  const bytes = handoverBytes(roster, one, { subject: KEY, to: 2, session: SESSION }, known);
  const handover = { signer: one, ...known, signature: new Uint8Array(sign(null, bytes, key)) };
  const whole = withHandovers(CERTIFICATE, new Map([[one, handover]]));
  const leaving = { epoch: 1, certificate: CERTIFICATE };
  const shownTo = (first: Holding) => settle(first, { epoch: 2, certificate: whole }, behind);
  expect(await shownTo({ epoch: 0 })).toEqual([[3, whole]]);
  expect(await shownTo(leaving)).toEqual([[3, whole]]);
});
