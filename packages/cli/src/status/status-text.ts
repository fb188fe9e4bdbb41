import type { EndedProcess, SignerCondition } from "@conclave/testbed/launch";
import { typedCommand } from "@conclave/testbed/launch";
import { table } from "../table.ts";
import { behindLines } from "./behind-lines.ts";
import { clockLines } from "./clock-lines.ts";
import { olderStoreLines } from "./older-store-lines.ts";
import { quarantineLines } from "./quarantine-lines.ts";

/** The state of a cluster as its files and its processes report it. */
export interface ClusterStatus {
  readonly name: string;
  readonly running: boolean;
  /** of the process that runs or starts it */
  readonly supervisor?: number;
  /** a sentence about other work of that process, such as a snapshot */
  readonly doing?: string;
  readonly processes: readonly { readonly name: string; readonly pid: number }[];
  /** processes that have ended and were not started again */
  readonly ended: readonly EndedProcess[];
  readonly health: Readonly<Record<string, string>>;
  readonly signers: readonly SignerCondition[];
  /** of the API and the orchestrator; absent where the cluster does not run */
  readonly urls?: { readonly api: string; readonly docs: string; readonly orchestrator: string };
  /** presignatures in the pool; absent where no orchestrator answers */
  readonly presignatures?: number;
  /** the networks that have a local node of this cluster */
  readonly networks: readonly { readonly network: string; readonly url: string }[];
}

const rows = (status: ClusterStatus): readonly (readonly string[])[] => [
  ...status.processes.map(({ name, pid }) => {
    const signer = status.signers.find(({ id }) => id === name);
    return [name, String(pid), signer?.state ?? status.health[name] ?? "running"];
  }),
  ...status.ended.map(({ name, at, how, isAsked }) => [
    name,
    "-",
    isAsked ? `stopped by an order at ${at}` : `ended ${how} at ${at}`,
  ]),
];

/** The lines of processes that ended by themselves, with the command that starts each, and its log. */
const endedLines = ({ name: cluster, ended }: ClusterStatus): readonly string[] => {
  const lines = ended.flatMap(({ name, isAsked, logFile }) =>
    isAsked
      ? []
      : [
          `${name} has ended: \`${typedCommand("start", cluster, { PROCESS: name })}\` starts it again; its log is ${logFile}`,
        ],
  );
  return lines.length === 0 ? [] : ["", ...lines];
};

const addressLines = ({ urls, presignatures, networks }: ClusterStatus): readonly string[] => {
  if (urls === undefined) return [];
  const stock = presignatures === undefined ? [] : [["presignatures", `${presignatures} ready`]];
  const nodes = networks.map(({ network, url }) => [network, url]);
  const lines = [
    ["API", `${urls.api}   (browse it: ${urls.docs})`],
    ["orchestrator", urls.orchestrator],
    ...stock,
    ...nodes,
  ];
  const width = Math.max(...lines.map(([label = ""]) => label.length));
  return ["", ...lines.map(([label = "", value = ""]) => `  ${label.padEnd(width)}  ${value}`)];
};

/** The state of a cluster for people. */
export const statusText = (status: ClusterStatus): string => {
  const { name, running, supervisor, doing, processes, ended, signers } = status;
  const processTable = table(["process", "pid", "state"], rows(status));
  if (running) {
    // a signer whose process has ended has a line of its own
    const dead = new Set(ended.map((process) => process.name));
    return [
      processTable,
      ...addressLines(status),
      ...endedLines(status),
      ...behindLines(
        signers.filter(({ id }) => !dead.has(id)),
        name,
      ),
      ...quarantineLines(signers),
      ...olderStoreLines(signers),
      ...clockLines(signers),
    ].join("\n");
  }
  if (doing !== undefined) return `${name} does not run; ${doing} (process ${supervisor})`;
  if (supervisor !== undefined) {
    const begun = processes.length === 0 ? [] : [processTable];
    return [
      `${name} is starting (process ${supervisor}); \`${typedCommand("down", name)}\` stops it`,
      ...begun,
    ].join("\n");
  }
  if (processes.length === 0) return `${name} does not run; \`${typedCommand("up", name)}\` starts it`;
  return [
    `the process that ran ${name} has ended, and left these:`,
    processTable,
    `\`${typedCommand("up", name)}\` ends them and starts the cluster again; \`${typedCommand("down", name)}\` ends them`,
  ].join("\n");
};
