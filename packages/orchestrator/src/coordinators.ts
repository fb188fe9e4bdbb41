import {
  type AskedForRequest,
  AUXILIARY_ATTEMPT_MS,
  type AuxiliaryResult,
  agreementOf,
  type HeldKey,
  isUnpreferred,
  KEY_ATTEMPT_MS,
  KEY_EXPORT_ATTEMPT_MS,
  type KeyCoordinatorConfig,
  type KeyExportResult,
  type KeyGenerationResult,
  type KnownAuxiliary,
  type KnownSigners,
  type LiveWork,
  MESSAGE_ATTEMPT_MS,
  membersHolding,
  type Observer,
  openAuxiliaryCoordinator,
  openKeyCoordinator,
  openKeyExportCoordinator,
  openPresigningCoordinator,
  openSigningCoordinator,
  ownClockOf,
  PRESIGNING_ATTEMPT_MS,
  type PresigningResult,
  REQUEST_AGE_MS_MAX,
  type RosterMember,
  SharedStandings,
  SIGNING_ATTEMPT_MS,
  type SignedForRequest,
  type SigningCoordinator,
  type SigningResult,
  slownessOf,
  stepAuxiliaryCoordinator,
  stepKeyCoordinator,
  stepKeyExportCoordinator,
  stepPresigningCoordinator,
  type WithStandings,
} from "@conclave/cluster";
import type { ErrorCode, SignedAuthorisation, World } from "@conclave/custody";
import { type Logger, leastSigned, membersOf, pastIdentities, type Roster } from "@conclave/platform";
import {
  type BlamedSigner,
  type Coordination,
  coordinate,
  type Machine,
  type CoordinationOutcome as Outcome,
  type Signers,
} from "@conclave/platform/coordination";
import type { KeyHolders, PartyIndex } from "@conclave/threshold";
import { heldByLive } from "./held-auxiliary.ts";
import { type HoldersOfKeys, KeyCommittees } from "./keys/key-committees.ts";
import { NumberedSessions, type SessionIds, type SessionPurpose } from "./log/numbered-sessions.ts";
import { deadlineRefused } from "./log/process-events.ts";
import { sessionBegun, sessionLost, signerBehind } from "./log/session-events.ts";
import { drawing, type PresignatureSource } from "./presignatures/drawing.ts";
import { type PresigningPlace, PresigningPlaces } from "./presignatures/places.ts";
import { type PartOfRequest, signInParts } from "./sign-in-parts.ts";
import { SignedParts } from "./signed-parts.ts";
import type { AskedSigners, PartlySigned, SigningPort, SigningRequest } from "./signing-port.ts";

/** How long after a signature a client that sends one request after another may come back. */
const LATELY_MS = 3_000;

export interface KeyRequest {
  readonly keyId: string;
  readonly authorisation: SignedAuthorisation;
  /** the state of this key at the live signers that already have it */
  readonly held: ReadonlyMap<PartyIndex, HeldKey>;
  /** whether this run yields to another coordinator for which signers make the key: then it stops, and is looked at again */
  readonly yields: boolean;
}

export interface KeyImportRequest extends KeyRequest {
  /** the client's envelope for each signer of the roster */
  readonly envelopes: ReadonlyMap<PartyIndex, Uint8Array>;
  /** ids of the keys that the organisation has, by public key: none of these is imported again */
  readonly taken: ReadonlyMap<string, string>;
}

export interface KeyExportRequest {
  readonly keyId: string;
  readonly requestId: string;
  /** AuthorisedExport */
  readonly authorisation: SignedAuthorisation;
  /** the holders of the key */
  readonly holders: KeyHolders;
}

/** Numbers of signatures: with a presignature of the pool, or with one made in the same session. */
export interface SignedCount {
  readonly pooled: number;
  readonly interactive: number;
}

/** A presignature to make. */
export interface PresigningRequest {
  readonly keyId: string;
  /** exactly `threshold` signers, ascending */
  readonly signers: readonly PartyIndex[];
}

/** Time within which all processes have a renewed identity, after its date by the gateway's clock, which dates requests. */
const APART_MS_MAX = 24 * 60 * 60_000;

/** The signers that a coordinator may choose from. */
type Among = Pick<Signers, "get" | "live" | "lives" | "noteLife" | "onChange"> & {
  readonly apart?: () => readonly PartyIndex[];
};

/** The parts of a roster that coordinators need. */
export type CoordinatedRoster = Pick<
  Roster,
  "clusterId" | "threshold" | "signers" | "renewals" | "changes" | "change"
>;

/** Whether a signer refuses because it has other holders for the key, or does not hold it any more. */
const isOfOtherHolders = (code: ErrorCode): boolean => code === "QuorumInvalid" || code === "KeyUnknown";

const isSameHolders = (one: KeyHolders, other: KeyHolders): boolean =>
  one.threshold === other.threshold && String(one.parties) === String(other.parties);

/** Runs the cluster's coordinators over this process's clients of signers, and keeps the standings of signers. */
export class Coordinators implements SigningPort {
  readonly #world: World;
  readonly #clock: ReturnType<typeof ownClockOf>;
  readonly #roster: ReadonlyMap<PartyIndex, RosterMember>;
  readonly #history: CoordinatedRoster;
  readonly #signers: Signers;
  readonly holders: HoldersOfKeys;
  readonly #inAgreement: Among;
  readonly #recordFault: (blamed: BlamedSigner, ids: SessionIds) => void;
  readonly #logger: Logger;
  readonly #running = new Set<{ readonly stop: () => void; readonly closed: Promise<void> }>();
  readonly #standings = new SharedStandings();
  #isStopping = false;
  /** number of signatures under way */
  #signing = 0;
  #signedAtMs: number | undefined;
  #begun = 0;
  readonly #places = new PresigningPlaces();
  readonly #parts: SignedParts;
  #signed: SignedCount = { pooled: 0, interactive: 0 };
  #presignatures: PresignatureSource | undefined;
  #behind: (signer: PartyIndex, keyId: string) => void = () => undefined;

  constructor(
    world: World,
    roster: CoordinatedRoster,
    signers: Signers,
    recordFault: (blamed: BlamedSigner, ids: SessionIds) => void,
    logger: Logger,
  ) {
    this.#world = world;
    this.#clock = ownClockOf(world);
    this.#parts = new SignedParts(world.monotonicMs);
    this.#roster = membersOf(roster);
    this.#history = roster;
    this.#signers = signers;
    this.holders = new KeyCommittees(signers, roster);
    this.#recordFault = recordFault;
    this.#logger = logger;
    signers.onChange(() => this.#standings.hearLive(signers.live()));
    this.#inAgreement = {
      get: (index) => signers.get(index),
      live: () => this.#agreeing(),
      lives: () => signers.lives(),
      noteLife: (index, life) => signers.noteLife(index, life),
      apart: () => {
        const agreeing = this.#agreeing();
        return signers.live().filter((index) => !agreeing.includes(index));
      },
      // a signer that uses the agreed auxiliary info again takes part again, also in sessions that have begun
      onChange: (changed) => {
        const ends = [signers.onChange(changed), signers.onAuxiliary(changed)];
        return () => {
          for (const end of ends) end();
        };
      },
    };
  }

  shortage(): string | undefined {
    return this.#signers.shortage();
  }

  isBegun(request: PartlySigned): boolean {
    return this.#parts.of(request).length > 0;
  }

  askSigned(asked: AskedForRequest): AskedSigners {
    const ask = async (index: PartyIndex): Promise<SignedForRequest | undefined> => {
      const said = await this.#signers.get(index)?.getSigned(asked);
      return said?.ok === true ? said.value : undefined;
    };
    return {
      of: this.#roster.size,
      threshold: this.#signers.threshold,
      remembering: leastSigned(
        this.#history,
        {
          anyMs: this.#world.nowMs() - REQUEST_AGE_MS_MAX,
          thisMs: asked.requestedAtMs - APART_MS_MAX,
        },
        this.#signers.threshold,
      ),
      answers: this.#signers.live().map(ask),
    };
  }

  /** Signs with presignatures of this source from now on, while it has any. */
  drawFrom(presignatures: PresignatureSource): void {
    this.#presignatures = presignatures;
  }

  /** Calls back when a signer is in an earlier epoch of a key than others report. */
  onBehind(behind: (signer: PartyIndex, keyId: string) => void): void {
    this.#behind = behind;
  }

  get signed(): SignedCount {
    return this.#signed;
  }

  /** Number of signatures of any kind that were begun since the start. */
  get begun(): number {
    return this.#begun;
  }

  /** Whether a caller waits for a signature, or lately did: deferrable work then pauses. */
  get live(): LiveWork {
    if (this.#signing > 0) return "now";
    const isLately =
      this.#signedAtMs !== undefined && this.#world.monotonicMs() - this.#signedAtMs < LATELY_MS;
    return isLately ? "lately" : "none";
  }

  /** Live signers that use the auxiliary information on which t signers agree: an ECDSA session needs one epoch of it. */
  #agreeing(): readonly PartyIndex[] {
    const agreement = agreementOf(heldByLive(this.#signers.view()), this.#signers.threshold);
    return this.#signers.live().filter((index) => agreement?.apart.includes(index) !== true);
  }

  /** The agreeing signers without those that are left out because of failures. */
  usable(): readonly PartyIndex[] {
    const nowMs = this.#world.monotonicMs();
    return this.#agreeing().filter(
      (index) => (this.#standings.now.get(index)?.excludedUntilMs ?? 0) <= nowMs,
    );
  }

  /** Whether other sets are preferred to these signers, because of one of them or of two together. */
  isApart(signers: readonly PartyIndex[]): boolean {
    return isUnpreferred(this.#standings.now, signers, this.#world.monotonicMs());
  }

  /** How slow a session among these signers would be (`slownessOf`), 0 for as fast as others. */
  slowness(signers: readonly PartyIndex[]): number {
    return slownessOf(this.#standings.now, signers, this.#world.monotonicMs());
  }

  sign(request: SigningRequest, waiting: (reason: string) => void): Promise<Outcome<SigningResult>> {
    const source = request.isChosen ? undefined : this.#presignatures;
    return signInParts(
      request,
      () => source?.offer(request.keyId) ?? [],
      (part) => this.#signPart(part, waiting),
      this.#parts,
    );
  }

  /** Returns the holders of a key; asks the signers where this process does not know them. */
  async holdersOf(keyId: string): Promise<KeyHolders | undefined> {
    return this.holders.known(keyId) ?? this.holders.learn(keyId);
  }

  /** Signs among the holders of the key; retries once when signers answer that the key has other holders now. */
  async #signPart(
    request: PartOfRequest,
    waiting: (reason: string) => void,
  ): Promise<Outcome<SigningResult>> {
    const { keyId } = request;
    const holders = this.holders.known(keyId) ?? (await this.holders.learn(keyId));
    if (holders === undefined) {
      waiting("waiting for signers that hold the key");
      return { kind: "stopped" };
    }
    const outcome = await this.#signAmong(holders, request, waiting);
    if (outcome.kind !== "failed" || !isOfOtherHolders(outcome.problem.code)) return outcome;
    const now = await this.holders.learn(keyId);
    return now === undefined || isSameHolders(now, holders)
      ? outcome
      : this.#signAmong(now, request, waiting);
  }

  async #signAmong(
    holders: KeyHolders,
    { part, ...request }: PartOfRequest,
    waiting: (reason: string) => void,
  ): Promise<Outcome<SigningResult>> {
    const { keyId, requestId, authorisation, unsigned, signables, isChosen, dead, isSigned } = request;
    const schemes = signables.map(({ scheme }) => scheme);
    const count = schemes.filter((scheme) => scheme === "CGGMP24").length;
    const isEcdsa = count > 0;
    // signers refuse a presignature of the pool for a hash that they did not compute (P7)
    const source = isEcdsa && !isChosen ? this.#presignatures : undefined;
    source?.noteUse(keyId, count);
    const isPooled = (source?.offer(keyId).length ?? 0) >= count;
    if (isEcdsa && !isPooled && !this.#places.hasRoom()) {
      waiting("waiting for a presignature: signers make as many as they can");
      return { kind: "stopped" };
    }
    const roster = membersHolding(this.#roster, holders);
    const { threshold } = holders;
    const config = {
      roster,
      threshold,
      keyId,
      authorisation,
      unsigned,
      part,
      dead,
      schemes,
      verify: isSigned,
      entropy: this.#world.entropy,
      attemptMs: isEcdsa ? SIGNING_ATTEMPT_MS : MESSAGE_ATTEMPT_MS,
      ...this.#clock,
    };
    const among = isEcdsa ? this.#inAgreement : this.#signers;
    const place = isEcdsa ? this.#places.enter() : undefined;
    const machine = drawing({
      open: (known, nowMs) => openSigningCoordinator(config, known, nowMs),
      source,
      keyId,
    });
    const isShort = () => among.live().filter((index) => roster.has(index)).length < threshold;
    const means = { among, place, isShort };
    const outcome = await this.#sign({ keyId, requestId }, machine, means, waiting);
    if (outcome.kind === "done" && isEcdsa) this.#count(outcome.value.path.kind);
    return outcome;
  }

  /**
   * @param means the signers that may sign, whether these are too few, and the place of this signature among those that
   * presign for themselves
   */
  async #sign(
    purpose: SessionPurpose,
    machine: Machine<SigningCoordinator, SigningResult>,
    {
      among,
      place,
      isShort,
    }: {
      readonly among: Among;
      readonly place: PresigningPlace | undefined;
      readonly isShort: () => boolean;
    },
    waiting: (reason: string) => void,
  ): Promise<Outcome<SigningResult>> {
    const run: Coordination<SigningResult> = this.#run(
      purpose,
      {
        open: (known, nowMs) => {
          const step = machine.open(known, nowMs);
          place?.note(step.state, nowMs);
          return step;
        },
        step: (state, event, nowMs) => {
          const step = machine.step(state, event, nowMs);
          place?.note(step.state, nowMs);
          // stops, so that the request returns to the queue and makes room for those under way
          if (place?.isCrowded() === true) queueMicrotask(() => run.stop());
          return step;
        },
      },
      {
        waiting: (reason) => {
          waiting(reason);
          // too few signers are usable: the request returns to the queue, and holds no lane of work
          if (isShort()) queueMicrotask(() => run.stop());
        },
      },
      among,
    );
    this.#signing += 1;
    this.#begun += 1;
    void run.closed.then(() => {
      place?.leave();
      this.#signing -= 1;
      this.#signedAtMs = this.#world.monotonicMs();
    });
    return run.outcome;
  }

  #count(path: keyof SignedCount): void {
    this.#signed = { ...this.#signed, [path]: this.#signed[path] + 1 };
  }

  /** Makes one presignature among these signers. */
  presign({ keyId, signers }: PresigningRequest): Promise<Outcome<PresigningResult>> {
    const config = {
      roster: this.#roster,
      keyId,
      quorum: signers,
      entropy: this.#world.entropy,
      attemptMs: PRESIGNING_ATTEMPT_MS,
      ...this.#clock,
    };
    const open = (known: KnownSigners, nowMs: number) => openPresigningCoordinator(config, known, nowMs);
    return this.#run({ keyId }, { open, step: stepPresigningCoordinator }, {}).outcome;
  }

  /** Makes a key on all signers, or continues an earlier run of the same key. */
  generateKey({ keyId, authorisation, held, yields }: KeyRequest): Coordination<KeyGenerationResult> {
    return this.#makeKey({ keyId, authorisation, yields }, held);
  }

  /**
   * Imports a client's key on all signers, or on none; continues an earlier run of the same key. Fails with
   * KeyImportRefused, which names the signer and the fault of each wrong share, with KeyImportDuplicate,
   * KeyImportDisabled or KeyImportUnavailable, or with an outage.
   */
  importKey(request: KeyImportRequest): Coordination<KeyGenerationResult> {
    const { keyId, authorisation, held, yields, envelopes, taken } = request;
    const brought = { envelopes, threshold: this.holders.ofNewKeys.threshold, taken };
    return this.#makeKey({ keyId, authorisation, yields, brought }, held);
  }

  #makeKey(
    key: Pick<KeyCoordinatorConfig, "keyId" | "authorisation" | "yields" | "brought">,
    held: KeyRequest["held"],
  ): Coordination<KeyGenerationResult> {
    const roster = membersHolding(this.#roster, this.holders.ofNewKeys);
    const means = { roster, entropy: this.#world.entropy, ...this.#clock };
    const config = { ...key, ...means, attemptMs: KEY_ATTEMPT_MS };
    const open = (known: KnownSigners, nowMs: number) =>
      openKeyCoordinator(config, { ...known, held }, nowMs);
    return this.#run({ keyId: key.keyId }, { open, step: stepKeyCoordinator }, {});
  }

  /**
   * Asks every live signer to seal its share of an active key for a client, which alone can open the envelopes. The
   * same request may be repeated. Fails with KeyExportDisabled, KeyExportRefused or KeyUnknown as signers answer, or
   * with an outage while fewer than t answer.
   */
  exportKey({ keyId, requestId, authorisation, holders }: KeyExportRequest): Coordination<KeyExportResult> {
    const { threshold } = holders;
    const order = { keyId, authorisation, threshold, attemptMs: KEY_EXPORT_ATTEMPT_MS };
    const roster = membersHolding(this.#roster, holders);
    const config = { ...order, roster, entropy: this.#world.entropy, ...this.#clock };
    const open = (known: KnownSigners, nowMs: number) => openKeyExportCoordinator(config, known, nowMs);
    return this.#run({ keyId, requestId }, { open, step: stepKeyExportCoordinator }, {});
  }

  /** Gives all signers their first auxiliary information, and tries until they have it. Replacing it needs the authority's signature. */
  generateAuxiliary(
    held: Omit<KnownAuxiliary, "live" | "health">,
    waiting: (reason: string) => void,
  ): Coordination<AuxiliaryResult> {
    const config = {
      roster: this.#roster,
      past: pastIdentities(this.#history),
      entropy: this.#world.entropy,
      attemptMs: AUXILIARY_ATTEMPT_MS,
      ...this.#clock,
      from: 0,
    };
    const open = (known: KnownSigners, nowMs: number) =>
      openAuxiliaryCoordinator(config, { ...known, ...held }, nowMs);
    return this.#run(
      {},
      { open, step: stepAuxiliaryCoordinator },
      { waiting, progress: (signer, stage) => this.#signers.noteStage(signer, stage) },
    );
  }

  /** Cancels every session under way; nothing new begins. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const run of this.#running) run.stop();
    await Promise.all([...this.#running].map(({ closed }) => closed));
  }

  #run<State extends WithStandings, Value>(
    purpose: SessionPurpose,
    machine: Machine<State, Value>,
    observer: Pick<Observer, "waiting" | "progress">,
    among: Among = this.#signers,
  ): Coordination<Value> {
    const logger = this.#logger;
    const sessions = new NumberedSessions(purpose);
    const run = coordinate(this.#world, this.#standings, machine, among, {
      fault: (blamed) => this.#recordFault(blamed, sessions.of(blamed.session)),
      begun: (signer, session) => sessionBegun(logger, { ...sessions.begin(session), signer }),
      lost: (signer, session, reason) => sessionLost(logger, { ...sessions.of(session), signer, reason }),
      // signing continues by the signers' clocks; an operator has to find out which clock is wrong
      otherClock: (signer, aheadMs) =>
        deadlineRefused(logger, { signer: this.#signers.idOf(signer), aheadMs }),
      behind: (signer, keyId) => {
        signerBehind(logger, { ...purpose, signer, keyId });
        this.#behind(signer, keyId);
      },
      ...observer,
    });
    this.#running.add(run);
    void run.closed.then(() => this.#running.delete(run));
    if (this.#isStopping) run.stop();
    return run;
  }
}
