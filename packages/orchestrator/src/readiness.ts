import { type Agreement, AUXILIARY_SUBJECT, agreementOf } from "@conclave/cluster";
import type { World } from "@conclave/custody";
import { type Database, type Logger, withAdvisoryLock } from "@conclave/platform";
import type { Signers } from "@conclave/platform/coordination";
import type { Coordinators } from "./coordinators.ts";
import { heldByLive } from "./held-auxiliary.ts";
import { outcomeWhileHeld } from "./keys/while-held.ts";
import { auxiliaryEnded, auxiliaryMissing, clusterReady } from "./log/session-events.ts";

/** The name of one lock for all orchestrators of a database: its holder makes auxiliary information. */
const AUXILIARY_LOCK = "auxiliary information";
const LOOK_MS = 250;
const LOOK_WHEN_READY_MS = 2_000;

export type Readiness =
  | { readonly kind: "waiting"; readonly reason: string }
  | { readonly kind: "generating"; readonly reason: string | undefined }
  /**
   * `apart` names the live signers that do not use this epoch: they take part in no session that needs auxiliary
   * information
   */
  | { readonly kind: "ready"; readonly epoch: number; readonly apart: readonly string[] };

export interface ReadinessWork {
  readonly world: Pick<World, "sleep">;
  readonly database: Database;
  readonly signers: Signers;
  readonly coordinators: Pick<Coordinators, "generateAuxiliary">;
  readonly logger: Logger;
}

/**
 * Knows whether the cluster can make keys and sign: t signers use the auxiliary information of one epoch.
 * Where there is none yet, it has all signers make the first. It never replaces auxiliary information: only
 * an operator can, with the authority's signature.
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
    const held = heldByLive(signers.view());
    const isHeard = held.size === signers.live().length;
    if (!isHeard || held.size < signers.threshold) {
      this.#state = {
        kind: "waiting",
        reason: signers.shortage() ?? "the signers have not said what they hold",
      };
      return LOOK_MS;
    }
    const agreement = agreementOf(held, signers.threshold);
    if (agreement !== undefined) return this.#ready(agreement);
    const without = [...held.values()].filter(({ epoch }) => epoch === 0);
    if (without.length >= signers.threshold) {
      await this.#generate();
      return LOOK_MS;
    }
    const said = [...held].map(([index, { epoch }]) => `${signers.idOf(index)} epoch ${epoch}`).join(", ");
    const reason = `fewer than ${signers.threshold} signers use the same auxiliary information (${said})`;
    this.#state = { kind: "waiting", reason: `${reason}: conclave reprovision makes it anew` };
    return LOOK_MS;
  }

  #ready({ epoch, apart: indices }: Agreement): number {
    const { signers, logger } = this.#work;
    const apart = indices.map((index) => signers.idOf(index));
    const before = this.#state;
    const isNews = before.kind !== "ready" || before.epoch !== epoch || before.apart.join() !== apart.join();
    if (isNews) clusterReady(logger, { epoch, apart });
    this.#state = { kind: "ready", epoch, apart };
    return LOOK_WHEN_READY_MS;
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #generate(): Promise<void> {
    const { world, database, signers, coordinators, logger } = this.#work;
    this.#state = { kind: "generating", reason: undefined };
    await withAdvisoryLock(world, database, AUXILIARY_LOCK, this.#stopping.signal, async (lost) => {
      // another orchestrator may have made it meanwhile, and a signer's status may be older than that
      await signers.refresh();
      const held = heldByLive(signers.view());
      if (agreementOf(held, signers.threshold) !== undefined) return;
      auxiliaryMissing(logger, {});
      const certificates = await this.#certificates();
      const run = coordinators.generateAuxiliary({ held, certificates }, (reason) => {
        this.#state = { kind: "generating", reason };
      });
      const outcome = await outcomeWhileHeld(run, lost);
      auxiliaryEnded(logger, { outcome: outcome.kind });
      await signers.refresh();
    });
    for (const { index } of signers.all()) signers.noteStage(index, undefined);
  }

  /** The certificates of signers that have already switched: with one, the others can follow, and no new epoch is needed. */
  async #certificates(): Promise<readonly Uint8Array[]> {
    const { signers } = this.#work;
    const answers = await Promise.all(
      signers.all().map((signer) => signer.getCertificate(AUXILIARY_SUBJECT)),
    );
    return answers.flatMap((answer) => (answer.ok && answer.value !== undefined ? [answer.value] : []));
  }
}
