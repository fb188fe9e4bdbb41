import { chanceOf } from "../time/chance-of.ts";
import type { Profile } from "./profile.ts";

/** Settings of a world that no plan has: an attacker, stocks of presignatures, deaths in writes. */
export interface WorldAttack {
  /** whether an attacker with the rights of an orchestrator is among them */
  readonly isAttacked: boolean;
  /** how many presignatures each honest one keeps ready for each set of signers */
  readonly presignatures: number;
  /** the share of the synced writes of signers in which these die */
  readonly deathsInWrites: number;
}

/** Each presignature of each set of signers costs a world what a signature does. */
const STOCK = [1, 2] as const;

/** Draws whether a world has a hostile orchestrator, and whether its honest ones keep presignatures. @param seed a whole number */
export const drawAttack = (seed: number, { attacked, stocked, deathsInWrites }: Profile): WorldAttack => {
  const chance = chanceOf(String(seed), "attack");
  const isAttacked = chance.share() < attacked;
  const presignatures = chance.share() < stocked ? chance.between(...STOCK) : 0;
  return { isAttacked, presignatures, deathsInWrites };
};
