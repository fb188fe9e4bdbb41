import type { SignedAuthorisation } from "@conclave/custody";
import { testSessionId } from "@conclave/threshold/testing";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { beforeEach, describe, expect, test } from "vitest";
import {
  CERTIFICATE_BYTES_MAX,
  type EpochTransition,
  readCertificate,
} from "../../control/epoch-certificate.ts";
import type { CallId } from "../../control/session-key.ts";
import { flipLastBit } from "../../testing/cheats.ts";
import { CONFIRMED_MS, TestCluster } from "../../testing/cluster.ts";
import { publicKeyOf } from "../../testing/drive.ts";
import { refreshOn } from "../../testing/drive-key-change.ts";
import {
  authoriseKey,
  authoriseKeyChange,
  authoriseKeyDiscard,
  KEY_ID,
  type KeyChangeWish,
  keyIdOf,
  rosterOf,
  START_MS,
} from "../../testing/fixtures.ts";
import { allHeldKeys, allNextShares, loseKey } from "../../testing/held-keys.ts";
import { certificateBy } from "../../testing/receipts.ts";
import type { SignerInput } from "../../testing/signer-input.ts";
import { certificateOf } from "../epoch/switch-epoch.ts";
import { KEY_CHANGE_AGE_MS_MAX, PUBLIC_INFO_BYTES_MAX } from "../limits.ts";
import { nextIdOf, RECORDS } from "../records/record.ts";
import { publicKeyInfoOf } from "../signer.ts";

const PUBLIC_KEY = bytesToHex(publicKeyOf(3, 2));
const CHANGE = {
  kind: "key-refresh",
  publicKey: PUBLIC_KEY,
  epoch: 1,
  threshold: 2,
  parties: [1, 2, 3],
} as const;

const authorise = (change: Partial<KeyChangeWish> = {}): SignedAuthorisation =>
  authoriseKeyChange({ ...CHANGE, ...change });

let cluster: TestCluster;
beforeEach(() => {
  cluster = new TestCluster({ seed: "key-change", size: 3, threshold: 2, engine: "tiny" });
});

/** Signer 1's last report, when no other signer takes part. */
const ask = (event: (call: CallId) => SignerInput, forMs = 100) => {
  const { heard } = cluster.call(1, event);
  cluster.rest(forMs);
  return heard.at(-1);
};

const refresh = (authorisation: SignedAuthorisation, session = "refresh") =>
  ask((call) => ({
    kind: "key-refresh",
    call,
    session: testSessionId(session),
    authorisation,
    expiresAtMs: cluster.world.nowMs() + 5_000,
  }));

const infoOf = (signer: number): Uint8Array => {
  const { state } = cluster.node(signer);
  const info = state === undefined ? undefined : publicKeyInfoOf(state, KEY_ID);
  if (info === undefined) throw new Error("no key");
  return info;
};

const reshare = (dealers: readonly number[], info = infoOf(2), change: Partial<KeyChangeWish> = {}) =>
  ask((call) => ({
    kind: "key-reshare",
    call,
    session: testSessionId("reshare"),
    authorisation: authorise({ kind: "key-reshare", ...change }),
    dealers,
    info,
    expiresAtMs: cluster.world.nowMs() + 5_000,
  }));

const refusal = (code: string) => ({ kind: "refusal", problem: { code } });
const RUNNING = { kind: "progress" };

test("a session that makes new shares ends when the authority discards that very session of this key", () => {
  refresh(authorise());
  const given = bytesToHex(testSessionId("refresh"));
  const isOpen = () => cluster.node(1).state?.sessions.size === 1;
  const discard = (authorisation: SignedAuthorisation) =>
    ask((call) => ({ kind: "discard-key", call, keyId: KEY_ID, authorisation }));
  const forged = { ...authoriseKeyDiscard(given), signature: new Uint8Array(64) };
  expect(discard(forged)).toMatchObject(refusal("AuthorisationInvalid"));
  expect(discard(authoriseKeyDiscard(given, keyIdOf(9)))).toMatchObject(refusal("AuthorisationInvalid"));
  expect(discard(authoriseKeyDiscard("ab".repeat(32)))).toMatchObject({ state: "active", epoch: 1 });
  expect(isOpen()).toBe(true);
  expect(discard(authoriseKeyDiscard(given))).toMatchObject({ state: "active", epoch: 1 });
  expect(isOpen()).toBe(false);
});

describe("a signer begins a refresh", () => {
  test("that the authority asks for, of this key in this epoch, among the whole roster", () => {
    expect(refresh(authorise())).toMatchObject(RUNNING);
  });

  test.each<[string, SignedAuthorisation, string]>([
    ["another epoch", authorise({ epoch: 2 }), "KeyUnknown"],
    ["another public key", authorise({ publicKey: "02".repeat(33) }), "AuthorisationInvalid"],
    ["another threshold", authorise({ threshold: 3 }), "QuorumInvalid"],
    ["a part of the roster", authorise({ parties: [1, 2] }), "QuorumInvalid"],
    ["a key that it does not have", authoriseKeyChange({ ...CHANGE, keyId: keyIdOf(9) }), "KeyUnknown"],
    ["a reshare", authorise({ kind: "key-reshare" }), "AuthorisationInvalid"],
    ["a new key", authoriseKey(KEY_ID, 2), "AuthorisationInvalid"],
    ["nothing: it is not signed", { ...authorise(), signature: new Uint8Array(64) }, "AuthorisationInvalid"],
  ])("INV-8 and refuses an authorisation of %s", (_, authorisation, code) => {
    expect(refresh(authorisation)).toMatchObject(refusal(code));
  });

  test("INV-8 and refuses an authorisation that is an hour old", () => {
    cluster.rest(KEY_CHANGE_AGE_MS_MAX);
    expect(cluster.world.nowMs()).toBeGreaterThanOrEqual(START_MS + KEY_CHANGE_AGE_MS_MAX);
    expect(refresh(authorise())).toMatchObject(refusal("AuthorisationNotCurrent"));
  });

  test("once: an authorisation is spent with the epoch that it names", () => {
    const changed = refreshOn(cluster);
    cluster.until(() => changed.isClosed);
    expect(refresh(authorise())).toMatchObject(refusal("KeyEpochMismatch"));
  });

  test("one at a time", () => {
    refresh(authorise());
    expect(refresh(authorise(), "another")).toMatchObject(refusal("KeyChangePending"));
  });
});

describe("a signer begins a reshare", () => {
  const lose = (): void => {
    cluster.kill(1);
    loseKey(cluster.node(1).records, KEY_ID);
    cluster.restart(1);
  };

  test("without a share of the key, of what the request says is public of it", () => {
    lose();
    expect(reshare([2, 3])).toMatchObject(RUNNING);
  });

  test("but not as a dealer that has nothing to deal", () => {
    lose();
    expect(reshare([1, 2])).toMatchObject(refusal("KeyUnknown"));
  });

  test.each<[string, readonly number[]]>([
    ["too few", [2]],
    ["too many", [1, 2, 3]],
    ["not in order", [3, 2]],
    ["not of the roster", [2, 4]],
    ["the same twice", [2, 2]],
  ])("and refuses dealers that are %s", (_, dealers) => {
    expect(reshare(dealers)).toMatchObject(refusal("QuorumInvalid"));
  });

  test("and refuses public info that is none, too long, or of another epoch than is authorised", () => {
    expect(reshare([2, 3], new Uint8Array(50))).toMatchObject(refusal("InvalidBody"));
    expect(reshare([2, 3], new Uint8Array(PUBLIC_INFO_BYTES_MAX + 1))).toMatchObject(refusal("InvalidBody"));
    lose();
    expect(reshare([2, 3], infoOf(2), { epoch: 2 })).toMatchObject(refusal("InvalidBody"));
  });
});

describe("a share of the next epoch", () => {
  const pendingAt = (signer: number) => allNextShares(cluster.node(signer));
  const sessionMade = (): string => pendingAt(1)[0]?.session ?? "";
  const epochOf = () => allHeldKeys(cluster.node(1))[0]?.epoch;
  const show = (certificate: Uint8Array) => ask((call) => ({ kind: "switch-epoch", call, certificate }));
  /** The transition for which all three hold pending shares. */
  const transition = (): EpochTransition => {
    const [pending] = pendingAt(1);
    if (pending === undefined) throw new Error("a share is pending");
    const session = hexToBytes(pending.session);
    return { subject: KEY_ID, from: pending.from, to: pending.epoch, digest: pending.digest, session };
  };

  beforeEach(() => {
    const changed = refreshOn(cluster);
    cluster.until(() => sessionMade() !== "");
    changed.die();
  });

  test("is not discarded, not even by the authority: its receipt may be part of a certificate", () => {
    const made = sessionMade();
    const forged = { ...authoriseKeyDiscard(made), signature: new Uint8Array(64) };
    const others: readonly (SignedAuthorisation | undefined)[] = [
      undefined,
      forged,
      authoriseKeyDiscard("ab".repeat(32)),
      authoriseKeyDiscard(made, keyIdOf(9)),
      authorise(),
    ];
    for (const authorisation of others) {
      const which = authorisation === undefined ? {} : { authorisation };
      ask((call) => ({ kind: "discard-key", call, keyId: KEY_ID, ...which }));
    }
    const authorisation = authoriseKeyDiscard(made);
    const said = ask((call) => ({ kind: "discard-key", call, keyId: KEY_ID, authorisation }));
    expect(said).toMatchObject(refusal("EpochReceipted"));
    expect(sessionMade()).toBe(made);
  });

  test("becomes active by its certificate alone, and once", () => {
    const activate = (epoch?: number) =>
      ask((call) => ({
        kind: "activate-key",
        call,
        keyId: KEY_ID,
        ...(epoch === undefined ? {} : { epoch }),
      }));
    expect(activate()).toMatchObject({ state: "active", epoch: 1 });
    expect(activate(3)).toMatchObject({ state: "active", epoch: 1 });
    expect(activate(2)).toMatchObject(refusal("EpochUncertified"));
    expect(epochOf()).toBe(1);
    const certificate = certificateBy(3, transition());
    expect(show(certificate)).toMatchObject({ kind: "switched", subject: KEY_ID, epoch: 2 });
    expect(show(certificate)).toMatchObject({ kind: "switched", subject: KEY_ID, epoch: 2 });
    expect(epochOf()).toBe(2);
    expect(sessionMade()).toBe("");
    const { state } = cluster.node(1);
    expect(state && certificateOf(state, KEY_ID)).toEqual(certificate);
  });

  test.each<[string, (made: EpochTransition) => Uint8Array]>([
    ["another digest", (made) => certificateBy(3, { ...made, digest: new Uint8Array(32) })],
    ["another session", (made) => certificateBy(3, { ...made, session: new Uint8Array(32) })],
    ["another epoch", (made) => certificateBy(3, { ...made, to: 3 })],
    ["another start", (made) => certificateBy(3, { ...made, from: 0 })],
    ["another key", (made) => certificateBy(3, { ...made, subject: keyIdOf(9) })],
  ])("stays as it is when a certificate of %s is shown", (_, forged) => {
    const before = cluster.node(1).records.size;
    expect(show(forged(transition()))).toMatchObject(refusal("EpochLacking"));
    expect([epochOf(), pendingAt(1).length, cluster.node(1).records.size]).toEqual([1, 1, before]);
  });

  test.each<[string, (certificate: Uint8Array, made: EpochTransition) => Uint8Array]>([
    ["of another cluster", (_, made) => certificateBy(4, made)],
    ["that lacks a receipt", (certificate) => certificate.slice(0, -65)],
    ["that is followed by more", (certificate) => Uint8Array.from([...certificate, 0])],
    ["that is empty", () => new Uint8Array(0)],
    ["that is oversized", () => new Uint8Array(CERTIFICATE_BYTES_MAX + 1)],
    ["with one receipt of every signer's wrong", (certificate) => flipLastBit(certificate)],
  ])("stays as it is when a certificate %s is shown", (_, forged) => {
    const made = transition();
    expect(show(forged(certificateBy(3, made), made))).toMatchObject(refusal("EpochCertificateInvalid"));
    expect([epochOf(), pendingAt(1).length]).toEqual([1, 1]);
  });

  test("no byte of a certificate can be changed", () => {
    const certificate = certificateBy(3, transition());
    for (let at = 0; at < certificate.length; at++) {
      const changed = certificate.with(at, (certificate[at] ?? 0) ^ 1);
      expect(readCertificate(rosterOf(3), changed), `byte ${at}`).toBeUndefined();
    }
  });

  test("gives the same receipt again after a restart, though a version before wrote it without one", () => {
    const [before] = pendingAt(1);
    cluster.kill(1);
    const { records } = cluster.node(1);
    const name = RECORDS.next.name(nextIdOf(KEY_ID, 2));
    const value = records.get(name);
    if (value === undefined) throw new Error("the share is stored");
    const { from: _, ...older } = RECORDS.next.read({ record: name, value });
    records.delete(name);
    records.set(RECORDS.next.name(KEY_ID), RECORDS.next.write(older));
    cluster.restart(1);
    cluster.rest(CONFIRMED_MS);
    expect(pendingAt(1)).toEqual([before]);
    expect(show(certificateBy(3, transition()))).toMatchObject({ kind: "switched", epoch: 2 });
    expect([...records.keys()].filter((record) => record.startsWith("next/"))).toEqual([]);
  });

  test("waits while 17 more attempts fail under higher numbers: they do not freeze the key", () => {
    expect(refresh(authorise())).toMatchObject(refusal("EpochRefused"));
    expect(refresh(authorise({ nextEpoch: 2 ** 32 - 1 }))).toMatchObject(refusal("EpochRefused"));
    const failures = 17;
    for (let number = 3; number < 3 + failures; number++) {
      const changed = refreshOn(cluster, { seed: `attempt ${number}`, isAlone: true });
      cluster.until(() => pendingAt(1).length === number - 1);
      changed.die();
      cluster.rest(50);
    }
    const latest = pendingAt(1).at(-1);
    if (latest === undefined) throw new Error("some are pending");
    const { from, epoch: to, digest } = latest;
    const made = { subject: KEY_ID, from, to, digest, session: hexToBytes(latest.session) };
    expect(show(certificateBy(3, made))).toMatchObject({ epoch: 2 + failures });
    expect(pendingAt(1)).toEqual([]);
  });

  test("an earlier certificate that is shown late leaves the later epoch active", () => {
    const early = certificateBy(3, transition());
    const changed = refreshOn(cluster, { seed: "later", isAlone: true });
    cluster.until(() => pendingAt(1).length === 2);
    changed.die();
    cluster.rest(50);
    const late = pendingAt(1)[1];
    if (late === undefined) throw new Error("two are pending");
    const { from, epoch: to, digest } = late;
    const made = { subject: KEY_ID, from, to, digest, session: hexToBytes(late.session) };
    expect(show(early)).toMatchObject({ epoch: 2 });
    expect(pendingAt(1).map(({ epoch }) => epoch)).toEqual([3]);
    expect(show(certificateBy(3, made))).toMatchObject({ epoch: 3 });
    expect(show(early)).toMatchObject({ epoch: 3 });
  });
});
