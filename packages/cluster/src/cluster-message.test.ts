import { ENVELOPE_KIND, taprootOutputKey, withScheme } from "@conclave/threshold";
import { insecureSchemeShares, testParties, testSessionId } from "@conclave/threshold/testing";
import { numberToBytesBE } from "@noble/curves/utils.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import type { SigningResult } from "./coordinator/effect.ts";
import { MESSAGE_ATTEMPT_MS } from "./coordinator/limits.ts";
import { MESSAGE_SESSION_MS_MAX, REQUEST_AGE_MS_MAX } from "./signer/limits.ts";
import { cheating, flipLastBit } from "./testing/cheats.ts";
import { CONFIRMED_MS, type TestCluster, type Wire } from "./testing/cluster.ts";
import { generateKeyOn } from "./testing/drive.ts";
import {
  authorisedAnew,
  authoriseKey,
  authoriseMessage,
  authoriseSignature,
  authoriseTransfer,
  KEY_ID,
  keyIdOf,
  START_MS,
  transactionOf,
} from "./testing/fixtures.ts";
import { FROST_KEYS } from "./testing/frost-records.ts";
import { EDWARDS, MESSAGE, messageCluster, signMessageOn } from "./testing/message-drive.ts";
import type { TestAsked } from "./testing/signer-input.ts";

const [, BIP340, TAPROOT] = FROST_KEYS;

/**
 * A wire with signed lies of one signer, which receives no signature shares, so that it has no signature before the
 * others report it.
 */
const lying = (culprit: number, round: number, change: (payload: Uint8Array) => Uint8Array): Wire => {
  const wire = cheating(
    culprit,
    (envelope) => envelope.round === round && envelope.kind === ENVELOPE_KIND.broadcast,
    change,
  );
  return (transit) => (transit.to === culprit && transit.envelope.round === 2 ? [] : wire(transit));
};
/** The only signature of a result, 64 bytes. */
const signatureBytes = (result: SigningResult | undefined): Uint8Array => {
  const [signature] = result?.signatures ?? [];
  return signature !== undefined && signature.scheme !== "CGGMP24"
    ? signature.bytes
    : expect.fail("it is signed");
};
const WRONG_SHARE = (): Uint8Array => numberToBytesBE(5n, 32);

/** A transaction that the fixtures' family reads for Ed25519 keys, and the bytes that are signed. */
const edwardsTransaction = (nonce: string) => {
  const content = { kind: "transaction", network: "AlgorandTestnet", transaction: nonce };
  const readable = { kind: "readable", family: "Algorand", content } as const;
  const authorisation = authoriseSignature(1, readable, EDWARDS.keyId, "FROST-Ed25519");
  return { authorisation, message: utf8ToBytes(JSON.stringify(content)) };
};

describe("a transaction of an Ed25519 key that is signed and not sent", () => {
  test("INV-3 is signed as the family reads it", () => {
    const cluster = messageCluster({ seed: "edwards" });
    const outcome = signMessageOn(cluster, edwardsTransaction("07"));
    cluster.until(() => outcome.isClosed);
    expect(outcome.result?.attempts).toBe(1);
  });

  test("INV-4 binds its request: another one that it does not exclude is refused", () => {
    const cluster = messageCluster({ seed: "edwards twice" });
    const first = signMessageOn(cluster, edwardsTransaction("07"));
    cluster.until(() => first.isClosed);
    const second = signMessageOn(cluster, { ...edwardsTransaction("08"), seed: "2" });
    cluster.until(() => second.isClosed);
    expect(second.result).toBeUndefined();
    expect(JSON.stringify(second)).toContain("TransactionNotExcluding");
    const again = signMessageOn(cluster, { ...edwardsTransaction("07"), seed: "3" });
    cluster.until(() => again.isClosed);
    // not at once: a signer outside the first quorum may have bound itself to the second transaction
    expect(again.result).toBeDefined();
  });

  test("INV-3 is not signed as a message, which nobody would have read", () => {
    const cluster = messageCluster({ seed: "disguised" });
    const outcome = signMessageOn(cluster, { message: utf8ToBytes("TX and more") });
    cluster.until(() => outcome.isClosed);
    expect(outcome.result).toBeUndefined();
    expect(JSON.stringify(outcome)).toContain("TransactionUnreadable");
  });
});

describe("a cluster of five with a threshold of three signs a message", () => {
  test.each(FROST_KEYS)("with a key of $scheme at the first attempt, and stores nothing", (key) => {
    const cluster = messageCluster({ seed: key.scheme });
    const stored = () => [...cluster.nodes.values()].map(({ records }) => [...records.keys()]);
    const before = stored();
    const outcome = signMessageOn(cluster, { key });
    cluster.until(() => outcome.isClosed);
    expect(outcome.result?.attempts).toBe(1);
    expect(outcome.faults).toEqual([]);
    expect(stored()).toEqual(before);
  });

  test.each(FROST_KEYS)("with a key of $scheme that it made itself", ({ scheme }) => {
    const key = { scheme, keyId: keyIdOf(21) };
    const cluster = messageCluster({ seed: `make ${scheme}` });
    const made = generateKeyOn(cluster, key.keyId, "1", scheme);
    cluster.until(() => made.isClosed);
    const publicKey = made.result?.publicKey ?? new Uint8Array(0);
    expect(publicKey).toHaveLength(32);
    const outcome = signMessageOn(cluster, { ...key, key, publicKey });
    cluster.until(() => outcome.isClosed);
    expect(outcome.result?.attempts).toBe(1);
  });

  test("INV-3 P21 with a Taproot key that each tweaks with the script tree of the authorised request", () => {
    const cluster = messageCluster({ seed: "tree" });
    const merkleRoot = new Uint8Array(32).fill(0x5b);
    const internalKey = withScheme(TAPROOT.scheme, (scheme) => {
      const [share] = insecureSchemeShares(scheme, 3, testParties(5), TAPROOT.scheme).values();
      return share?.info.publicKey.toBytes() ?? expect.fail();
    });
    const authorisation = authoriseMessage(MESSAGE, TAPROOT, undefined, merkleRoot);
    const publicKey = taprootOutputKey(internalKey, merkleRoot) ?? expect.fail();
    const outcome = signMessageOn(cluster, { key: TAPROOT, authorisation, publicKey });
    cluster.until(() => outcome.isClosed);
    expect(outcome.result?.attempts).toBe(1);
  });

  test("of 64 KiB, and an empty one", () => {
    const cluster = messageCluster({ seed: "sizes" });
    for (const message of [new Uint8Array(64 * 1024).fill(7), new Uint8Array(0)]) {
      const outcome = signMessageOn(cluster, { message, seed: String(message.length) });
      cluster.until(() => outcome.isClosed);
      expect(outcome.result?.attempts).toBe(1);
    }
  });

  test("many at once, each with nonces of its own", () => {
    const cluster = messageCluster({ seed: "many" });
    const outcomes = ["a", "b", "c", "d"].map((text) =>
      signMessageOn(cluster, { message: utf8ToBytes(text), seed: text }),
    );
    cluster.until(() => outcomes.every(({ isClosed }) => isClosed));
    const nonces = outcomes.map(({ result }) => signatureBytes(result).slice(0, 32).join());
    expect(new Set(nonces).size).toBe(4);
  });

  test.each([1, 2])("within a second when a signer dies in round %i", (round) => {
    const cluster = messageCluster({ seed: `death ${round}` });
    const outcome = signMessageOn(cluster);
    const victim = outcome.calls[0]?.signer ?? 0;
    cluster.wire = (transit) => {
      if (transit.from !== victim || transit.envelope.round < round) return [transit];
      cluster.kill(victim);
      return [];
    };
    const diedAtMs = cluster.world.nowMs();
    cluster.until(() => outcome.isClosed);
    expect(outcome.result?.quorum).not.toContain(victim);
    expect(outcome.faults).toEqual([]);
    expect(cluster.world.nowMs() - diedAtMs).toBeLessThan(1_000);
  });

  test.each<readonly [string, number, (payload: Uint8Array) => Uint8Array]>([
    ["a wrong signature share", 2, WRONG_SHARE],
    ["another request", 1, (payload) => payload.with(0, (payload[0] ?? 0) ^ 1)],
    [
      "another commitment than it used",
      1,
      (payload) => payload.map((byte, at) => payload[at < 32 ? at : 64 + ((at - 64) % 32)] ?? byte),
    ],
  ])("INV-7 without a signer that says %s: it is named", (_, round, change) => {
    const cluster = messageCluster({ seed: `cheat ${round}` });
    const outcome = signMessageOn(cluster);
    const culprit = outcome.calls[1]?.signer ?? 0;
    cluster.wire = lying(culprit, round, change);
    cluster.until(() => outcome.isClosed);
    expect(new Set(outcome.faults.map(({ verdict }) => verdict.culprit))).toEqual(new Set([culprit]));
    expect(outcome.faults[0]?.evidence.messages).not.toHaveLength(0);
    expect(outcome.result?.quorum).not.toContain(culprit);
  });

  test("P12 INV-7 without a signer that commits to different nonces at different peers: it is named", () => {
    const cluster = messageCluster({ seed: "equivocation" });
    const outcome = signMessageOn(cluster);
    const [culprit = 0, victim] = outcome.calls.map(({ signer }) => signer);
    cluster.wire = cheating(
      culprit,
      ({ round, kind }, to) => round === 1 && kind === ENVELOPE_KIND.broadcast && to === victim,
      flipLastBit,
    );
    cluster.until(() => outcome.isClosed);
    expect(new Set(outcome.faults.map(({ verdict }) => verdict.culprit))).toEqual(new Set([culprit]));
    expect(outcome.result?.quorum).not.toContain(culprit);
  });
});

type BeginMessage = TestAsked<"signing">;

/** Asks signer 1 to begin, and returns its answer. */
const ask = (cluster: TestCluster, change: Partial<BeginMessage> = {}, signer = 1) => {
  const asked = cluster.call(signer, (call) => ({
    kind: "signing",
    call,
    session: testSessionId("message"),
    quorum: [1, 2, 3],
    keyId: EDWARDS.keyId,
    authorisation: authoriseMessage(MESSAGE, EDWARDS),
    unsigned: new Uint8Array(0),
    presignatures: [],
    dead: undefined,
    expiresAtMs: cluster.world.nowMs() + MESSAGE_ATTEMPT_MS,
    ...change,
  }));
  cluster.rest(100);
  return asked;
};

const refusal = (code: string) => [{ kind: "refusal", problem: { code } }];

describe("a signer refuses to sign a message", () => {
  const authorised = authoriseMessage(MESSAGE, EDWARDS);
  const old = new Date(START_MS - REQUEST_AGE_MS_MAX).toISOString();

  test.each<readonly [string, string, Partial<BeginMessage>]>([
    [
      "that was changed after it was authorised",
      "AuthorisationInvalid",
      { authorisation: { ...authorised, payload: flipLastBit(authorised.payload) } },
    ],
    [
      "that is authorised for another key",
      "AuthorisationInvalid",
      { authorisation: authoriseMessage(MESSAGE, BIP340) },
    ],
    [
      "that was authorised too long ago",
      "AuthorisationInvalid",
      { authorisation: authorisedAnew(authoriseMessage(MESSAGE, EDWARDS, old), START_MS) },
    ],
    [
      "with the authorisation of a transfer, of which there is no transaction",
      "TransactionUnreadable",
      { authorisation: authoriseTransfer(1, EDWARDS.keyId) },
    ],
    [
      "with the authorisation of a key",
      "AuthorisationInvalid",
      { authorisation: authoriseKey(EDWARDS.keyId, 3, "FROST-Ed25519") },
    ],
    [
      "with an ECDSA key",
      "KeySchemeMismatch",
      { keyId: KEY_ID, authorisation: authoriseMessage(MESSAGE, { ...EDWARDS, keyId: KEY_ID }) },
    ],
    [
      "under another scheme than the key's",
      "KeySchemeMismatch",
      { authorisation: authoriseMessage(MESSAGE, { ...EDWARDS, scheme: "FROST-BIP340" }) },
    ],
    [
      "with a key that it does not hold",
      "KeyUnknown",
      { keyId: keyIdOf(99), authorisation: authoriseMessage(MESSAGE, { ...EDWARDS, keyId: keyIdOf(99) }) },
    ],
    ["with a transaction beside it", "AuthorisationInvalid", { unsigned: transactionOf(7) }],
    ["with a presignature", "InvalidBody", { presignatures: ["ab".repeat(32)] }],
    ["with too few signers", "QuorumInvalid", { quorum: [1, 2] }],
    ["without itself", "QuorumInvalid", { quorum: [2, 3, 4] }],
    [
      "in a session that may last too long",
      "DeadlineTooFar",
      { expiresAtMs: START_MS + 2 * MESSAGE_SESSION_MS_MAX },
    ],
  ])("%s", (_, code, change) => {
    const cluster = messageCluster({ seed: "refusals", engine: "tiny" });
    expect(ask(cluster, change).heard).toMatchObject(refusal(code));
  });

  test("and a transaction with a FROST key", () => {
    const cluster = messageCluster({ seed: "transaction", engine: "tiny" });
    const asked = cluster.call(1, (call) => ({
      kind: "signing",
      call,
      session: testSessionId("transaction"),
      quorum: [1, 2, 3],
      keyId: EDWARDS.keyId,
      authorisation: authoriseTransfer(1, EDWARDS.keyId),
      unsigned: transactionOf(7),
      presignatures: [],
      dead: undefined,
      expiresAtMs: cluster.world.nowMs() + MESSAGE_ATTEMPT_MS,
    }));
    cluster.rest(100);
    expect(asked.heard).toMatchObject(refusal("KeySchemeMismatch"));
  });

  test("INV-2 in a session that began before, under way, over or with another message", () => {
    const cluster = messageCluster({ seed: "again", engine: "tiny" });
    const first = ask(cluster);
    expect(ask(cluster).heard).toMatchObject(refusal("SessionReused"));
    cluster.node(1).handle({ kind: "call-closed", call: first.call });
    const authorisation = authoriseMessage(utf8ToBytes("another"), EDWARDS);
    expect(ask(cluster, { authorisation }).heard).toMatchObject(refusal("SessionReused"));
  });

  test("INV-2 INV-7 in a session that may have begun before its restart, and no other", () => {
    const cluster = messageCluster({ seed: "restart", engine: "tiny" });
    const { lives } = cluster;
    ask(cluster, { lives });
    cluster.kill(1);
    cluster.restart(1);
    cluster.rest(CONFIRMED_MS);
    expect(ask(cluster, { lives }).heard).toMatchObject(refusal("SignerLifeUnknown"));
    expect(ask(cluster, { session: testSessionId("fresh") }).heard).toMatchObject([{ kind: "progress" }]);
  });

  test("with a signer that it proved to cheat, an hour ago and before its restart (P15)", () => {
    const cluster = messageCluster({ seed: "quarantine" });
    const outcome = signMessageOn(cluster);
    const [first, second] = outcome.calls;
    const culprit = second?.signer ?? 0;
    cluster.wire = lying(culprit, 2, WRONG_SHARE);
    cluster.until(() => outcome.faults.length > 0);
    const quorum = outcome.calls.slice(0, 3).map(({ signer }) => signer);
    const reporter = outcome.faults[0]?.reporter ?? first?.signer ?? 0;
    cluster.until(() => outcome.isClosed);
    cluster.kill(reporter);
    cluster.restart(reporter);
    cluster.rest(60 * 60_000);
    const authorisation = authorisedAnew(authoriseMessage(MESSAGE, EDWARDS), cluster.world.nowMs());
    const asked = ask(cluster, { quorum, authorisation }, reporter);
    expect(asked.heard).toMatchObject(refusal("PeerFault"));
  });
});
