import type { PartyIndex } from "@conclave/threshold";
import type { Standings } from "../coordinator/standings.ts";

/** Standings of the signers that all coordinators of a process share: each step of each coordinator begins with them. */
export class SharedStandings {
  #now: Standings;
  #live: readonly PartyIndex[] = [];

  /** @param known initial standings; signers without an entry have none */
  constructor(known: Standings = new Map()) {
    this.#now = known;
  }

  get now(): Standings {
    return this.#now;
  }

  /** @param health standings after a coordinator's step */
  learn(health: Standings): void {
    this.#now = health;
  }

  /**
   * Clears the pause of a signer that was away and serves again: the pause was for the process that died. Blame stays.
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
