import type { PlannedFault } from "./fault.ts";

/** The processes, their load, and the faults meanwhile. */
export interface ChaosPlan {
  /** of all chance in the load and in the faults: equal seeds draw alike */
  readonly seed: number;
  readonly signers: number;
  readonly threshold: number;
  readonly orchestrators: number;
  readonly gateways: number;
  readonly load: Load;
  readonly faults: readonly PlannedFault[];
}

/** Transfers that are asked for, whatever becomes of earlier ones. */
export interface Load {
  readonly perSecond: number;
  readonly lastsMs: number;
  /** the networks that the transfers are spread over */
  readonly networks: readonly string[];
  /** of each network, the one that an approver guards included: some chains take one transaction of an account after another */
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
