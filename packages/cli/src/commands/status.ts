import {
  ProcessTable,
  readDescription,
  readOrchestrator,
  stateLayout,
  stateOf,
} from "@conclave/testbed/launch";
import { clusterFolder } from "../cluster-folder.ts";
import { type ClusterStatus, statusText } from "../status/status-text.ts";

const HEALTH_TIMEOUT_MS = 2_000;

/** Exit codes: all runs; a process that should run has ended; the cluster does not run. */
const [RUNS, LACKS, STOPPED] = [0, 1, 3];

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
  const ended = processTable.ended();
  const doing = supervisor?.doing;
  const addresses = supervisor === undefined || doing !== undefined ? undefined : readDescription(layout);
  if (supervisor === undefined || addresses === undefined) {
    const starting =
      supervisor === undefined
        ? {}
        : { supervisor: supervisor.pid, ...(doing === undefined ? {} : { doing }) };
    return { name, running: false, ...starting, processes, ended, health: {}, signers: [], networks: [] };
  }
  const { api, orchestrator, networks } = addresses;
  const [gatewayHealth, orchestratorHealth, report] = await Promise.all([
    healthOf(api.url),
    healthOf(orchestrator.url),
    readOrchestrator(orchestrator.url),
  ]);
  return {
    name,
    running: true,
    supervisor: supervisor.pid,
    processes,
    ended,
    health: { gateway: gatewayHealth, orchestrator: orchestratorHealth },
    signers: (report?.signers ?? []).map(stateOf),
    urls: { api: api.url, docs: `${api.url}/docs`, orchestrator: `${orchestrator.url}/status` },
    ...(report === undefined ? {} : { presignatures: report.presignatures.ready }),
    networks: networks.map(({ network, url }) => ({ network, url })),
  };
};

const exitCodeOf = ({ running, ended }: ClusterStatus): number => {
  if (!running) return STOPPED;
  return ended.some(({ isAsked }) => !isAsked) ? LACKS : RUNS;
};

/** `conclave status`: shows the processes of a cluster and the state that they report. @returns the exit code */
export const status = async (name: string, json: boolean): Promise<number> => {
  const found = await readStatus(name);
  process.stdout.write(`${json ? JSON.stringify(found, undefined, 2) : statusText(found)}\n`);
  return exitCodeOf(found);
};
