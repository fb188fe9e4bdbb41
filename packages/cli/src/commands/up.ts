import {
  type Cluster,
  type ClusterRequest,
  createCluster,
  fundAccount,
  LaunchError,
  type StartProgress,
} from "@conclave/testbed";
import { accessOf } from "../client/access.ts";
import { exampleWallets } from "../client/example-wallets.ts";
import { openGateway } from "../client/gateway.ts";
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
  /** how many funded wallets the development organisation gets */
  readonly wallets: number;
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
  if (options.wallets > 0 && evmRpcUrl) {
    throw new LaunchError(
      "nobody can fund wallets on the node of CONCLAVE_EVM_RPC_URL",
      "Leave --wallets out, or unset the variable.",
    );
  }
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
const letKeysPass = async (cluster: Cluster, options: UpOptions): Promise<void> => {
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

const COINS_OF_A_WALLET = "10";

/** The example wallets, and lines about them. A wallet that cannot be made, as while a signer is away, stops no cluster. */
const walletsOf = async ({ description, layout }: Cluster, count: number) => {
  const ask = openGateway(accessOf(layout.root, {}, "developer"));
  const { network } = description.chain;
  const fund = (address: string) => fundAccount(description.networks, network, address, COINS_OF_A_WALLET);
  try {
    const wallets = await exampleWallets(ask, { network, count }, fund);
    return { wallets, notes: wallets.map(({ name, address }) => `${name.padEnd(16)}${address}`) };
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error;
    return { wallets: [], notes: [`The wallets were not all made: ${error.message}`, error.remedy] };
  }
};

/**
 * Does the rest of a start once the cluster serves: import and export of keys, example wallets.
 * @returns the text of a cluster that is ready
 */
export const completeStart = async (
  cluster: Cluster,
  options: UpOptions,
  stopHint: string,
): Promise<string> => {
  await letKeysPass(cluster, options);
  const { description } = cluster;
  const { wallets, notes } = await walletsOf(cluster, options.wallets);
  const whole = wallets.length === 0 ? description : { ...description, wallets };
  return readyText(description, await cluster.signerStates(), { json: options.json, stopHint, notes, whole });
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
  const text = await completeStart(running, options, "Ctrl-C stops it; the state stays.");
  const ready = async (): Promise<void> => void process.stdout.write(`${text}\n`);
  await obeyUntilStopped(running, stop, ready);
};
