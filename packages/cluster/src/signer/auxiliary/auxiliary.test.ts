import type { SignedAuthorisation } from "@conclave/custody";
import { testSessionId } from "@conclave/threshold/testing";
import { hexToBytes } from "@noble/hashes/utils.js";
import { beforeEach, describe, expect, test } from "vitest";
import { AUXILIARY_SUBJECT, type EpochTransition } from "../../control/epoch-certificate.ts";
import type { CallId } from "../../control/session-key.ts";
import { TestCluster } from "../../testing/cluster.ts";
import { generateAuxiliaryOn, listingsOf, stockOn } from "../../testing/drive.ts";
import { authoriseAuxiliary, authoriseKey, KEY_ID, START_MS } from "../../testing/fixtures.ts";
import { allNextShares } from "../../testing/held-keys.ts";
import { certificateBy } from "../../testing/receipts.ts";
import type { SignerInput } from "../../testing/signer-input.ts";
import {
  AUXILIARY_AGE_MS_MAX,
  EPOCHS_AHEAD_MAX,
  FIRST_EPOCH_MAX,
  FIRST_EPOCHS_KEPT,
  PENDING_AUXILIARY_SHOWN_MAX,
} from "../limits.ts";
import { RECORDS } from "../records/record.ts";
import { signerStatus } from "../signer.ts";

const ALL = [1, 2, 3];
const MOST = 2 ** 32 - 1;
const open = (records: "none" | "provisioned" = "provisioned", seed = "auxiliary-signer") =>
  new TestCluster({ seed, size: 3, threshold: 2, engine: "tiny", records });

let cluster: TestCluster;
beforeEach(() => {
  cluster = open();
});

const ask = (event: (call: CallId) => SignerInput) => {
  const { heard } = cluster.call(1, event);
  cluster.rest(100);
  return heard.at(-1);
};

const begin = (epoch: number, authorisation?: SignedAuthorisation, session = `${epoch}`) =>
  ask((call) => ({
    kind: "auxiliary",
    call,
    session: testSessionId(session),
    epoch,
    ...(authorisation === undefined ? {} : { authorisation }),
    expiresAtMs: cluster.world.nowMs() + 5_000,
  }));

const stateOf = (signer: number) => {
  const { state } = cluster.node(signer);
  if (state === undefined) throw new Error("the signer is alive");
  return state;
};
const auxiliaryOf = (signer: number) => signerStatus(stateOf(signer)).auxiliary;
const refusal = (code: string) => ({ kind: "refusal", problem: { code } });
const RUNNING = { kind: "progress" };

/** Makes a pending epoch at signer 1, together with the others; its certificate is not shown. */
const makePending = (seed: string, from = 1): void => {
  const before = auxiliaryOf(1).pending.length;
  const made = generateAuxiliaryOn(cluster, seed, from);
  cluster.until(() => auxiliaryOf(1).pending.length > before);
  made.die();
  cluster.rest(50);
};

/**
 * As makePending, but some signer holds nothing of the attempt: otherwise the next attempt would finish it. The order
 * of the last messages decides.
 */
const makeHalfPending = (): void => {
  for (let run = 0; ; run += 1) {
    cluster = open("provisioned", `half pending ${run}`);
    makePending("one");
    if (ALL.some((signer) => auxiliaryOf(signer).pending.length === 0)) return;
  }
};

const isPendingAuxiliary = (record: string): boolean => RECORDS.pendingAuxiliary.idOf(record) !== undefined;

/** The pending epochs in a signer's store, ascending. */
const pendingStoredAt = (signer: number): readonly number[] =>
  [...cluster.node(signer).records.keys()]
    .flatMap((record) => RECORDS.pendingAuxiliary.idOf(record) ?? [])
    .map(Number)
    .sort((one, other) => one - other);

/** Makes a signer lose all pending epochs, as with a new disk. */
const loseAuxiliaryPending = (signer: number): void => {
  cluster.kill(signer);
  const { records } = cluster.node(signer);
  for (const record of [...records.keys()].filter(isPendingAuxiliary)) records.delete(record);
  cluster.restart(signer);
  cluster.rest(10);
};

const transitionOf = (at: number): EpochTransition => {
  const pending = auxiliaryOf(1).pending.at(at);
  if (pending === undefined) throw new Error("an epoch is pending");
  const { from, epoch: to, digest, session } = pending;
  return { subject: AUXILIARY_SUBJECT, from, to, digest, session: hexToBytes(session) };
};

describe("a signer that has none yet", () => {
  beforeEach(() => {
    const shape = { size: 3, threshold: 2, engine: "tiny", records: "none" } as const;
    cluster = new TestCluster({ seed: "no auxiliary information", ...shape });
  });

  test.each([0, 1.5, -1])("makes no first epoch %d", (epoch) => {
    expect(begin(epoch)).toMatchObject(refusal("EpochRefused"));
  });

  test("makes one at a time", () => {
    expect(begin(1)).toMatchObject(RUNNING);
    expect(begin(2)).toMatchObject(refusal("TooManySessions"));
  });
});

describe("a signer that has auxiliary information", () => {
  test("makes it anew when the authority says which epoch replaces which", () => {
    expect(begin(2, authoriseAuxiliary(1, 2, ALL))).toMatchObject(RUNNING);
  });

  test.each<[string, number, SignedAuthorisation | undefined, string]>([
    ["nobody", 2, undefined, "AuthorisationInvalid"],
    [
      "another than the authority",
      2,
      { ...authoriseAuxiliary(1, 2, ALL), signature: new Uint8Array(64) },
      "AuthorisationInvalid",
    ],
    ["the authority, of a key", 2, authoriseKey(KEY_ID), "AuthorisationInvalid"],
    ["the authority, of another epoch", 3, authoriseAuxiliary(1, 2, ALL), "AuthorisationInvalid"],
    ["the authority, of a part of the roster", 2, authoriseAuxiliary(1, 2, [1, 2]), "QuorumInvalid"],
    ["the authority, of what is not active", 2, authoriseAuxiliary(0, 2, ALL), "EpochRefused"],
    ["the authority, of the epoch that is active", 1, authoriseAuxiliary(0, 1, ALL), "EpochRefused"],
  ])("INV-8 refuses to make it anew when it is authorised by %s", (_, epoch, authorisation, code) => {
    expect(begin(epoch, authorisation)).toMatchObject(refusal(code));
  });

  test("INV-8 refuses an authorisation that is an hour old", () => {
    cluster.rest(AUXILIARY_AGE_MS_MAX);
    expect(begin(2, authoriseAuxiliary(1, 2, ALL))).toMatchObject(refusal("AuthorisationNotCurrent"));
  });

  test("one call with the last epoch that there is keeps nobody from making it anew ever after", () => {
    expect(begin(MOST)).toMatchObject(refusal("AuthorisationInvalid"));
    expect(begin(MOST, authoriseAuxiliary(1, MOST, ALL), "wild")).toMatchObject(refusal("EpochRefused"));
    const beyond = 2 + EPOCHS_AHEAD_MAX;
    expect(begin(beyond, authoriseAuxiliary(1, beyond, ALL))).toMatchObject(refusal("EpochRefused"));
    const made = generateAuxiliaryOn(cluster, "after", 1);
    cluster.until(() => made.isClosed);
    expect(ALL.map((signer) => auxiliaryOf(signer).epoch)).toEqual([2, 2, 2]);
  });

  test("keeps what a run made beside what it uses, and every presignature, until the certificate comes", () => {
    stockOn(cluster, [[1, 2]]);
    makePending("one");
    expect(auxiliaryOf(1)).toMatchObject({ epoch: 1, pending: [{ from: 1, epoch: 2 }] });
    expect([...listingsOf(cluster).values()].flat()).toHaveLength(2);
    const certificate = certificateBy(3, transitionOf(0));
    expect(ask((call) => ({ kind: "switch-epoch", call, certificate }))).toEqual({
      kind: "switched",
      subject: AUXILIARY_SUBJECT,
      epoch: 2,
    });
    expect(auxiliaryOf(1)).toMatchObject({ epoch: 2, pending: [] });
    expect(signerStatus(stateOf(1)).pool.ready).toBe(0);
  });

  test("gives every attempt a number of its own, and goes to the later of two certificates whatever comes first", () => {
    makeHalfPending();
    makePending("two");
    const [early, late] = [transitionOf(0), transitionOf(1)];
    expect([early.to, late.to]).toEqual([2, 3]);
    expect(begin(3, authoriseAuxiliary(1, 3, ALL))).toMatchObject(refusal("EpochRefused"));
    const show = (made: EpochTransition) =>
      ask((call) => ({ kind: "switch-epoch", call, certificate: certificateBy(3, made) }));
    expect(show(late)).toMatchObject({ epoch: 3 });
    expect(show(early)).toMatchObject({ epoch: 3 });
    expect(auxiliaryOf(1)).toMatchObject({ epoch: 3, pending: [] });
  });

  test("renews it above any number of attempts that one signer spoilt by withholding its receipts, once that cheat is gone", () => {
    cluster.speak = (signer, report) =>
      signer === 3 && report.kind === "auxiliary" ? { ...report, receipt: new Uint8Array(64) } : report;
    for (let run = 0; run < PENDING_AUXILIARY_SHOWN_MAX / 2; run++) {
      const spoilt = generateAuxiliaryOn(cluster, `spoilt ${run}`, 1);
      cluster.until(() => spoilt.isClosed);
      expect(spoilt.problem).toMatchObject({ code: "AuxiliaryFailed" });
      loseAuxiliaryPending(3);
    }
    cluster.kill(1, 2);
    cluster.restart(1, 2);
    const kept = pendingStoredAt(1);
    expect(kept.length).toBeGreaterThan(PENDING_AUXILIARY_SHOWN_MAX);
    const shown = auxiliaryOf(1).pending.map(({ epoch }) => epoch);
    expect(shown).toEqual(kept.slice(-PENDING_AUXILIARY_SHOWN_MAX));

    cluster.speak = (_, report) => report; // the cheat's machine has been replaced
    const renewed = generateAuxiliaryOn(cluster, "honest", 1);
    cluster.until(() => renewed.isClosed);
    const epoch = renewed.result?.epoch ?? 0;
    expect(epoch).toBeGreaterThan(kept.at(-1) ?? 0);
    for (const signer of ALL) {
      expect(auxiliaryOf(signer)).toMatchObject({ epoch, pending: [] });
      expect(pendingStoredAt(signer)).toEqual([]);
    }
  });

  test("goes to an attempt by its certificate however many it made after that one, for nobody may drop what all may hold", () => {
    makeHalfPending();
    const first = transitionOf(0);
    cluster.speak = (signer, report) =>
      signer === 3 && report.kind === "auxiliary" ? { ...report, receipt: new Uint8Array(64) } : report;
    for (let run = 0; run < PENDING_AUXILIARY_SHOWN_MAX * (2 / 3); run++) {
      loseAuxiliaryPending(3); // most of the three attempts of a run are pending at signer 1
      const spoilt = generateAuxiliaryOn(cluster, `after it ${run}`, 1);
      cluster.until(() => spoilt.isClosed);
    }
    expect(auxiliaryOf(1).pending.map(({ epoch }) => epoch)).not.toContain(first.to);
    const certificate = certificateBy(3, first);
    const show = () => ask((call) => ({ kind: "switch-epoch", call, certificate }));
    expect(show()).toMatchObject({ kind: "switched", epoch: first.to });
    const [name] = [...cluster.node(1).records.keys()].filter((record) => RECORDS.auxiliary.idOf(record));
    const value = cluster.node(1).records.get(name ?? "") ?? expect.fail("it is stored");
    const stored = RECORDS.auxiliary.read({ record: name ?? "", value });
    expect(stored).toMatchObject({ epoch: first.to, digest: first.digest });
    expect(stored.info.reveal()).toEqual(first.digest); // the tiny engine's info equals its digest
  });

  test("gives the same receipt again after a restart", () => {
    makePending("one");
    const before = auxiliaryOf(1);
    cluster.kill(1);
    cluster.restart(1);
    expect(auxiliaryOf(1)).toEqual(before);
  });

  test("goes to no epoch by the certificate of another digest or session, or by that of a key", () => {
    makePending("one");
    const made = transitionOf(0);
    const forged: readonly EpochTransition[] = [
      { ...made, digest: new Uint8Array(32) },
      { ...made, session: new Uint8Array(32) },
      { ...made, subject: KEY_ID },
    ];
    for (const transition of forged) {
      const certificate = certificateBy(3, transition);
      const said = ask((call) => ({ kind: "switch-epoch", call, certificate }));
      expect(said).toMatchObject(refusal("EpochLacking"));
    }
    expect(auxiliaryOf(1)).toMatchObject({ epoch: 1, pending: [{ epoch: 2 }] });
    expect(allNextShares(cluster.node(1))).toEqual([]);
  });
});

describe("a signer without auxiliary information", () => {
  beforeEach(() => {
    cluster = open("none");
  });

  test("makes the first without the authority, under no number that would leave none", () => {
    expect(begin(FIRST_EPOCH_MAX + 1)).toMatchObject(refusal("EpochRefused"));
    expect(begin(MOST)).toMatchObject(refusal("EpochRefused"));
    expect(begin(0)).toMatchObject(refusal("EpochRefused"));
    expect(begin(1)).toMatchObject(RUNNING);
  });

  test("takes part in what replaces the epoch of the others when the authority says so", () => {
    expect(begin(8, authoriseAuxiliary(7, 8, ALL))).toMatchObject(RUNNING);
  });

  test("keeps a few first epochs, and always the last that it made", () => {
    for (let attempt = 1; attempt <= FIRST_EPOCHS_KEPT + 1; attempt++) {
      for (const signer of ALL) {
        cluster.call(signer, (call) => ({
          kind: "auxiliary",
          call,
          session: testSessionId(`attempt ${attempt}`),
          epoch: attempt,
          expiresAtMs: START_MS + 60_000,
        }));
      }
      cluster.until(() =>
        ALL.every((signer) => auxiliaryOf(signer).pending.some(({ epoch }) => epoch === attempt)),
      );
    }
    expect(auxiliaryOf(1).pending.map(({ epoch }) => epoch)).toEqual([2, 3, 4, 5]);
    const stored = [...cluster.node(1).records.keys()].filter((name) =>
      name.startsWith("pending-auxiliary/"),
    );
    expect(stored).toHaveLength(FIRST_EPOCHS_KEPT);
  });
});
