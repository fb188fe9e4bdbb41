import { DEVELOPMENT_NETWORK } from "./development-network.ts";
import { LaunchError } from "./launch-error.ts";
import type { OnProgress } from "./progress.ts";

/**
 * Full-size parameters, or the reduced ones for tests, which services refuse unless both roster and environment ask for
 * them.
 */
export type ParameterSet = "CGGMP24-128" | "INSECURE-TEST";

/** An entry of the networks file from the caller; its other members depend on the family. */
export interface GivenNetwork {
  readonly network: string;
  readonly family: string;
}

export interface ClusterOptions {
  /** absolute path of the cluster's state folder, which is created if missing */
  readonly state: string;
  /** n, 2 to 20 */
  readonly signers: number;
  /** 1 to 8 of each kind */
  readonly orchestrators: number;
  readonly gateways: number;
  /** "proxied": all traffic between the cluster's processes passes through this process, which can cut and delay it */
  readonly links: "direct" | "proxied";
  /** whether services run the bundle with fault points, and obey fault orders in their folders */
  readonly faults: boolean;
  /** t, 2 to n */
  readonly threshold: number;
  readonly parameters: ParameterSet;
  /**
   * "fixed": 8080, 8081, 8545, 4222, 5433, 9101… if they are free; "free": ports that the kernel chooses; or all from a first
   * one on, the gateway's
   */
  readonly ports: "fixed" | "free" | { readonly first: number };
  /** whether disposing of the cluster removes the state folder */
  readonly disposable: boolean;
  /** seconds between two blocks of the development chain */
  readonly blockTimeSeconds: number;
  /** URL of a PostgreSQL to use instead of starting one */
  readonly databaseUrl?: string;
  /** URL with the login of orchestrators there; by default the owner's */
  readonly orchestratorDatabaseUrl?: string;
  /** URL of an EVM node to use instead of starting anvil */
  readonly evmRpcUrl?: string;
  /** networks to serve besides the first one; the node of each starts on demand */
  readonly networks: "all" | readonly string[];
  /** entries of the networks file for real nodes, which replace local ones */
  readonly nodes: readonly GivenNetwork[];
  /**
   * presignatures in the pool for each set of signers of a key in use; 0: no pool, so every signature includes presigning
   */
  readonly presignatures: number;
  /** whether the signers' operators allow clients to import keys, and to export keys */
  readonly keyImport: "refused" | "allowed";
  readonly keyExport: "refused" | "allowed";
  /** requests that an organisation may send in a minute; 0 for no limit */
  readonly requestsPerMinute: number;
  /** milliseconds between two polls of a request by `api`; each poll loads gateway and database */
  readonly pollMs: number;
  /** whether a user must sign every change as a user action; optional by default */
  readonly userActions: "required" | "optional";
  readonly logLevel: "debug" | "info" | "warn";
  /**
   * the signers that a start waits for: all, or as many as sign together; it goes on without others that do not start or show no
   * progress
   */
  readonly waitsFor: "all" | "threshold";
  readonly onProgress: OnProgress;
  /** aborts the start */
  readonly signal?: AbortSignal;
}

export const CLUSTER_SIGNERS_MAX = 20;
export const CLUSTER_SIGNERS_MIN = 2;
const MOST_OF_A_SERVICE = 8;

const DEFAULT_OPTIONS = {
  signers: 5,
  orchestrators: 1,
  gateways: 1,
  links: "direct",
  faults: false,
  threshold: 3,
  parameters: "CGGMP24-128",
  ports: "free",
  disposable: false,
  blockTimeSeconds: 1,
  networks: [],
  nodes: [],
  presignatures: 2,
  keyImport: "refused",
  keyExport: "refused",
  requestsPerMinute: 1_000,
  pollMs: 50,
  userActions: "optional",
  logLevel: "info",
  waitsFor: "all",
  onProgress: () => undefined,
} as const satisfies Partial<ClusterOptions>;

/** A caller's options: only the state folder is required. */
export type ClusterRequest = Pick<ClusterOptions, "state"> & Partial<ClusterOptions>;

const checkNumbers = ({ orchestrators, gateways }: ClusterOptions): void => {
  for (const [number, what] of [
    [orchestrators, "orchestrators"],
    [gateways, "gateways"],
  ] as const) {
    if (Number.isInteger(number) && number >= 1 && number <= MOST_OF_A_SERVICE) continue;
    throw new LaunchError(
      `a cluster has 1 to ${MOST_OF_A_SERVICE} ${what}, not ${number}`,
      `Give ${what} a number in that range.`,
    );
  }
};

/**
 * Adds the defaults. Throws a LaunchError if n and t do not fit together, the numbers of services are out of range, or
 * `nodes` names the first network.
 */
export const clusterOptions = (request: ClusterRequest): ClusterOptions => {
  const options: ClusterOptions = { ...DEFAULT_OPTIONS, ...request };
  const { signers, threshold } = options;
  if (!Number.isInteger(signers) || signers < CLUSTER_SIGNERS_MIN || signers > CLUSTER_SIGNERS_MAX) {
    throw new LaunchError(
      `a cluster has ${CLUSTER_SIGNERS_MIN} to ${CLUSTER_SIGNERS_MAX} signers, not ${signers}`,
      "Give --signers a number in that range.",
    );
  }
  if (!Number.isInteger(threshold) || threshold < CLUSTER_SIGNERS_MIN || threshold > signers) {
    throw new LaunchError(
      `the threshold of ${signers} signers is ${CLUSTER_SIGNERS_MIN} to ${signers}, not ${threshold}`,
      "Give --threshold a number in that range.",
    );
  }
  checkNumbers(options);
  if (options.nodes.some(({ network }) => network === DEVELOPMENT_NETWORK)) {
    throw new LaunchError(
      `a real node of ${DEVELOPMENT_NETWORK} is not named among the nodes: this cluster's own chain is of that network`,
      "Name its URL in CONCLAVE_EVM_RPC_URL.",
    );
  }
  return options;
};
