import {
  ProcessTable,
  readDescription,
  readSigners,
  type SignerCondition,
  stateLayout,
  stateOf,
} from "@conclave/testbed/launch";
import { clockLines } from "../clock-lines.ts";
import { clusterFolder } from "../cluster-folder.ts";
import { olderStoreLines } from "../older-store-lines.ts";
import { quarantineLines } from "../quarantine-lines.ts";
import { table } from "../table.ts";

const HEALTH_TIMEOUT_MS = 2_000;

interface ClusterStatus {
  readonly name: string;
  readonly running: boolean;
  readonly supervisor?: number;
  readonly processes: readonly { readonly name: string; readonly pid: number }[];
  readonly health: Readonly<Record<string, string>>;
  readonly signers: readonly SignerCondition[];
  /** the networks that have a local node of this cluster */
  readonly networks: readonly { readonly network: string; readonly url: string }[];
}

const healthOf = async (url: string): Promise<string> => {
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    return answer.ok ? "serving" : `answers ${answer.status}`;
  } catch {
    return "does not answer";
  }
};

const readStatus = async (name: string): Promise<ClusterStatus> => {
  const layout = stateLayout(clusterFolder(name));
  const processTable = new ProcessTable(layout.run);
  const supervisor = processTable.supervisor();
  const processes = processTable.alive().map(({ name: process, pid }) => ({ name: process, pid }));
  const addresses = supervisor === undefined ? undefined : readDescription(layout);
  if (supervisor === undefined || addresses === undefined) {
    return { name, running: false, processes, health: {}, signers: [], networks: [] };
  }
  const [gateway, orchestrator, signers] = await Promise.all([
    healthOf(addresses.api.url),
    healthOf(addresses.orchestrator.url),
    readSigners(addresses.orchestrator.url),
  ]);
  return {
    name,
    running: true,
    supervisor: supervisor.pid,
    processes,
    health: { gateway, orchestrator },
    signers: (signers ?? []).map(stateOf),
    networks: addresses.networks.map(({ network, url }) => ({ network, url })),
  };
};

const rows = (status: ClusterStatus): readonly (readonly string[])[] =>
  status.processes.map(({ name, pid }) => {
    const signer = status.signers.find(({ id }) => id === name);
    return [name, String(pid), signer?.state ?? status.health[name] ?? "running"];
  });

/** `conclave status`: shows the running processes and the state that they report. @returns whether the cluster runs */
export const status = async (name: string, json: boolean): Promise<boolean> => {
  const found = await readStatus(name);
  if (json) process.stdout.write(`${JSON.stringify(found, undefined, 2)}\n`);
  else if (found.running) {
    const lines = [
      table(["process", "pid", "state"], rows(found)),
      ...quarantineLines(found.signers),
      ...olderStoreLines(found.signers),
      ...clockLines(found.signers),
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  } else process.stdout.write(`${name} does not run; \`make up\` starts it\n`);
  return found.running;
};
