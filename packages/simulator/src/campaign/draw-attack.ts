import { chanceOf } from "../time/chance-of.ts";
import type { Profile } from "./profile.ts";

/** Settings of a world that no plan has: an attacker, stocks of presignatures, deaths in writes, nodes that lag, clocks that differ. */
export interface WorldAttack {
  /** whether an attacker with the rights of an orchestrator is among them */
  readonly isAttacked: boolean;
  /** how many presignatures each honest one keeps ready for each set of signers */
  readonly presignatures: number;
  /** the share of the synced writes of signers in which these die */
  readonly deathsInWrites: number;
  /** the share of calls to chains that a node answers which is behind */
  readonly laggingNodes: number;
  /** the most that the clock of a machine is ahead or behind from the beginning, milliseconds */
  readonly clocksApartMs: number;
}

/** Each presignature of each set of signers costs a world what a signature does. */
const STOCK = [1, 2] as const;

/** In a world whose nodes lag, so many calls are answered by one that is behind. */
const LAGGING_SHARE = 0.3;

/** Draws whether a world has a hostile orchestrator, whether its honest ones keep presignatures, and whether nodes lag. @param seed a whole number */
export const drawAttack = (
  seed: number,
  { attacked, stocked, deathsInWrites, lagging, clocksApartMs }: Profile,
): WorldAttack => {
  const chance = chanceOf(String(seed), "attack");
  const isAttacked = chance.share() < attacked;
  const presignatures = chance.share() < stocked ? chance.between(...STOCK) : 0;
  const laggingNodes = chance.share() < lagging ? LAGGING_SHARE : 0;
  return { isAttacked, presignatures, deathsInWrites, laggingNodes, clocksApartMs };
};
