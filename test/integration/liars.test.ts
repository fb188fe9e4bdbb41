import { ToyChain } from "@conclave/chains/testing";
import { AUXILIARY_ATTEMPT_MS, certify, type PendingEpoch } from "@conclave/cluster";
import { keyIdSchema, type Result } from "@conclave/custody";
import { connectSigners } from "@conclave/orchestrator";
import {
  everyKey,
  heldKey,
  listFaults,
  membersOf,
  type SignerClient,
  type SignerStatus,
} from "@conclave/platform";
import { type LyingWorker, lyingWorker, sourceWorker } from "@conclave/platform/testing";
import { waitUntil } from "@conclave/testbed";
import { ENVELOPE_KIND, type Envelope, type PartyIndex, partyIndex, verifyFault } from "@conclave/threshold";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import {
  makePremises,
  orchestratorConfig,
  type Premises,
  type RunningCluster,
  startCluster,
} from "./further-family/cluster.ts";
import { auxiliaryRenewal, type BegunRun, beginAtAll, keyRefresh } from "./liars/authorised-epoch.ts";
import { forgedCertificates } from "./liars/forged-certificates.ts";
import { LyingControl } from "./liars/lying-control.ts";
import { LyingLink } from "./liars/lying-link.ts";
import { conclave } from "./liars/operators-command.ts";
import { PATIENCE_MS } from "./patience.ts";
import { RawCaller } from "./raw-caller.ts";
import { memberIdentity } from "./signer-access.ts";

const HOUR_MS = 3_600_000;
const HASH = `0x${"5a".repeat(32)}`;
const THRESHOLD = 3;
/** Polling timeout for computations of signers on a busy machine. */
const PATIENCE = { timeout: PATIENCE_MS };
/** One quorum in ten avoids both liars; 40 requests would not all draw it by chance. */
const REQUESTS_MAX = 40;

const party = (index: number): PartyIndex => partyIndex(index) ?? expect.fail("it is in the roster");
const ALL = [1, 2, 3, 4, 5].map(party);
const LIAR = party(1);
const ACCUSERS = [1, 2];
const HONEST = [2, 3, 4, 5].map(party);

const keySchema = z.object({ id: keyIdSchema, status: z.literal("Active") });

let premises: Premises;
let worker: LyingWorker;
let control: LyingControl;
const links = new Map<PartyIndex, LyingLink>();
let cluster: RunningCluster;
let signers: readonly SignerClient[];
let keyId: string;

beforeAll(async () => {
  premises = await makePremises({ signers: ALL.length, threshold: THRESHOLD });
  worker = lyingWorker();
  worker.beHonest();
  for (const peer of HONEST) links.set(peer, await LyingLink.open(premises, LIAR, peer));
  const [liar = expect.fail("it is in the roster")] = premises.roster.signers;
  control = await LyingControl.open(premises, liar);
  cluster = await startCluster(premises, new ToyChain(Date.now() - HOUR_MS), 0, {
    workerOf: (index) => (ACCUSERS.includes(index) ? worker.entry : sourceWorker()),
    peerOf: (index, peer) => (index === LIAR ? (links.get(peer.index)?.address ?? peer) : peer),
    signerOf: (signer) => (signer.index === LIAR ? { ...signer, address: control.address } : signer),
  });
  signers = connectSigners(await orchestratorConfig(premises, 0));
  const made = await cluster.api.sendUntilServed("POST", "/keys", { scheme: "ECDSA", curve: "secp256k1" });
  keyId = keySchema.parse(made.body).id;
});
afterAll(async () => {
  for (const signer of signers ?? []) signer.close();
  await cluster?.stop();
  await Promise.all([...links.values()].map((link) => link.close()));
  await control?.close();
  worker?.beHonest();
  await premises?.leave();
});

/** Asks until there is an answer: a signer on a busy machine may take longer than a call waits. */
const answerTo = <T>(what: string, ask: () => Promise<Result<T>>): Promise<T> =>
  waitUntil(
    async () => {
      const answer = await ask();
      return answer.ok ? answer.value : undefined;
    },
    { what, deadlineMs: PATIENCE_MS, pollMs: 50 },
  );

/** The status that each signer's process reports. */
const statuses = (): Promise<readonly SignerStatus[]> =>
  Promise.all(signers.map((signer) => answerTo("a signer's status", () => signer.getStatus())));

const clientOf = (signer: PartyIndex): SignerClient =>
  signers.find(({ index }) => index === signer) ?? expect.fail("it is in the roster");

/** A signer's report on its shares of the key, active and waiting. */
const keyAt = async (signer: SignerClient) => {
  const key = await answerTo("a signer's key", () => heldKey(signer, keyId));
  return key.state === "active" ? key : expect.fail("each has the key");
};

const keyEpochs = async () =>
  (await Promise.all(signers.map((signer) => keyAt(signer)))).map(({ epoch }) => epoch);

/** Each signer's shares that wait for a certificate. */
const waiting = async (): Promise<
  readonly { readonly index: PartyIndex; readonly next: readonly PendingEpoch[] }[]
> =>
  Promise.all(
    signers.map(async (signer) => {
      const held = await answerTo("a signer's keys", () => everyKey(signer, "waiting"));
      return { index: signer.index, next: [...held.values()].flatMap(({ next }) => next) };
    }),
  );
const auxiliaryEpochs = async () => (await statuses()).map(({ auxiliaryEpoch }) => auxiliaryEpoch);

const pools = async () => (await statuses()).flatMap(({ index, pool }) => (index === LIAR ? [] : [pool]));
/** Number of ready presignatures at each honest signer. */
const ready = async () => (await pools()).map((pool) => pool.ready);

/** Whether an envelope is the direct message with Πfac. */
const isProof = ({ round, kind }: Envelope): boolean => round === 3 && kind === ENVELOPE_KIND.direct;
const changed = ({ payload }: Envelope): Uint8Array =>
  payload.with(payload.length - 1, (payload.at(-1) ?? 0) ^ 1);

const sign = async (): Promise<void> => {
  const answer = await cluster.api.send("POST", `/keys/${keyId}/signatures`, { kind: "Hash", hash: HASH });
  expect(answer.body).toMatchObject({ status: "Signed" });
};

/** Activates new shares by epoch number, as in versions without certificates. */
const activateByNumber = async (epoch: number): Promise<void> => {
  const { layout, clusterId, roster } = premises;
  const tls = await memberIdentity({ layout, description: { clusterId } }, layout.orchestrator);
  for (const { address } of roster.signers) {
    const caller = new RawCaller(premises, address, tls);
    expect(await caller.activate(keyId, epoch)).not.toBe("UNAVAILABLE");
    caller.close();
  }
};

/** An honest authorised refresh to its end. @returns the epochs to which all signers switched */
const refresh = async (nextEpoch: number): Promise<readonly number[]> => {
  const run = await beginAtAll(signers, await keyRefresh(premises, await keyAt(clientOf(LIAR)), nextEpoch));
  await expect.poll(() => run.last.size, PATIENCE).toBe(ALL.length);
  const said = [...run.last].map(([signer, report]) =>
    report.kind === "key-changed" ? { signer, ...report } : expect.fail(`${signer}: ${report.kind}`),
  );
  const { from, epoch: to, digest } = said[0] ?? expect.fail("all answered");
  const transition = { subject: keyId, from, to, digest, session: run.session };
  const receipts = new Map(said.map(({ signer, receipt }) => [signer, receipt]));
  const certificate = certify(membersOf(premises.roster), transition, receipts) ?? expect.fail("all signed");
  const switched = await Promise.all(signers.map((signer) => signer.switchEpoch(certificate)));
  return switched.map((answer) => (answer.ok ? answer.value.epoch : 0));
};

/** Makes one presignature with honest signers. */
const presign = async (): Promise<void> => {
  const quorum = [3, 4, 5].map(party);
  const members = signers.filter(({ index }) => quorum.includes(index));
  const run = await beginAtAll(members, {
    kind: "presigning",
    quorum,
    keyId,
    expiresAtMs: Date.now() + 30_000,
  });
  await expect
    .poll(() => [...run.last.values()].map(({ kind }) => kind), PATIENCE)
    .toEqual(Array(3).fill("presigned"));
};

/** The signers that hold new shares of the key which are not yet active. */
const pendingAt = async (): Promise<readonly number[]> =>
  (await waiting()).flatMap(({ index, next }) => (next.length > 0 ? [index] : []));

/**
 * Begins an authorised refresh in which the liar withholds its last echo from the victims; the orchestrator leaves once the
 * others have their shares.
 */
const refreshWithheldFrom = async (victims: readonly PartyIndex[], nextEpoch: number): Promise<BegunRun> => {
  for (const victim of victims) {
    links
      .get(victim)
      ?.lie((envelope) =>
        envelope.round === 4 && envelope.kind === ENVELOPE_KIND.echo ? undefined : envelope,
      );
  }
  const run = await beginAtAll(signers, await keyRefresh(premises, await keyAt(clientOf(LIAR)), nextEpoch));
  await expect
    .poll(async () => ({ pending: await pendingAt(), lost: run.lost }), PATIENCE)
    .toEqual({ pending: ALL.filter((signer) => !victims.includes(signer)), lost: [] });
  run.leave();
  await expect.poll(async () => (await statuses()).flatMap(({ sessions }) => sessions)).toEqual([]);
  return run;
};

/** The output of the operator's command that discards left-over epochs; given again where a busy signer answers it too late. */
const discardEpochs = (): Promise<string> =>
  vi.waitFor(async () => {
    const { code, out } = await conclave(premises, "discard-epochs", "--state", premises.layout.root);
    expect([code, out]).toEqual([0, expect.any(String)]);
    return out;
  }, PATIENCE);

describe("two signer processes that show bytes which honest signers signed in other sessions", () => {
  it("INV-7 get nobody blamed: no fault is on record, and each request is answered with a signature", async () => {
    worker.lie({ accuse: [3, 4, 5] });
    const liars = (): ReadonlySet<number> => new Set(worker.madeUp().map(({ reporter }) => reporter));
    for (let asked = 0; asked < REQUESTS_MAX && liars().size < ACCUSERS.length; asked++) await sign();
    expect(liars()).toEqual(new Set(ACCUSERS));
    worker.beHonest();
    expect(await listFaults(cluster.database, (fault) => fault)).toEqual([]);
    await sign();
  });
});

describe("an orchestrator and one signer of five that lie together (INV-7)", () => {
  it("split no key between two epochs: a signer withholds its last echo of an authorised refresh from two others, and nothing that is shown to the rest activates the new shares", async () => {
    const run = await refreshWithheldFrom([4, 5].map(party), 2);
    expect([4, 5].map((victim) => links.get(party(victim))?.lies)).toEqual([1, 1]);
    expect(await discardEpochs()).toMatch(/: kept by signer-1, signer-2, signer-3; 2 of 3 waivers\n$/);
    expect(await pendingAt()).toEqual([1, 2, 3]);

    const holders = (await waiting()).filter(({ next }) => next.length > 0);
    const given = new Map(holders.map(({ index, next: [share] }) => [index, share?.receipt ?? run.session]));
    const { from, epoch: to, digest } = holders[0]?.next[0] ?? expect.fail("the liar holds it");
    const transition = { subject: keyId, from, to, digest, session: run.session };
    for (const certificate of await forgedCertificates(premises, LIAR, transition, given)) {
      for (const signer of signers) {
        expect(await signer.switchEpoch(certificate)).toMatchObject({
          problem: { code: "EpochCertificateInvalid" },
        });
      }
    }
    await activateByNumber(to);
    expect(await keyEpochs()).toEqual([1, 1, 1, 1, 1]);
    await sign();

    for (const link of links.values()) link.beHonest();
    expect(await refresh(to + 1)).toEqual([3, 3, 3, 3, 3]);
    expect(await keyEpochs()).toEqual([3, 3, 3, 3, 3]);
    expect((await waiting()).flatMap(({ next }) => next)).toEqual([]);
    await sign();
  });

  it("leave shares behind that an operator discards: the three who lack them waive them for good", async () => {
    const [epoch = 0] = await keyEpochs();
    const run = await refreshWithheldFrom([3, 4, 5].map(party), epoch + 1);
    const name = `${keyId}, session ${Buffer.from(run.session).toString("hex", 0, 4)}`;
    expect(await discardEpochs()).toBe(`${name}: discarded, 3 signers waived it\n`);
    expect(await pendingAt()).toEqual([]);
    expect(new Set(await keyEpochs())).toEqual(new Set([epoch]));
    for (const link of links.values()) link.beHonest();
    await sign();
    expect(await discardEpochs()).toBe("nothing waits to be discarded\n");
  });
});

describe("one signer process that lies, of five", () => {
  it("makes signers lose neither epoch nor pool: its status shows another digest, and nobody makes anything anew; its bad Πfac to two others in an authorised renewal leaves the rest as it was, and the four sign without it", async () => {
    const before = await auxiliaryEpochs();
    const [epoch = 0] = before;
    control.show({ auxiliaryEpoch: epoch + 7, auxiliaryDigest: new Uint8Array(32) });
    await expect
      .poll(async () => (await cluster.status()).readiness)
      .toEqual({ kind: "ready", epoch, apart: ["signer-1"] });
    expect((await statuses()).flatMap(({ pendingAuxiliary }) => pendingAuxiliary)).toEqual([]);
    await presign();
    expect(await ready()).toEqual([0, 1, 1, 1]);

    for (const victim of [2, 3].map(party)) {
      links.get(victim)?.lie((envelope, sign) => (isProof(envelope) ? sign(changed(envelope)) : envelope));
    }
    const run = await beginAtAll(signers, await auxiliaryRenewal(premises, epoch));
    const verdicts = () =>
      [...run.last].flatMap(([reporter, report]) =>
        report.kind === "fault"
          ? [{ reporter, verdict: verifyFault(report.evidence, membersOf(premises.roster)) }]
          : [],
      );
    await expect
      .poll(() => verdicts().filter(({ reporter }) => [2, 3].includes(reporter)), {
        timeout: AUXILIARY_ATTEMPT_MS,
      })
      .toHaveLength(2);
    for (const { verdict } of verdicts()) expect(verdict).toMatchObject({ kind: "proven", culprit: LIAR });
    run.leave();
    expect(await auxiliaryEpochs()).toEqual(before);
    expect(await ready()).toEqual([0, 1, 1, 1]);
    // on a busy machine, signers that generate moduli answer late
    await expect
      .poll(async () => (await cluster.status()).readiness)
      .toEqual({ kind: "ready", epoch, apart: ["signer-1"] });

    control.show(undefined);
    await expect
      .poll(async () => (await cluster.status()).readiness)
      .toEqual({ kind: "ready", epoch, apart: [] });
    control.beSilent(true);
    await sign();
  });
});
