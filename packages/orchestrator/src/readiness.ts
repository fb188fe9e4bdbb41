import type { AuxiliaryResult } from "@conclave/cluster";
import { type Database, type Logger, withAdvisoryLock } from "@conclave/platform";
import type { Signers } from "@conclave/platform/coordination";
import type { PartyIndex } from "@conclave/threshold";
import type { Coordinators } from "./coordinators.ts";

/** One number for all orchestrators of a database: whoever holds this lock makes auxiliary information. */
const AUXILIARY_LOCK = "auxiliary information";
const LOOK_MS = 250;
const LOOK_WHEN_READY_MS = 2_000;

export type Readiness =
  | { readonly kind: "waiting"; readonly reason: string }
  | { readonly kind: "generating"; readonly reason: string | undefined }
  | { readonly kind: "ready"; readonly epoch: number };

export interface ReadinessWork {
  readonly database: Database;
  readonly signers: Signers;
  readonly coordinators: Pick<Coordinators, "generateAuxiliary">;
  readonly logger: Logger;
}

/** What the live signers hold; undefined until each of them has said so. */
const heldByLive = (signers: Signers): ReadonlyMap<PartyIndex, AuxiliaryResult> | undefined => {
  const held = new Map<PartyIndex, AuxiliaryResult>();
  const view = signers.view();
  for (const index of signers.live()) {
    const status = view.find((signer) => signer.index === index)?.status;
    if (status === undefined) return undefined;
    held.set(index, { epoch: status.auxiliaryEpoch, digest: status.auxiliaryDigest });
  }
  return held;
};

/** The epoch that all of them share; undefined when one has none, or another one. */
const sharedEpoch = (held: ReadonlyMap<PartyIndex, AuxiliaryResult>): number | undefined => {
  const [first, ...others] = held.values();
  if (first === undefined || first.epoch === 0) return undefined;
  const digest = Buffer.from(first.digest);
  const isShared = others.every((other) => other.epoch === first.epoch && digest.equals(other.digest));
  return isShared ? first.epoch : undefined;
};

/**
 * Whether the cluster can make keys and sign: every signer holds the auxiliary information of one epoch. Makes it
 * when it is missing, at the first start or after a signer lost its store; that takes all signers.
 */
export class ClusterReadiness {
  readonly #work: ReadinessWork;
  readonly #stopping = new AbortController();
  #state: Readiness = { kind: "waiting", reason: "the signers have not been heard yet" };

  constructor(work: ReadinessWork) {
    this.#work = work;
  }

  get state(): Readiness {
    return this.#state;
  }

  /**
   * Looks once, and makes what is missing.
   * @returns when to look again, in milliseconds
   */
  async look(): Promise<number> {
    const { signers } = this.#work;
    const held = heldByLive(signers);
    if (held === undefined || held.size < signers.threshold) {
      this.#state = {
        kind: "waiting",
        reason: signers.shortage() ?? "the signers have not said what they hold",
      };
      return LOOK_MS;
    }
    const epoch = sharedEpoch(held);
    if (epoch === undefined) {
      await this.#generate();
      return LOOK_MS;
    }
    if (this.#state.kind !== "ready") this.#work.logger.info({ epoch }, "the cluster is ready");
    this.#state = { kind: "ready", epoch };
    return LOOK_WHEN_READY_MS;
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #generate(): Promise<void> {
    const { database, signers, coordinators, logger } = this.#work;
    this.#state = { kind: "generating", reason: undefined };
    await withAdvisoryLock(database, AUXILIARY_LOCK, this.#stopping.signal, async () => {
      // another orchestrator may have made it while this one waited, and a status may be older than that
      await signers.refresh();
      const held = heldByLive(signers);
      if (held === undefined || sharedEpoch(held) !== undefined) return;
      logger.info("auxiliary information is missing; all signers make it");
      const run = coordinators.generateAuxiliary(held, (reason) => {
        this.#state = { kind: "generating", reason };
      });
      const outcome = await run.outcome;
      logger.info({ outcome: outcome.kind }, "auxiliary generation ended");
      await signers.refresh();
    });
    for (const { index } of signers.all()) signers.noteStage(index, undefined);
  }
}
