import type { Problem } from "@conclave/custody";
import { type Envelope, NO_MATERIAL, Secret } from "@conclave/threshold";
import { testParty, testSessionId } from "@conclave/threshold/testing";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import type { SessionReport } from "../control/report.ts";
import type { CallId } from "../control/session-key.ts";
import { CONFIRMED_MS, TestCluster } from "../testing/cluster.ts";
import {
  authorisedAnew,
  authoriseKey,
  authoriseTransfer,
  KEY_ID,
  keyIdOf,
  requestIdOf,
  START_MS,
  sign,
  transactionOf,
} from "../testing/fixtures.ts";
import type { SignerInput, TestAsked } from "../testing/signer-input.ts";
import {
  ENVELOPES_PER_PEER_MAX,
  FORGOTTEN_PER_SWEEP_MS,
  MAIL_AGE_MS_MAX,
  MAIL_BYTES_PER_PEER_MAX,
  MAIL_ENVELOPES_PER_PEER_MAX,
  REQUEST_AGE_MS_MAX,
  SESSION_LIFETIME_MS_MAX,
  SESSION_MEMORY_MS,
  SESSIONS_MAX,
  SWEEP_INTERVAL_MS,
} from "./limits.ts";
import { RECORDS } from "./records/record.ts";
import { signerStatus } from "./signer.ts";

type BeginSigning = TestAsked<"signing">;
type BeginKey = TestAsked<"key-generation">;

const open = () => new TestCluster({ seed: "signer", engine: "tiny" });

const signing =
  (change: Partial<BeginSigning> = {}) =>
  (call: CallId): BeginSigning => ({
    kind: "signing",
    call,
    session: testSessionId("one"),
    quorum: [1, 2, 3],
    keyId: KEY_ID,
    authorisation: authoriseTransfer(1),
    unsigned: transactionOf(7),
    presignatures: [],
    dead: undefined,
    expiresAtMs: START_MS + 20_000,
    ...change,
  });

const key =
  (change: Partial<BeginKey> = {}) =>
  (call: CallId): BeginKey => ({
    kind: "key-generation",
    call,
    session: testSessionId("key"),
    authorisation: authoriseKey(keyIdOf(2)),
    expiresAtMs: START_MS + 20_000,
    ...change,
  });

const presigning =
  (session: Uint8Array) =>
  (call: CallId): TestAsked<"presigning"> => ({
    kind: "presigning",
    call,
    session,
    quorum: [1, 2, 3],
    keyId: KEY_ID,
    expiresAtMs: START_MS + 5 * 60_000,
  });

/** Signer 1's last report on one call. */
const lastWord = (cluster: TestCluster, event: (call: CallId) => SignerInput): SessionReport | undefined => {
  const { heard } = cluster.call(1, event);
  cluster.rest(100);
  return heard.at(-1);
};

const refusalOf = (event: (call: CallId) => SignerInput, cluster = open()): Problem["code"] | undefined => {
  const word = lastWord(cluster, event);
  return word?.kind === "refusal" ? word.problem.code : undefined;
};

const tampered = (authorisation: { readonly payload: Uint8Array; readonly signature: Uint8Array }) => ({
  ...authorisation,
  payload: authorisation.payload.with(60, (authorisation.payload[60] ?? 0) ^ 1),
});

describe("a signer asked to sign refuses", () => {
  const transfer = authoriseTransfer(1);
  const old = new Date(START_MS - REQUEST_AGE_MS_MAX - 1).toISOString();
  const cases: readonly (readonly [string, Partial<BeginSigning>, Problem["code"]])[] = [
    ["INV-3 INV-8 a tampered authorisation", { authorisation: tampered(transfer) }, "AuthorisationInvalid"],
    [
      "INV-3 INV-8 an unsigned authorisation",
      { authorisation: { payload: transfer.payload, signature: new Uint8Array(0) } },
      "AuthorisationInvalid",
    ],
    [
      "an authorisation of a key instead of a transfer",
      { authorisation: authoriseKey(KEY_ID) },
      "AuthorisationInvalid",
    ],
    [
      "a signed text that is no authorisation",
      { authorisation: sign(new Uint8Array(9)) },
      "AuthorisationInvalid",
    ],
    [
      "INV-4 an authorisation older than its memory of requests",
      { authorisation: authorisedAnew(authoriseTransfer(1, KEY_ID, old), START_MS) },
      "AuthorisationInvalid",
    ],
    ["an authorisation for another key", { keyId: keyIdOf(9) }, "AuthorisationInvalid"],
    [
      "a key that it does not hold",
      { keyId: keyIdOf(9), authorisation: authoriseTransfer(1, keyIdOf(9)) },
      "KeyUnknown",
    ],
    [
      "INV-3 a transaction that pays another amount",
      { unsigned: transactionOf(7, "1001") },
      "TransactionMismatch",
    ],
    ["a quorum that is too small", { quorum: [1, 2] }, "QuorumInvalid"],
    ["a quorum that is too large", { quorum: [1, 2, 3, 4] }, "QuorumInvalid"],
    ["P10 a quorum that names one signer twice", { quorum: [1, 2, 2] }, "QuorumInvalid"],
    ["a quorum out of order", { quorum: [2, 1, 3] }, "QuorumInvalid"],
    ["a quorum without itself", { quorum: [2, 3, 4] }, "QuorumInvalid"],
    ["P10 a quorum with a stranger", { quorum: [1, 2, 9] }, "QuorumInvalid"],
    ["a session that has expired", { expiresAtMs: START_MS }, "SessionExpired"],
    [
      "a deadline that is too far",
      { expiresAtMs: START_MS + SESSION_LIFETIME_MS_MAX + 60_000 },
      "DeadlineTooFar",
    ],
    ["a session id of the wrong length", { session: new Uint8Array(31) }, "InvalidBody"],
  ];
  test.each(cases)("%s", (_name, change, code) => {
    expect(refusalOf(signing(change))).toBe(code);
  });

  test("and remembers nothing of what it refused", () => {
    const cluster = open();
    const before = [...cluster.node(1).records.keys()];
    lastWord(cluster, signing({ quorum: [1, 2] }));
    expect([...cluster.node(1).records.keys()]).toEqual(before);
  });

  test("without auxiliary info, as an outage", () => {
    const cluster = open();
    const node = cluster.node(1);
    node.kill();
    node.records.delete("auxiliary/current");
    node.start();
    cluster.rest(CONFIRMED_MS);
    expect(refusalOf(signing(), cluster)).toBe("AuxiliaryMissing");
  });
});

describe("a session id", () => {
  test("INV-2 is refused a second time, whatever it is asked for", () => {
    const cluster = open();
    lastWord(cluster, signing());
    expect(refusalOf(signing({ quorum: [1, 4, 5] }), cluster)).toBe("SessionReused");
  });

  test("INV-2 is refused after a restart", () => {
    const cluster = open();
    lastWord(cluster, signing());
    cluster.kill(1);
    cluster.restart(1);
    expect(refusalOf(signing(), cluster)).toBe("SessionReused");
  });

  test("is forgotten with its records a while after its deadline, once the authority has signed something later", () => {
    const cluster = open();
    lastWord(cluster, signing());
    const ids = () => [...cluster.node(1).records.keys()].flatMap((name) => RECORDS.session.idOf(name) ?? []);
    const first = ids();
    cluster.rest(20_000 + SESSION_MEMORY_MS + 2 * SWEEP_INTERVAL_MS);
    expect(ids()).toEqual(first);
    const nowMs = cluster.world.nowMs();
    lastWord(
      cluster,
      signing({
        session: testSessionId("later"),
        authorisation: authorisedAnew(authoriseTransfer(1), nowMs),
        expiresAtMs: nowMs + 20_000,
      }),
    );
    cluster.rest((2 * SESSION_MEMORY_MS * SWEEP_INTERVAL_MS) / FORGOTTEN_PER_SWEEP_MS);
    expect(ids()).toEqual([bytesToHex(testSessionId("later"))]);
  });
});

describe("INV-4 a request", () => {
  const signAll = (
    cluster: TestCluster,
    name: string,
    nonce: number,
  ): readonly (SessionReport | undefined)[] => {
    const event = signing({
      session: testSessionId(name),
      unsigned: transactionOf(nonce),
      expiresAtMs: cluster.world.nowMs() + 20_000,
    });
    const calls = [1, 2, 3].map((signer) => cluster.call(signer, event));
    cluster.rest(200);
    return calls.map(({ heard }) => heard.at(-1));
  };

  test("is signed again with the same nonce and never with another, restart or not", () => {
    const cluster = open();
    expect(signAll(cluster, "a", 7).map((word) => word?.kind)).toEqual(Array(3).fill("signed"));
    expect(signAll(cluster, "b", 7).map((word) => word?.kind)).toEqual(Array(3).fill("signed"));
    cluster.kill(1, 2, 3);
    cluster.restart(1, 2, 3);
    cluster.rest(CONFIRMED_MS);
    for (const word of signAll(cluster, "c", 8)) {
      expect(word).toMatchObject({ kind: "refusal", problem: { code: "TransactionNotExcluding" } });
    }
    expect(cluster.node(1).records.has(RECORDS.request.name(requestIdOf(1)))).toBe(true);
  });

  test("that runs in two sessions with two nonces is signed in one of them at most", () => {
    const cluster = open();
    const words = [7, 8].flatMap((nonce) => {
      const event = signing({
        session: testSessionId(`race/${nonce}`),
        unsigned: transactionOf(nonce),
      });
      return [1, 2, 3].map((signer) => cluster.call(signer, event));
    });
    cluster.rest(60_000); // the ledger throws when one signer signs both transactions
    const signatures = words.filter(({ heard }) => heard.at(-1)?.kind === "signed");
    expect(signatures.length).toBeLessThanOrEqual(3);
  });
});

describe("a signer asked for a key refuses", () => {
  test("a threshold that is not the roster's", () => {
    expect(refusalOf(key({ authorisation: authoriseKey(keyIdOf(2), 2) }))).toBe("QuorumInvalid");
  });
  test("a key that exists", () => {
    expect(refusalOf(key({ authorisation: authoriseKey(KEY_ID) }))).toBe("KeyExists");
  });
  test("a key that is being made", () => {
    const cluster = open();
    lastWord(cluster, key());
    expect(refusalOf(key({ session: testSessionId("other") }), cluster)).toBe("KeyExists");
  });
  test("INV-3 a tampered authorisation", () => {
    const authorisation = tampered(authoriseKey(keyIdOf(2)));
    expect(refusalOf(key({ authorisation }))).toBe("AuthorisationInvalid");
  });
  test("to discard what is active", () => {
    expect(refusalOf((call) => ({ kind: "discard-key", call, keyId: KEY_ID }))).toBe("KeyExists");
  });
});

describe("the room of a signer", () => {
  const envelope = (session: Uint8Array, from: number, payload = new Uint8Array(8)): Envelope => ({
    session,
    round: 1,
    kind: 1,
    from,
    to: 0,
    payload,
    signature: new Uint8Array(64),
  });

  test("no more than its sessions run at once", () => {
    const cluster = open();
    for (let at = 0; at < SESSIONS_MAX; at++) {
      cluster.call(1, signing({ session: testSessionId(`many/${at}`) }));
    }
    cluster.rest(50);
    expect(refusalOf(signing(), cluster)).toBe("TooManySessions");
  });

  test("a flood of early envelopes stays within its sender's bounds and leaves others their room", () => {
    const cluster = open();
    const node = cluster.node(1);
    const handle = (from: number, at: number, bytes: number): void =>
      node.handle({
        kind: "envelope",
        from: testParty(from),
        envelope: envelope(testSessionId(`early/${at}`), from, new Uint8Array(bytes)),
      });
    for (let at = 0; at < 2 * MAIL_ENVELOPES_PER_PEER_MAX; at++) handle(2, at, 1);
    for (let at = 0; at < 20; at++) handle(3, at, MAIL_BYTES_PER_PEER_MAX / 8);
    handle(4, 0, 1);
    const used = node.state?.mail.used;
    expect(used?.get(testParty(2))?.envelopes).toBe(MAIL_ENVELOPES_PER_PEER_MAX);
    expect(used?.get(testParty(3))?.bytes).toBe(MAIL_BYTES_PER_PEER_MAX);
    expect(used?.get(testParty(4))?.envelopes).toBe(1);
    cluster.rest(MAIL_AGE_MS_MAX + 2_000);
    expect(node.state?.mail.boxes.size).toBe(0);
  });

  test("late messages of a peer to sessions that were cancelled take no room of its mail: a session with it works", () => {
    const cluster = open();
    const node = cluster.node(1);
    const ofTwo = (round: number, session: Uint8Array): Envelope => ({ ...envelope(session, 2), round });
    for (let at = 0; at < MAIL_ENVELOPES_PER_PEER_MAX / 4; at++) {
      const session = testSessionId(`cancelled ${at}`);
      const { call } = cluster.call(1, presigning(session));
      cluster.until(() => node.state?.sessions.size === 1);
      const [run = ""] = node.state?.sessions.keys() ?? [];
      node.handle({ kind: "call-closed", call });
      for (let round = 1; round <= 16; round++) {
        node.handle({ kind: "envelope", from: testParty(2), envelope: ofTwo(round, hexToBytes(run)) });
      }
    }

    const session = testSessionId("wanted");
    const ofOthers = [2, 3].map((signer) => cluster.call(signer, presigning(session)));
    cluster.rest(100); // both have sent messages that signer 1 does not expect yet
    const last = lastWord(cluster, presigning(session));
    expect(last).toMatchObject({ kind: "presigned" });
    expect(ofOthers.map(({ heard }) => heard.at(-1)?.kind)).toEqual(["presigned", "presigned"]);
    expect(node.state?.mail.used.size).toBe(0);
  });

  test("a flood of one peer into an open session stops at what protocols need", () => {
    const cluster = open();
    lastWord(cluster, signing());
    const node = cluster.node(1);
    const [run] = node.state?.sessions.keys() ?? [];
    const before = node.effectsDone;
    for (let at = 0; at < 10 * ENVELOPES_PER_PEER_MAX; at++) {
      const session = Uint8Array.from(Buffer.from(run ?? "", "hex"));
      node.handle({ kind: "envelope", from: testParty(2), envelope: { ...envelope(session, 2), round: 9 } });
    }
    expect(node.effectsDone - before).toBe(ENVELOPES_PER_PEER_MAX);
  });

  test("INV-7 a message in another peer's name, or from a stranger, is ignored", () => {
    const cluster = open();
    const node = cluster.node(1);
    node.handle({ kind: "envelope", from: testParty(2), envelope: envelope(testSessionId("x"), 3) });
    node.handle({ kind: "envelope", from: testParty(9), envelope: envelope(testSessionId("x"), 9) });
    expect(node.state?.mail.boxes.size).toBe(0);
  });
});

describe("an open session", () => {
  test("INV-7 that ends with a fault still sends its last messages: without them the others would wait for it", () => {
    const cluster = open();
    const { heard } = cluster.call(1, signing());
    cluster.rest(50);
    const node = cluster.node(1);
    const [session = expect.fail()] = node.state?.sessions.keys() ?? [];
    const word: Envelope = {
      session: Buffer.from(session, "hex"),
      round: 4,
      kind: 1,
      from: 1,
      to: 0,
      payload: new Uint8Array(8),
      signature: new Uint8Array(64),
    };
    const fault = { culprit: testParty(3), check: "presign/4 δ", messages: [], material: NO_MATERIAL };
    node.handle({ kind: "computed", session, result: { kind: "fault", fault, send: [word] } });
    cluster.rest(50);
    expect(cluster.sent.filter((sent) => sent === word)).toHaveLength(2);
    expect(heard.at(-1)).toMatchObject({
      kind: "fault",
      evidence: { accused: 3, check: "presign/4 δ", attempt: { keyId: KEY_ID } },
    });
  });

  test("ends at its deadline, and names who was silent", () => {
    const cluster = open();
    const { heard } = cluster.call(1, signing());
    cluster.call(2, signing());
    cluster.rest(22_000);
    expect(heard.at(-1)).toMatchObject({ kind: "failure", silent: [3] });
    expect(cluster.node(1).state?.sessions.size).toBe(0);
  });

  test("ends when its caller goes away", () => {
    const cluster = open();
    const { call } = cluster.call(1, signing());
    cluster.rest(50);
    cluster.node(1).handle({ kind: "call-closed", call });
    expect(cluster.node(1).state?.sessions.size).toBe(0);
  });

  test("ends as a failure that blames nobody when the compute host dies", () => {
    const cluster = open();
    const { heard } = cluster.call(1, signing());
    cluster.rest(50);
    const node = cluster.node(1);
    node.handle({ kind: "host-lost", sessions: [...(node.state?.sessions.keys() ?? [])] });
    cluster.rest(50);
    expect(heard.at(-1)).toEqual({ kind: "failure", reason: "the compute host stopped", silent: [] });
  });

  test("INV-7 never meets that of a signer that got another transaction", () => {
    const cluster = open();
    const calls = [1, 2, 3].map((signer) =>
      cluster.call(signer, signing({ unsigned: transactionOf(signer === 3 ? 8 : 7) })),
    );
    cluster.rest(25_000);
    expect(calls.map(({ heard }) => heard.at(-1)?.kind)).toEqual(Array(3).fill("failure"));
    expect(cluster.ledger.partials).toEqual([]);
  });
});

describe("INV-10 secrets in effects and state", () => {
  test("do not print", () => {
    const cluster = open();
    const { state } = cluster.node(1);
    expect(JSON.stringify(state?.auxiliary)).toContain("[secret]");
    expect(String(RECORDS.session.write({ version: 1, forgetAtMs: 1 }))).toBe("[secret]");
  });

  test("and a record that is not of this version stops the start", () => {
    const cluster = open();
    cluster.kill(1);
    cluster.node(1).records.set("key/broken", new Secret(Uint8Array.from(Buffer.from('{"version":2}'))));
    expect(() => cluster.node(1).start()).toThrow("not readable by this version");
  });
});

test("the status of a signer tells how many keys it has, its auxiliary epoch and its sessions", () => {
  const cluster = open();
  lastWord(cluster, signing());
  const { state } = cluster.node(1);
  if (state === undefined) throw new Error("the signer died");
  expect(signerStatus(state)).toMatchObject({
    auxiliary: { epoch: 1 },
    keyCount: 1,
    sessions: [{ protocol: "signing", session: Buffer.from(testSessionId("one")).toString("hex") }],
  });
});
