import type { PartyIndex } from "@conclave/threshold";
import type { Standings } from "../coordinator/standings.ts";

/** How the signers stand, for all coordinators of a process: each begins every step with what all of them have learnt. */
export class SharedStandings {
  #now: Standings;
  #live: readonly PartyIndex[] = [];

  /** @param known how they stand at first: nothing is known of signers that are not in it */
  constructor(known: Standings = new Map()) {
    this.#now = known;
  }

  get now(): Standings {
    return this.#now;
  }

  /** @param health how the signers stand after a coordinator's step */
  learn(health: Standings): void {
    this.#now = health;
  }

  /**
   * A signer that was away and serves again starts afresh: its pause was for the process that died. Blame stays.
   *
   * @param live the signers that are live now
   */
  hearLive(live: readonly PartyIndex[]): void {
    const back = live.filter((signer) => !this.#live.includes(signer));
    this.#live = live;
    this.#now = new Map(
      [...this.#now].map(([signer, standing]) =>
        back.includes(signer) && !standing.isBlamed
          ? [signer, { ...standing, failures: 0, excludedUntilMs: 0 }]
          : [signer, standing],
      ),
    );
  }
}
