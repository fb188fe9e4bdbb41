import type { TestCluster } from "./cluster.ts";

const EFFECTS_MAX = 200; // no run of one session has as many effects at one signer

/** The loss of a signer that dies: nothing that it wrote, or all that it wrote since its last synced write. */
export type Death = "process" | "power";

/**
 * Runs a scenario once for every prefix of the effects of every signer: the signer dies before the effect, restarts
 * from what it stored, and the scenario must still come out right. The ledger throws when INV-2 or INV-4 breaks.
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
      if (node.diesAt !== undefined) break; // it finished before: every prefix was tried
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
