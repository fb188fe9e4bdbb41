import type { SignedAuthorisation } from "@conclave/custody";
import { signEd25519 } from "@conclave/threshold";
import { insecurePartySecrets, testParty, testSessionId } from "@conclave/threshold/testing";
import { hexToBytes } from "@noble/hashes/utils.js";
import { beforeEach, expect, test } from "vitest";
import { AUXILIARY_SUBJECT } from "../../control/epoch-certificate.ts";
import { type EpochOfSession, type EpochWaiver, waiverBytes } from "../../control/epoch-waiver.ts";
import type { CallId } from "../../control/session-key.ts";
import { TestCluster } from "../../testing/cluster.ts";
import { refreshOn } from "../../testing/drive-key-change.ts";
import {
  authoriseAuxiliary,
  authoriseKeyDiscard,
  configOf,
  KEY_ID,
  keyIdOf,
  rosterOf,
} from "../../testing/fixtures.ts";
import { allHeldKeys, allNextShares } from "../../testing/held-keys.ts";
import { certificateBy } from "../../testing/receipts.ts";
import { eventOf, openAlone, type SignerInput } from "../../testing/signer-input.ts";
import { WAIVERS_MAX } from "../limits.ts";
import { put } from "../records/persistent-map.ts";
import { nextIdOf, RECORDS } from "../records/record.ts";
import { signerStatus, stepSigner } from "../signer.ts";

const isCall = (text: string): text is CallId => text.length > 0;

let cluster: TestCluster;
/** The unwanted epoch: all signers hold its share except signer 3, which receives no messages any more. */
let unwanted: EpochOfSession;

const stateOf = (signer: number) => {
  const { state } = cluster.node(signer);
  if (state === undefined) throw new Error("the signer is alive");
  return state;
};
const pendingAt = (signer: number) => allNextShares(cluster.node(signer));

const ask = (signer: number, event: (call: CallId) => SignerInput) => {
  const { heard } = cluster.call(signer, event);
  cluster.rest(100);
  return heard.at(-1);
};

const discard = (
  signer: number,
  waivers: readonly EpochWaiver[] = [],
  authorisation: SignedAuthorisation = authoriseKeyDiscard(unwanted.session),
) => ask(signer, (call) => ({ kind: "discard-epoch", call, authorisation, waivers }));

const waiverBy = (party: number, of: EpochOfSession = unwanted, as = party): EpochWaiver => {
  const { identity } = insecurePartySecrets(testParty(party));
  return { signer: as, signature: signEd25519(waiverBytes(rosterOf(5), testParty(as), of), identity) };
};

const refusal = (code: string) => ({ kind: "refusal", problem: { code } });

beforeEach(() => {
  cluster = new TestCluster({ seed: "waivers", engine: "tiny" });
  cluster.wire = (transit) => (transit.to >= 3 ? [] : [transit]);
  const changed = refreshOn(cluster);
  cluster.until(() => pendingAt(1).length > 0 && pendingAt(2).length > 0);
  changed.die();
  cluster.rest(100);
  const [pending] = pendingAt(1);
  if (pending === undefined) throw new Error("signer 1 holds the next share");
  unwanted = { subject: KEY_ID, session: pending.session };
});

test("a signer that holds nothing of an attempt waives it, and never begins it again, not even after a restart", () => {
  const said = discard(3);
  expect(said).toEqual({ kind: "epoch-discarded", ...unwanted, waiver: waiverBy(3).signature });
  expect([...cluster.node(3).records.keys()]).toContain(`waiver/${unwanted.session}`);
  cluster.kill(3);
  cluster.restart(3);
  cluster.rest(2 * 60 * 60_000); // longer than session ids are remembered
  const date = new Date(cluster.world.nowMs()).toISOString();
  const begun = ask(3, (call) => ({
    kind: "auxiliary",
    call,
    session: hexToBytes(unwanted.session),
    epoch: 2,
    authorisation: authoriseAuxiliary(1, 2, [1, 2, 3, 4, 5], date),
    expiresAtMs: cluster.world.nowMs() + 5_000,
  }));
  expect(begun).toMatchObject(refusal("SessionReused"));
});

test("INV-8 nobody but the authority has an attempt waived", () => {
  const forged = { ...authoriseKeyDiscard(unwanted.session), signature: new Uint8Array(64) };
  expect(discard(3, [], forged)).toMatchObject(refusal("AuthorisationInvalid"));
  expect([...cluster.node(3).records.keys()].filter((name) => name.startsWith("waiver/"))).toEqual([]);
});

test("a signer that holds it keeps it without the waivers of t distinct signers, by their own signatures, of this attempt", () => {
  const some = [waiverBy(3), waiverBy(4)];
  const insufficient: readonly (readonly EpochWaiver[])[] = [
    [],
    some,
    [...some, waiverBy(4)],
    [...some, waiverBy(4, unwanted, 5)],
    [...some, waiverBy(5, { ...unwanted, session: "ab".repeat(32) })],
    [...some, waiverBy(5, { ...unwanted, subject: keyIdOf(9) })],
    [...some, { signer: 6, signature: new Uint8Array(64) }],
    [...some, { signer: 5, signature: new Uint8Array(63) }],
  ];
  for (const waivers of insufficient) {
    expect(discard(1, waivers)).toMatchObject(refusal("EpochReceipted"));
  }
  expect(pendingAt(1)).toHaveLength(1);
});

test("t waivers erase the result for good, and a signer that erased it signs no waiver", () => {
  const waivers = [waiverBy(3), waiverBy(4), waiverBy(5)];
  expect(discard(1, waivers)).toEqual({ kind: "epoch-discarded", ...unwanted, waiver: undefined });
  expect(pendingAt(1)).toEqual([]);
  expect([...cluster.node(1).records.keys()].filter((name) => name.startsWith("next/"))).toEqual([]);
  expect(discard(1, waivers)).toEqual({ kind: "epoch-discarded", ...unwanted, waiver: undefined });
  cluster.kill(1);
  cluster.restart(1);
  expect(discard(1)).toEqual({ kind: "epoch-discarded", ...unwanted, waiver: undefined });
});

test("an active epoch is discarded by nobody, whatever is shown", () => {
  const [pending] = pendingAt(1);
  if (pending === undefined) throw new Error("signer 1 holds the next share");
  const { from, epoch: to, digest } = pending;
  const session = hexToBytes(unwanted.session);
  const certificate = certificateBy(5, { subject: KEY_ID, from, to, digest, session });
  expect(ask(1, (call) => ({ kind: "switch-epoch", call, certificate }))).toMatchObject({ epoch: 2 });
  const waivers = [waiverBy(3), waiverBy(4), waiverBy(5)];
  expect(discard(1, waivers)).toMatchObject(refusal("EpochReceipted"));
  expect(allHeldKeys(cluster.node(1))[0]?.epoch).toBe(2);
});

/** Switches signer 1 to the epoch by its certificate. */
const activate = () => {
  const [pending] = pendingAt(1);
  if (pending === undefined) throw new Error("signer 1 holds the next share");
  const { from, epoch: to, digest } = pending;
  const made = { subject: KEY_ID, from, to, digest, session: hexToBytes(unwanted.session) };
  const certificate = certificateBy(5, made);
  const calls: CallId[] = [];
  const said = ask(1, (call) => {
    calls.push(call);
    return { kind: "switch-epoch", call, certificate };
  });
  expect(said).toMatchObject({ epoch: 2 });
  return calls[0] ?? expect.fail("signer 1 was called");
};

/** Signer 1's answer to a discard after a restart, in a roster where signer 5 has another identity. */
const discardInChangedRoster = (call: CallId, session = unwanted.session) => {
  const identity = rosterOf(6).get(testParty(6))?.identity ?? expect.fail("signer 6 has one");
  const roster = new Map(
    [...rosterOf(5)].map(([index, member]) => [
      index,
      index === testParty(5) ? { ...member, identity } : member,
    ]),
  );
  const { records: stored } = cluster.node(1);
  const records = [...stored].map(([record, value]) => ({ record, value }));
  const config = { ...configOf(testParty(1), 5, 3), roster };
  const { state } = openAlone(config, records, (record) => stored.get(record));
  const authorisation = authoriseKeyDiscard(session);
  const event = { kind: "discard-epoch", call, authorisation, waivers: [] } as const;
  const { effects } = stepSigner(state, event, cluster.world.nowMs());
  return effects.flatMap((effect) => (effect.kind === "report" ? [effect.report] : [])).at(-1);
};

test("an active epoch is not waived after an identity in the roster changed, which makes its certificate unreadable", () => {
  const call = activate();
  expect(discardInChangedRoster(call)).toMatchObject(refusal("EpochReceipted"));
  const other = "ab".repeat(32);
  expect(discardInChangedRoster(call, other)).toMatchObject({ kind: "epoch-discarded", session: other });
});

test("where nothing says which session made the active epoch, an older version's, nothing unknown is waived", () => {
  const call = activate();
  const { records } = cluster.node(1);
  const record = RECORDS.key.name(KEY_ID);
  const value = records.get(record) ?? expect.fail("the key is stored");
  const { session: _, certificate: its, ...older } = RECORDS.key.read({ record, value });
  records.set(record, RECORDS.key.write({ ...older, certificate: its }));
  expect(discardInChangedRoster(call)).toMatchObject(refusal("EpochReceipted"));
  records.set(record, RECORDS.key.write(older));
  cluster.kill(1);
  cluster.restart(1);
  expect(discard(1)).toMatchObject(refusal("EpochReceipted"));
});

test("the share that t signers waive is erased alone: one that an older version named by its key stays", () => {
  const { records } = cluster.node(1);
  cluster.kill(1);
  const name = RECORDS.next.name(nextIdOf(KEY_ID, 2));
  records.set(RECORDS.next.name(KEY_ID), records.get(name) ?? expect.fail("the share is stored"));
  records.delete(name);
  cluster.restart(1);
  const changed = refreshOn(cluster, { seed: "second" });
  cluster.until(() => pendingAt(1).length === 2);
  changed.die();
  cluster.rest(100);
  const later = { subject: KEY_ID, session: pendingAt(1)[1]?.session ?? "" };
  const waivers = [3, 4, 5].map((party) => waiverBy(party, later));
  expect(discard(1, waivers, authoriseKeyDiscard(later.session))).toMatchObject({ kind: "epoch-discarded" });
  cluster.kill(1);
  cluster.restart(1);
  expect(pendingAt(1).map(({ epoch }) => epoch)).toEqual([2]);
  expect(discard(1, [waiverBy(3), waiverBy(4), waiverBy(5)])).toMatchObject({ kind: "epoch-discarded" });
  expect([...records.keys()].filter((record) => record.startsWith("next/"))).toEqual([]);
});

test("a session under way ends when it is waived: no receipt follows", () => {
  const given = testSessionId("under way");
  const session = Buffer.from(given).toString("hex");
  const { heard } = cluster.call(4, (call) => ({
    kind: "auxiliary",
    call,
    session: given,
    epoch: 2,
    authorisation: authoriseAuxiliary(1, 2, [1, 2, 3, 4, 5]),
    expiresAtMs: cluster.world.nowMs() + 5_000,
  }));
  cluster.rest(50);
  const authorisation = authoriseKeyDiscard(session, AUXILIARY_SUBJECT);
  expect(discard(4, [], authorisation)).toMatchObject({ waiver: expect.anything() });
  expect(heard.at(-1)).toMatchObject({ kind: "failure" });
  expect(signerStatus(stateOf(4)).sessions).toEqual([]);
});

test("P13 a signer signs a limited number of waivers, and repeats those that it signed", () => {
  const { state = expect.fail("it lives") } = cluster.node(3);
  const note = { version: 1, subject: KEY_ID, isWaiver: true } as const;
  const others = Array.from({ length: WAIVERS_MAX - 1 }, (_, at) => `${at}`.padStart(64, "0"));
  const almost = others.reduce((waived, session) => put(waived, session, note), state.waived);
  const call = "call";
  if (!isCall(call)) throw new Error("not a call");
  const lastWord = (waived: typeof almost) => {
    const authorisation = authoriseKeyDiscard(unwanted.session);
    const event = eventOf({ kind: "discard-epoch", call, authorisation, waivers: [] });
    return stepSigner({ ...state, waived }, event, cluster.world.nowMs()).effects.at(-1);
  };
  expect(lastWord(almost)).toMatchObject({ report: { kind: "epoch-discarded" } });
  expect(lastWord(put(almost, unwanted.session, note))).toMatchObject({
    report: { kind: "epoch-discarded" },
  });
  expect(lastWord(put(almost, "ff".repeat(32), note))).toMatchObject({ report: refusal("TooManySessions") });
});
