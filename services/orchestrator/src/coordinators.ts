import { randomBytes } from "node:crypto";
import {
  AUXILIARY_ATTEMPT_MS,
  type AuxiliaryResult,
  type Health,
  type HeldKey,
  KEY_ATTEMPT_MS,
  type KeyGenerationResult,
  openAuxiliaryCoordinator,
  openKeyCoordinator,
  openSigningCoordinator,
  type RosterMember,
  SIGNING_ATTEMPT_MS,
  type SigningCoordinator,
  type SigningResult,
  stepAuxiliaryCoordinator,
  stepKeyCoordinator,
  stepSigningCoordinator,
} from "@conclave/cluster";
import type { SignedAuthorisation } from "@conclave/custody";
import type { Logger, Roster } from "@conclave/platform";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import {
  type BlamedSigner,
  type Coordination,
  coordinate,
  type Machine,
  type Outcome,
} from "./coordination.ts";
import type { Signers } from "./signers.ts";
import type { SigningQuorum, SigningRequest } from "./transfers/sign.ts";

export interface KeyRequest {
  readonly keyId: string;
  readonly authorisation: SignedAuthorisation;
  /** what the live signers hold of this key already */
  readonly held: ReadonlyMap<PartyIndex, HeldKey>;
}

const entropy = (length: number): Uint8Array => randomBytes(length);

/** The roster as coordinators know it. */
export const membersOf = (roster: Pick<Roster, "signers">): ReadonlyMap<PartyIndex, RosterMember> =>
  new Map(
    roster.signers.map(({ index, id, identityKey, encryptionKey }) => {
      const party = partyIndex(index);
      if (party === undefined) throw new Error(`the roster's index ${index} passed the door`);
      const keys = {
        identity: Buffer.from(identityKey, "hex"),
        encryption: Buffer.from(encryptionKey, "hex"),
      };
      return [party, { id, ...keys }];
    }),
  );

/** Runs the cluster's coordinators over the signers of this process, and keeps what they learn about signers. */
export class Coordinators implements SigningQuorum {
  readonly #roster: ReadonlyMap<PartyIndex, RosterMember>;
  readonly #signers: Signers;
  readonly #recordFault: (blamed: BlamedSigner) => void;
  readonly #logger: Logger;
  readonly #running = new Set<{ readonly stop: () => void; readonly closed: Promise<void> }>();
  /** one memory for all signing coordinators of the process */
  #health: Health = new Map();
  #live: readonly PartyIndex[] = [];
  #isStopping = false;

  constructor(
    roster: Pick<Roster, "signers">,
    signers: Signers,
    recordFault: (blamed: BlamedSigner) => void,
    logger: Logger,
  ) {
    this.#roster = membersOf(roster);
    this.#signers = signers;
    this.#recordFault = recordFault;
    this.#logger = logger;
    signers.onChange(() => this.#welcomeBack());
  }

  shortage(): string | undefined {
    return this.#signers.shortage();
  }

  async sign(request: SigningRequest, waiting: (reason: string) => void): Promise<Outcome<SigningResult>> {
    const run = this.#run(this.#signingMachine(request), {
      waiting: (reason) => {
        waiting(reason);
        // too few live: the transfer goes back to the bus, and no lane of work is held
        if (this.shortage() !== undefined) queueMicrotask(() => run.stop());
      },
    });
    return run.outcome;
  }

  /** Makes a key on all signers, or takes up what an earlier run of the same key left. */
  generateKey({ keyId, authorisation, held }: KeyRequest): Coordination<KeyGenerationResult> {
    const config = { roster: this.#roster, keyId, authorisation, entropy, attemptMs: KEY_ATTEMPT_MS };
    return this.#run(
      {
        open: (live, nowMs) => openKeyCoordinator(config, { live, held }, nowMs),
        step: stepKeyCoordinator,
      },
      {},
    );
  }

  /** Brings the same auxiliary information to all signers; goes on until it is so. */
  generateAuxiliary(
    held: ReadonlyMap<PartyIndex, AuxiliaryResult>,
    waiting: (reason: string) => void,
  ): Coordination<AuxiliaryResult> {
    const config = { roster: this.#roster, entropy, attemptMs: AUXILIARY_ATTEMPT_MS };
    return this.#run(
      {
        open: (live, nowMs) => openAuxiliaryCoordinator(config, { live, held }, nowMs),
        step: stepAuxiliaryCoordinator,
      },
      { waiting, progress: (signer, stage) => this.#signers.noteStage(signer, stage) },
    );
  }

  /** Cancels every session under way; nothing new begins. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const run of this.#running) run.stop();
    await Promise.all([...this.#running].map(({ closed }) => closed));
  }

  #signingMachine(request: SigningRequest): Machine<SigningCoordinator, SigningResult> {
    const { keyId, authorisation, unsignedTransaction, isSignature } = request;
    const config = {
      roster: this.#roster,
      threshold: this.#signers.threshold,
      keyId,
      authorisation,
      unsignedTransaction,
      verify: isSignature,
      entropy,
      attemptMs: SIGNING_ATTEMPT_MS,
    };
    return {
      open: (live, nowMs) =>
        this.#learn(openSigningCoordinator(config, { live, health: this.#health }, nowMs)),
      step: (state, event, nowMs) =>
        this.#learn(stepSigningCoordinator({ ...state, health: this.#health }, event, nowMs)),
    };
  }

  #learn<Step extends { readonly state: SigningCoordinator }>(step: Step): Step {
    this.#health = step.state.health;
    return step;
  }

  #run<State, Value>(
    machine: Machine<State, Value>,
    observer: Omit<Parameters<typeof coordinate<State, Value>>[2], "fault">,
  ): Coordination<Value> {
    const logger = this.#logger;
    const run = coordinate(machine, this.#signers, {
      fault: this.#recordFault,
      begun: (signer, session) => logger.debug({ signer, session }, "session begun"),
      lost: (signer, session, reason) => logger.warn({ signer, session, reason }, "session lost"),
      ...observer,
    });
    this.#running.add(run);
    void run.closed.then(() => this.#running.delete(run));
    if (this.#isStopping) run.stop();
    return run;
  }

  /** A signer that was away and serves again starts afresh: its pause was for the process that died. Blame stays. */
  #welcomeBack(): void {
    const live = this.#signers.live();
    const back = live.filter((index) => !this.#live.includes(index));
    this.#live = live;
    this.#health = new Map(
      [...this.#health].map(([index, standing]) =>
        back.includes(index) && !standing.isBlamed
          ? [index, { ...standing, failures: 0, excludedUntilMs: 0 }]
          : [index, standing],
      ),
    );
  }
}
