import { basename } from "node:path";
import type { ClusterDescription, SignerCondition } from "@conclave/testbed";
import { behindLines } from "./status/behind-lines.ts";
import { tryThis } from "./try-this.ts";

const RULE = "─".repeat(78);
const LABEL_WIDTH = 16;

const row = (label: string, value: string): string => `  ${label.padEnd(LABEL_WIDTH)}${value}`;

const signerRows = (description: ClusterDescription, states: readonly SignerCondition[]): readonly string[] =>
  description.signers.map(({ id, index, address }) => {
    const state = states.find((signer) => signer.index === index)?.state ?? "unknown";
    return row(id, `${address}   ${state}`);
  });

const NETWORKS_WIDTH = 60;

/** The rows with the names of the other networks, wrapped to as many lines as needed. */
const networkRows = ({ networks, chain }: ClusterDescription): readonly string[] => {
  const others = networks.filter(({ network }) => network !== chain.network);
  if (others.length === 0) return [];
  const lines: string[] = [];
  let line = "";
  for (const { network } of others) {
    if (line !== "" && line.length + network.length + 2 > NETWORKS_WIDTH) {
      lines.push(`${line},`);
      line = network;
    } else line = line === "" ? network : `${line}, ${network}`;
  }
  const named = [...lines, line].map((text, at) => row(at === 0 ? "also on" : "", text));
  return [
    ...named,
    row("", "the node of each starts when it is first needed"),
    row("faucet", `make fund ADDRESS=… NETWORK=${others.at(-1)?.network ?? chain.network}`),
  ];
};

/** The text that people see once a cluster is ready. */
export const banner = (
  description: ClusterDescription,
  states: readonly SignerCondition[],
  stopHint: string,
): string => {
  const { api, chain, developer, orchestrator, threshold, signers, parameters, state } = description;
  return [
    "",
    RULE,
    `  Conclave: any ${threshold} of ${signers.length} signers sign together (${parameters})`,
    RULE,
    row("API", `${api.url}   (browse it: ${api.url}/docs)`),
    row("orchestrator", `${orchestrator.url}/status`),
    row("chain node", `${chain.rpcUrl}   (${chain.network}, chain id ${chain.chainId})`),
    ...networkRows(description),
    row("state", state),
    "",
    ...signerRows(description, states),
    ...behindLines(states, basename(state)).map((line) => (line === "" ? "" : `  ${line}`)),
    "",
    row("organisation", developer.orgId),
    row("credential", developer.credential.id),
    row("  its key", developer.credential.keyFile),
    row("token", developer.token),
    "",
    row("service account", developer.serviceAccount.userId),
    row("  credential", developer.serviceAccount.credential.id),
    row("  its key", developer.serviceAccount.credential.keyFile),
    row("  its token", developer.serviceAccount.token),
    "",
    "  These are development keys on a development chain. Never send real funds to its addresses,",
    "  and never let this token or these keys guard anything of value.",
    "",
    "  Try this (paste it into a shell):",
    "",
    ...tryThis(description),
    "",
    `  ${stopHint}`,
    RULE,
    "",
  ].join("\n");
};

/** The same information as JSON, for programs. */
export const bannerData = (description: ClusterDescription, states: readonly SignerCondition[]): string =>
  JSON.stringify(
    {
      ...description,
      signers: description.signers.map((signer) => ({
        ...signer,
        state: states.find(({ index }) => index === signer.index)?.state ?? "unknown",
      })),
      tryThis: tryThis(description),
    },
    undefined,
    2,
  );
