import {
  type Cluster,
  type ClusterRequest,
  createCluster,
  LaunchError,
  type StartProgress,
} from "@conclave/testbed";
import { clusterFolder } from "../cluster-folder.ts";
import { readGivenNodes } from "../given-nodes.ts";
import { databaseUrlIn } from "../operator/database-url.ts";
import { nextStopRequest } from "../stop-request.ts";
import { obeyUntilStopped } from "./obey-until-stopped.ts";
import { decidePassage } from "./records/key-passage.ts";
import { readyText } from "./show-ready.ts";

export interface UpOptions {
  readonly name: string;
  /** undefined for an existing cluster, whose roster sets them */
  readonly signers?: number;
  readonly threshold?: number;
  /** the first gateway's, which the others follow; undefined for the usual ones */
  readonly port?: number;
  readonly networks: ClusterRequest["networks"] & {};
  /** path of a file with entries for real nodes */
  readonly nodes?: string;
  readonly json: boolean;
  readonly logLevel: "debug" | "info" | "warn";
  /** whether all signers and the development organisation allow import of keys */
  readonly allowImport: boolean;
  readonly allowExport: boolean;
}

/**
 * Reads the gateways' settings from the environment. A value that the gateways would reject is refused here, before
 * anything starts.
 */
const gatewayOptions = (
  environment: Readonly<Record<string, string | undefined>>,
): Pick<Partial<ClusterRequest>, "requestsPerMinute" | "userActions"> => {
  const most = environment["CONCLAVE_REQUESTS_PER_MINUTE"];
  const actions = environment["CONCLAVE_USER_ACTIONS"];
  if (most && !/^(0|[1-9][0-9]{0,5})$/.test(most)) {
    throw new LaunchError(
      `CONCLAVE_REQUESTS_PER_MINUTE is no number of requests: ${most}`,
      "Set how many requests an organisation may send in a minute, up to 999999; 0 for no limit.",
    );
  }
  if (actions && actions !== "required" && actions !== "optional") {
    throw new LaunchError(
      `CONCLAVE_USER_ACTIONS is neither required nor optional: ${actions}`,
      "Set it to required or optional.",
    );
  }
  return {
    ...(most ? { requestsPerMinute: Number(most) } : {}),
    ...(actions === "required" || actions === "optional" ? { userActions: actions } : {}),
  };
};

/** Makes the request for a cluster from options and environment. */
export const clusterRequest = (
  options: UpOptions,
  environment: Readonly<Record<string, string | undefined>>,
  onProgress: (progress: StartProgress) => void,
): ClusterRequest => {
  const databaseUrl = databaseUrlIn(environment);
  const orchestratorDatabaseUrl = environment["CONCLAVE_ORCHESTRATOR_DATABASE_URL"];
  const evmRpcUrl = environment["CONCLAVE_EVM_RPC_URL"];
  return {
    state: clusterFolder(options.name),
    ...(options.signers === undefined ? {} : { signers: options.signers }),
    ...(options.threshold === undefined ? {} : { threshold: options.threshold }),
    networks: options.networks,
    ports: options.port === undefined ? "fixed" : { first: options.port },
    // a signer that is lost is no reason to take the others away
    waitsFor: "threshold",
    logLevel: options.logLevel,
    onProgress,
    ...(options.allowImport ? { keyImport: "allowed" } : {}),
    ...(options.allowExport ? { keyExport: "allowed" } : {}),
    ...(databaseUrl ? { databaseUrl } : {}),
    ...(orchestratorDatabaseUrl ? { orchestratorDatabaseUrl } : {}),
    ...(evmRpcUrl ? { evmRpcUrl } : {}),
    ...gatewayOptions(environment),
    ...(options.nodes === undefined ? {} : { nodes: readGivenNodes(options.nodes) }),
  };
};

/** Writes progress of a start to stderr, so that stdout has only the data of --json. */
export const printProgress = (progress: StartProgress): void => {
  process.stderr.write(`${progress.text}\n`);
};

/**
 * Allows import and export for the development organisation, as the options ask. The signers received their setting at
 * the start.
 */
export const letKeysPass = async (cluster: Cluster, options: UpOptions): Promise<void> => {
  const organisation = cluster.description.developer.orgId;
  const { root } = cluster.layout;
  const databaseUrl = databaseUrlIn(process.env);
  const allowed = [
    ...(options.allowImport ? (["import"] as const) : []),
    ...(options.allowExport ? (["export"] as const) : []),
  ];
  for (const passage of allowed) {
    await decidePassage(root, { passage, organisation, isAllowed: true }, databaseUrl);
  }
};

const showReady = async (cluster: Cluster, json: boolean, stopHint: string): Promise<void> => {
  const text = readyText(cluster.description, await cluster.signerStates(), { json, stopHint });
  process.stdout.write(`${text}\n`);
};

/** `conclave up`: starts the cluster, waits for Ctrl-C or SIGTERM, and stops it in order. */
export const up = async (options: UpOptions): Promise<void> => {
  const stop = nextStopRequest();
  const request = clusterRequest(options, process.env, printProgress);
  const cluster = await createCluster({ ...request, signal: stop.signal }).catch((cause: unknown) => {
    // Ctrl-C came during the start; everything has been stopped
    if (stop.signal.aborted) return undefined;
    throw cause;
  });
  if (cluster === undefined) return;
  await using running = cluster;
  await letKeysPass(running, options);
  const ready = () => showReady(running, options.json, "Ctrl-C stops it; the state stays.");
  await obeyUntilStopped(running, stop, ready);
};
