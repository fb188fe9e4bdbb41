import type { PlannedFault } from "./fault.ts";

/** A cluster, its load, and the faults during the load. */
export interface ChaosPlan {
  /** the source of all randomness in load and faults: equal seeds draw the same */
  readonly seed: number;
  readonly signers: number;
  readonly threshold: number;
  readonly orchestrators: number;
  readonly gateways: number;
  readonly load: Load;
  readonly faults: readonly PlannedFault[];
}

/** Transfers requested at a fixed rate, whether or not earlier ones have ended. */
export interface Load {
  readonly perSecond: number;
  readonly lastsMs: number;
  /** the networks that the transfers are spread over */
  readonly networks: readonly string[];
  /**
   * for each network, including the one that an approver guards; several, because some chains take an account's
   * transactions one after another
   */
  readonly wallets: number;
}

/** The defaults of a plan. */
export const QUIET_PLAN: ChaosPlan = {
  seed: 1,
  signers: 5,
  threshold: 3,
  orchestrators: 1,
  gateways: 1,
  load: { perSecond: 2, lastsMs: 30_000, networks: ["EthereumSepolia"], wallets: 3 },
  faults: [],
};
