import { cpSync, existsSync, rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessSpec } from "./host/supervised-process.ts";
import { LaunchError } from "./launch-error.ts";
import { FIRST_NETWORK } from "./networks/network-table.ts";
import type { ClusterOptions } from "./options.ts";
import { greets, natsStore, prepareNats } from "./parts/nats.ts";
import { POSTGRES_READY, preparePostgres } from "./parts/postgres.ts";
import type { Backing } from "./parts/service.ts";
import type { ClusterPorts } from "./ports.ts";
import type { StateLayout } from "./state/layout.ts";
import type { Supervisor } from "./supervisor.ts";

const POSTGRES_DEADLINE_MS = 30_000;
const NATS_DEADLINE_MS = 15_000;
const CHAIN_DEADLINE_MS = 15_000;
/** PostgreSQL is started up to this many times, because the children of a killed one hold its shared memory for a moment. */
const POSTGRES_ATTEMPTS = 10;
const POSTGRES_RETRY_MS = 300;
const HELD_BY_THE_DEAD = /pre-existing shared memory block/;

export interface BackingStart {
  readonly options: ClusterOptions;
  readonly layout: StateLayout;
  readonly ports: ClusterPorts;
  readonly supervisor: Supervisor;
}

const ready = (start: BackingStart, name: string): void =>
  start.options.onProgress({ kind: "process", name, state: "ready", text: `${name} is ready` });

/** The URLs of the database, for its owner and for orchestrators. */
type DatabaseUrls = Pick<Backing, "databaseUrl" | "orchestratorDatabaseUrl">;

/** Starts the PostgreSQL process, and waits until it accepts connections. */
const runPostgres = async (start: BackingStart, spec: ProcessSpec): Promise<void> => {
  const { options, supervisor } = start;
  for (let attempt = 1; ; attempt += 1) {
    const postgres = await supervisor.start(spec);
    try {
      await postgres.ready(
        postgres.logLine((line) => POSTGRES_READY.test(line)),
        POSTGRES_DEADLINE_MS,
        options.signal,
      );
      ready(start, "postgres");
      return;
    } catch (cause) {
      const passes = cause instanceof LaunchError && HELD_BY_THE_DEAD.test(cause.message);
      if (!passes || attempt === POSTGRES_ATTEMPTS) throw cause;
      await delay(POSTGRES_RETRY_MS, undefined, options.signal ? { signal: options.signal } : {});
    }
  }
};

/** Starts PostgreSQL, unless the caller gave one. Resolves with its URLs once it accepts connections. */
export const startPostgres = async (start: BackingStart): Promise<DatabaseUrls> => {
  const { options, layout, ports } = start;
  const { databaseUrl: outside } = options;
  if (outside !== undefined) {
    return { databaseUrl: outside, orchestratorDatabaseUrl: options.orchestratorDatabaseUrl ?? outside };
  }
  const { spec, ...urls } = await preparePostgres(layout, ports.postgres);
  await runPostgres(start, spec);
  return urls;
};

/** Starts the NATS process, and waits until it accepts connections. */
const runNats = async (start: BackingStart, spec: ProcessSpec): Promise<void> => {
  const { options, ports, supervisor } = start;
  const nats = await supervisor.start(spec);
  await nats.ready(() => greets(ports.nats), NATS_DEADLINE_MS, options.signal);
  ready(start, "nats");
};

/** Starts NATS with JetStream. */
const startNats = async (start: BackingStart): Promise<{ readonly url: string; readonly token: string }> => {
  const { spec, url, token } = prepareNats(start.layout, start.ports.nats);
  await runNats(start, spec);
  return { url, token };
};

/** Starts the process of the first network's node, and waits until it answers. */
const runChain = async (start: BackingStart, spec: ProcessSpec): Promise<string> => {
  const { options, ports, supervisor } = start;
  const url = `http://127.0.0.1:${ports.chain}`;
  const node = await supervisor.start(spec);
  await node.ready(() => FIRST_NETWORK.answers({ url, adminUrl: url }), CHAIN_DEADLINE_MS, options.signal);
  ready(start, spec.name);
  return url;
};

/** Starts the first network's node, unless the caller gave one. Returns the node's URL. */
export const startChain = async (start: BackingStart): Promise<string> => {
  const { options, layout, ports } = start;
  if (options.evmRpcUrl !== undefined) return options.evmRpcUrl;
  return runChain(
    start,
    FIRST_NETWORK.spec({
      folder: layout.chain,
      logFile: layout.log(FIRST_NETWORK.process),
      port: ports.chain,
      adminPort: 0,
      seed: "",
      blockTimeSeconds: options.blockTimeSeconds,
    }),
  );
};

/** Restarts a process that is not a service. Waits until it serves, except for nodes that start on demand. */
export const restartBacking = async (start: BackingStart, spec: ProcessSpec): Promise<void> => {
  if (spec.name === "postgres") await runPostgres(start, spec);
  else if (spec.name === "nats") await runNats(start, spec);
  else if (spec.name === FIRST_NETWORK.process) await runChain(start, spec);
  else await start.supervisor.start(spec);
};

/** Kills the bus, deletes its store, and starts it again. */
export const forgetBus = async (start: BackingStart): Promise<void> => {
  const nats = start.supervisor.process("nats");
  await nats.kill();
  rmSync(natsStore(start.layout), { recursive: true, force: true });
  await runNats(start, nats.spec);
};

/**
 * Copies the store of the bus; the process is paused meanwhile, so that the copy is that of one moment.
 *
 * @returns false if there is no store, because the bus has just lost it and is starting
 */
export const copyBus = ({ supervisor, layout }: BackingStart, folder: string): boolean => {
  if (!existsSync(natsStore(layout))) return false;
  const nats = supervisor.process("nats");
  const isRunning = nats.state === "running";
  if (isRunning) nats.pause();
  try {
    cpSync(natsStore(layout), folder, { recursive: true });
    return true;
  } finally {
    if (isRunning) nats.resume();
  }
};

/** Kills the bus, replaces its store by a copy, and starts it again. */
export const restoreBus = async (start: BackingStart, folder: string): Promise<void> => {
  const nats = start.supervisor.process("nats");
  await nats.kill();
  rmSync(natsStore(start.layout), { recursive: true, force: true });
  cpSync(folder, natsStore(start.layout), { recursive: true });
  await runNats(start, nats.spec);
};

/** Starts PostgreSQL and NATS in parallel. */
export const startBacking = async (start: BackingStart): Promise<Backing> => {
  const [urls, nats] = await Promise.all([startPostgres(start), startNats(start)]);
  return { ...urls, natsUrl: nats.url, natsToken: nats.token };
};
