import type { TestCluster } from "../cluster.ts";

/** Sets the clocks of signers this far ahead of the world's, or behind if negative. */
export type SetClocks = (cluster: TestCluster, signers: readonly number[], aheadMs: number) => void;

/** Sets the clock at run time: the process notices the jump and reports it to its signer (platform/src/life.ts). */
export const setAtRunTime: SetClocks = (cluster, signers, aheadMs) => {
  for (const signer of signers) {
    cluster.node(signer).clockAheadMs = aheadMs;
    cluster.node(signer).resume();
  }
};

export const setOverRestart: SetClocks = (cluster, signers, aheadMs) => {
  for (const signer of signers) {
    cluster.kill(signer);
    cluster.node(signer).clockAheadMs = aheadMs;
    cluster.restart(signer);
  }
};

/** The ways in which a clock may jump, with their descriptions. */
export const WAYS_TO_JUMP: readonly (readonly [string, SetClocks])[] = [
  ["at run time", setAtRunTime],
  ["over a restart", setOverRestart],
];
