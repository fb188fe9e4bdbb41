import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeRegistry } from "@conclave/chains";
import { EVM_FAMILY } from "@conclave/chains/evm";
import { makeNodeRegistry, type NetworkEntry, NODES } from "@conclave/chains/node";
import { TOY_FAMILY, type ToyChain, type ToyNetwork, toyNode } from "@conclave/chains/testing";
import * as gateway from "@conclave/gateway";
import * as orchestrator from "@conclave/orchestrator";
import {
  type Database,
  loadRoster,
  makeLogger,
  openDatabase,
  processWorld,
  type Roster,
  type RosterSigner,
  type SignerAddress,
} from "@conclave/platform";
import type { WorkerEntry } from "@conclave/platform/compute";
import {
  freePort,
  type NatsServer,
  orchestratorLogin,
  type PostgresServer,
  sourceSearch,
  sourceWorker,
  startNatsServer,
  startPostgresServer,
} from "@conclave/platform/testing";
import { loadSettings, type RunningSigner, startSigner } from "@conclave/signer";
import {
  CustodyApi,
  type DeveloperAccess,
  developerAccess,
  enterDeveloper,
  forgetState,
  provisionFiles,
  type StateLayout,
  stateLayout,
  waitUntil,
} from "@conclave/testbed";
import { z } from "zod";
import { stateFolder } from "../throw-away-cluster.ts";

const SHAPE = { signers: 3, threshold: 2 };
const READY_MS = 120_000;

const FAMILIES = makeRegistry([EVM_FAMILY, TOY_FAMILY]);

const statusSchema = z.object({
  readiness: z.looseObject({ kind: z.string() }),
  presignatures: z.object({
    ready: z.int(),
    signed: z.object({ pooled: z.int(), interactive: z.int() }),
  }),
});
export type OrchestratorState = z.infer<typeof statusSchema>;

/** The files of a cluster whose processes will all run here; none is started yet. */
export interface Premises {
  readonly layout: StateLayout;
  readonly clusterId: string;
  readonly roster: Roster;
  readonly postgres: PostgresServer;
  readonly nats: NatsServer;
  readonly databaseUrl: string;
  readonly orchestratorUrl: string;
  readonly developer: DeveloperAccess;
  leave(): Promise<void>;
}

export const makePremises = async ({ signers: count, threshold } = SHAPE): Promise<Premises> => {
  const layout = stateLayout(stateFolder());
  const [postgres, nats, { clusterId }] = await Promise.all([
    startPostgresServer(),
    startNatsServer(),
    provisionFiles({
      state: layout.root,
      signers: count,
      threshold,
      parameters: "INSECURE-TEST",
      // these tests make no call to an EVM chain
      rpcUrl: "http://127.0.0.1:1",
      signerPort: 1,
    }),
  ]);
  const made = await loadRoster(layout.roster);
  const ports = await Promise.all(made.signers.map(() => freePort()));
  const signers = made.signers.map((signer, at) => ({ ...signer, address: `127.0.0.1:${ports[at]}` }));
  const roster: Roster = { ...made, signers };
  writeFileSync(layout.roster, JSON.stringify(roster));
  const databaseUrl = (await postgres.createDatabase()).url;
  const orchestratorUrl = await orchestratorLogin(databaseUrl);
  const developer = await developerAccess(layout, clusterId);
  await enterDeveloper(databaseUrl, developer);
  const leave = async (): Promise<void> => {
    await Promise.all([postgres.stop(), nats.stop()]);
    forgetState(layout.root);
  };
  return { layout, clusterId, roster, postgres, nats, databaseUrl, orchestratorUrl, developer, leave };
};

/** Adds a network to the networks file, which all processes read at their start. */
export const addNetwork = ({ layout }: Premises, entry: ToyNetwork): void => {
  const served: readonly NetworkEntry[] = JSON.parse(readFileSync(layout.networks, "utf8"));
  writeFileSync(layout.networks, JSON.stringify([...served, entry]));
};

/** A running cluster: a gateway, an orchestrator and all signers, which serve EVM and the toy family. */
export interface RunningCluster {
  readonly api: CustodyApi;
  /** the database, opened as the tables' owner */
  readonly database: Database;
  /** number of queries whether transactions of the toy chain are dead */
  looksAtFate(): number;
  /** the orchestrator's own status */
  status(): Promise<OrchestratorState>;
  stop(): Promise<void>;
}

/** Replacements of a cluster's parts, for tests with lying processes. */
export interface Disguises {
  /** the compute workers of a signer */
  readonly workerOf?: (index: number) => WorkerEntry;
  /** the address at which a signer connects to a peer */
  readonly peerOf?: (index: number, peer: SignerAddress) => SignerAddress;
  /** the address at which the orchestrator connects to a signer */
  readonly signerOf?: (signer: RosterSigner) => RosterSigner;
}

/**
 * Starts everything as the services' own main.ts do, except for the families and their chain nodes.
 * @param chain the toy chain; gateway and orchestrator each have a node of it
 * @param presignatures kept ready for each set of signers; 0 for none
 */
export const startCluster = async (
  premises: Premises,
  chain: ToyChain,
  presignatures: number,
  disguises: Disguises = {},
): Promise<RunningCluster> => {
  let looks = 0;
  const nodes = makeNodeRegistry({
    Evm: (entry: NetworkEntry) => NODES.connect(entry),
    Cosmos: (entry: ToyNetwork) => {
      const node = toyNode(entry, chain);
      const fateOf: typeof node.fateOf = (sender, transactions) => {
        looks += 1;
        return node.fateOf(sender, transactions);
      };
      return { ...node, fateOf };
    },
  });
  const port = await freePort();
  const [running, gate, ...signers] = await Promise.all([
    startOrchestrator(premises, presignatures, nodes, disguises),
    startGateway(premises, port, nodes),
    ...premises.roster.signers.map(({ index }) => startMember(premises, index, disguises)),
  ]);
  const database = openDatabase({ url: premises.databaseUrl, name: "test" });
  const status = async (): Promise<OrchestratorState> =>
    statusSchema.parse(await (await fetch(`http://127.0.0.1:${running.port}/status`)).json());
  await waitUntil(async () => ((await status()).readiness.kind === "ready" ? true : undefined), {
    what: "the signers to be ready",
    deadlineMs: READY_MS,
  });
  return {
    api: new CustodyApi(`http://127.0.0.1:${port}`, premises.developer.token),
    database,
    looksAtFate: () => looks,
    status,
    stop: async () => {
      await Promise.all([running.stop(), gate.stop()]);
      await Promise.all([...signers.map((signer) => signer.stop()), database.close()]);
    },
  };
};

const loggerOf = (name: string) => makeLogger({ name, level: "silent" });

const gatewayVariables = (premises: Premises, port: number) => ({
  ...backing(premises),
  DATABASE_URL: premises.databaseUrl,
  CONCLAVE_ORCHESTRATOR_LOGIN: new URL(premises.orchestratorUrl).username,
  CONCLAVE_LISTEN: `127.0.0.1:${port}`,
  CONCLAVE_GATEWAY_DIR: premises.layout.gateway,
  CONCLAVE_KEY_FILE: join(premises.layout.gateway, "passphrase.key"),
  CONCLAVE_REQUESTS_PER_MINUTE: "0",
});

const backing = ({ layout, nats }: Premises) => ({
  CONCLAVE_NATS_URL: nats.url,
  CONCLAVE_NATS_TOKEN: nats.token,
  CONCLAVE_ROSTER: layout.roster,
  CONCLAVE_NETWORKS: layout.networks,
});

/** The orchestrator's own configuration, with its certificate. */
export const orchestratorConfig = (premises: Premises, presignatures: number) =>
  orchestrator.readOrchestratorConfig(
    {
      ...backing(premises),
      DATABASE_URL: premises.orchestratorUrl,
      CONCLAVE_LISTEN: "127.0.0.1:0",
      CONCLAVE_CA: premises.layout.ca,
      CONCLAVE_ORCHESTRATOR_DIR: premises.layout.orchestrator,
      CONCLAVE_KEY_FILE: join(premises.layout.orchestrator, "passphrase.key"),
      CONCLAVE_PRESIGNATURES: String(presignatures),
    },
    FAMILIES,
  );

const startGateway = (
  premises: Premises,
  port: number,
  nodes: ReturnType<typeof makeNodeRegistry>,
): ReturnType<typeof gateway.startGateway> =>
  gateway.startGateway(
    gateway.readGatewayConfig(gatewayVariables(premises, port)),
    loggerOf("gateway"),
    processWorld,
    { families: FAMILIES, nodes },
  );

const startOrchestrator = async (
  premises: Premises,
  presignatures: number,
  nodes: ReturnType<typeof makeNodeRegistry>,
  { signerOf = (signer) => signer }: Disguises,
): Promise<orchestrator.Orchestrator> => {
  const own = await orchestratorConfig(premises, presignatures);
  const config = { ...own, roster: { ...own.roster, signers: own.roster.signers.map(signerOf) } };
  return orchestrator.startOrchestrator({
    world: processWorld,
    ...config,
    families: FAMILIES,
    nodes,
    signers: orchestrator.connectSigners(config),
    logger: loggerOf("orchestrator"),
  });
};

const startMember = async (
  { layout }: Premises,
  index: number,
  { workerOf = sourceWorker, peerOf = (_, peer) => peer }: Disguises,
): Promise<RunningSigner> => {
  const folder = layout.signer(index);
  const settings = await loadSettings(
    {
      CONCLAVE_ROSTER: layout.roster,
      CONCLAVE_NETWORKS: layout.networks,
      CONCLAVE_CA: layout.ca,
      CONCLAVE_SIGNER_INDEX: String(index),
      CONCLAVE_SIGNER_DIR: folder,
      CONCLAVE_KEY_FILE: join(folder, "passphrase.key"),
      CONCLAVE_INSECURE_TEST_PARAMETERS: "1",
    },
    FAMILIES,
  );
  if (!settings.ok) throw new Error(settings.problem.message);
  const peers = settings.value.peers.map((peer) => peerOf(index, peer));
  const started = await startSigner(
    { ...settings.value, peers },
    {
      world: processWorld,
      log: loggerOf(`signer-${index}`),
      failed: (error) => {
        throw new Error("a signer failed", { cause: error });
      },
      workerEntry: workerOf(index),
      searchEntry: sourceSearch(),
    },
  );
  if (!started.ok) throw new Error(started.problem.message);
  return started.value;
};
