import { LaunchError } from "./launch-error.ts";
import type { OnProgress } from "./progress.ts";

/** Full size, or the reduced size of tests, which services refuse unless they are told twice. */
export type ParameterSet = "CGGMP24-128" | "INSECURE-TEST";

export interface ClusterOptions {
  /** absolute path of the folder that holds everything of this cluster; made when it is missing */
  readonly state: string;
  /** n, 2 to 20 */
  readonly signers: number;
  /** t, 2 to n */
  readonly threshold: number;
  readonly parameters: ParameterSet;
  /** "fixed": 8080, 8081, 8545, 4222, 5433, 9101… where they are free; "free": whatever the kernel gives */
  readonly ports: "fixed" | "free";
  /** remove the state folder when the cluster is disposed of */
  readonly disposable: boolean;
  /** seconds between two blocks of the development chain */
  readonly blockTimeSeconds: number;
  /** use this PostgreSQL instead of starting one */
  readonly databaseUrl?: string;
  /** how orchestrators log in there, if not as its owner */
  readonly orchestratorDatabaseUrl?: string;
  /** use this EVM node instead of starting anvil */
  readonly evmRpcUrl?: string;
  /** presignatures kept for each set of signers of a key in use; 0: every signature makes its own on the spot */
  readonly presignatures: number;
  /** whether signers let clients bring keys, and hand keys out to them: as their operators would say */
  readonly keyImport: "refused" | "allowed";
  readonly keyExport: "refused" | "allowed";
  /** requests that an organisation may send in a minute; 0 for no limit */
  readonly requestsPerMinute: number;
  readonly logLevel: "debug" | "info" | "warn";
  readonly onProgress: OnProgress;
  /** gives up the start when it is aborted */
  readonly signal?: AbortSignal;
}

const MOST_SIGNERS = 20;
const FEWEST_SIGNERS = 2;

const DEFAULT_OPTIONS = {
  signers: 5,
  threshold: 3,
  parameters: "CGGMP24-128",
  ports: "free",
  disposable: false,
  blockTimeSeconds: 1,
  presignatures: 2,
  keyImport: "refused",
  keyExport: "refused",
  requestsPerMinute: 1_000,
  logLevel: "info",
  onProgress: () => undefined,
} as const satisfies Partial<ClusterOptions>;

/** What must be given; the rest has defaults. */
export type ClusterRequest = Pick<ClusterOptions, "state"> & Partial<ClusterOptions>;

/** Fills in the defaults. Throws a LaunchError when n and t do not fit. */
export const clusterOptions = (request: ClusterRequest): ClusterOptions => {
  const options: ClusterOptions = { ...DEFAULT_OPTIONS, ...request };
  const { signers, threshold } = options;
  if (!Number.isInteger(signers) || signers < FEWEST_SIGNERS || signers > MOST_SIGNERS) {
    throw new LaunchError(
      `a cluster has ${FEWEST_SIGNERS} to ${MOST_SIGNERS} signers, not ${signers}`,
      "Give --signers a number in that range.",
    );
  }
  if (!Number.isInteger(threshold) || threshold < FEWEST_SIGNERS || threshold > signers) {
    throw new LaunchError(
      `the threshold of ${signers} signers is ${FEWEST_SIGNERS} to ${signers}, not ${threshold}`,
      "Give --threshold a number in that range.",
    );
  }
  return options;
};
