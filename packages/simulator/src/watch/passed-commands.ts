import type { Command } from "@conclave/cluster";
import type { Signer } from "@conclave/platform/coordination";

/** The name of a session, as a command carries it. */
export type SessionName = Parameters<Signer["begin"]>[0];

/** A command of an orchestrator to a signer, as it passed on its way. */
export interface PassedCommand {
  readonly named: SessionName;
  readonly command: Command;
}

/** Commands of a world that an attacker may have kept. */
const KEPT_MAX = 500;

/** The commands that passed, oldest first. The latest are kept. */
export class PassedCommands {
  readonly #passed: PassedCommand[] = [];

  add(passed: PassedCommand): void {
    this.#passed.push(passed);
    if (this.#passed.length > KEPT_MAX) this.#passed.shift();
  }

  get all(): readonly PassedCommand[] {
    return this.#passed;
  }
}
