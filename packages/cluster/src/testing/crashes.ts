import type { TestCluster } from "./cluster.ts";

const EFFECTS_MAX = 200; // above the number of effects at one signer in one session

/** The writes that a dying signer loses: none ("process"), or all since its last synced write ("power"). */
export type Death = "process" | "power";

/**
 * Runs a scenario once for every effect of every signer: the signer dies before the effect, restarts from its store,
 * and the scenario must still succeed. The ledger throws when INV-2 or INV-4 breaks.
 */
export const crashEverywhere = (
  open: () => TestCluster,
  scenario: (cluster: TestCluster) => void,
  death: Death = "process",
): number => {
  let crashes = 0;
  for (const signer of [1, 2, 3]) {
    for (let at = 0; at < EFFECTS_MAX; at++) {
      const cluster = open();
      const node = cluster.node(signer);
      node.diesAt = node.effectsDone + at;
      node.losesPower = death === "power";
      scenario(cluster);
      if (node.diesAt !== undefined) break; // the scenario ended before this effect: every effect was tried
      crashes++;
    }
  }
  return crashes;
};

/** Restarts every signer that died, a moment later. */
export const reviving = (cluster: TestCluster, done: () => boolean): void => {
  cluster.until(() => {
    const dead = [...cluster.nodes.values()].filter(({ isAlive }) => !isAlive);
    if (dead.length > 0) {
      cluster.rest(500);
      cluster.restart(...dead.map(({ self }) => self));
    }
    return done();
  });
};
