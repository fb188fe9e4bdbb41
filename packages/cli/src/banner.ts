import { basename } from "node:path";
import type { SignerCondition } from "@conclave/testbed/launch";
import { typedCommand } from "@conclave/testbed/launch";
import type { BannerDescription } from "./banner-description.ts";
import { shellWord } from "./shell-word.ts";
import { behindLines } from "./status/behind-lines.ts";
import { tryThis } from "./try-this.ts";

const RULE = "─".repeat(78);
const LABEL_WIDTH = 16;

const row = (label: string, value: string): string => `  ${label.padEnd(LABEL_WIDTH)}${value}`;

const stateIn = (states: readonly SignerCondition[], index: number): string =>
  states.find((signer) => signer.index === index)?.state ?? "unknown";

/** The row about the networks beside the first one. */
const networkRows = ({ networks, chain, state }: BannerDescription): readonly string[] => {
  const others = networks.filter(({ network }) => network !== chain.network);
  const last = others.at(-1)?.network;
  if (last === undefined) return [];
  const name = basename(state);
  return [
    row(
      "also on",
      `${others.length} ${others.length === 1 ? "network" : "networks"} (\`${typedCommand("status", name)}\` lists them), started when needed`,
    ),
    row("faucet", typedCommand("fund", name, { ADDRESS: "…", NETWORK: last })),
  ];
};

/** Parts of a banner that depend on the command that prints it. */
interface BannerWords {
  readonly stopHint: string;
  /** the script of the lines to try */
  readonly tryFile: string;
  /** about the tokens */
  readonly notes?: readonly string[];
}

/** The text that people see once a cluster is ready: 40 lines at most for five signers, if nothing is wrong. */
export const banner = (
  description: BannerDescription,
  states: readonly SignerCondition[],
  { stopHint, tryFile, notes = [] }: BannerWords,
): string => {
  const { api, chain, developer, orchestrator, threshold, signers, parameters, state } = description;
  const { serviceAccount } = developer;
  return [
    "",
    RULE,
    `  Conclave: any ${threshold} of ${signers.length} signers sign together (${parameters})`,
    RULE,
    row("API", `${api.url}   (browse ${api.url}/docs)`),
    row("orchestrator", `${orchestrator.url}/status`),
    row("chain node", `${chain.rpcUrl}   (${chain.network}, chain id ${chain.chainId})`),
    ...networkRows(description),
    row("state", state),
    "",
    ...signers.map(({ id, index, address }) => row(id, `${address}   ${stateIn(states, index)}`)),
    ...behindLines(states, basename(state)).map((line) => (line === "" ? "" : `  ${line}`)),
    "",
    row("organisation", developer.orgId),
    row("token", developer.tokenFile),
    row("credential", developer.credential.id),
    row("  its key", developer.credential.keyFile),
    row("service account", serviceAccount.userId),
    row("  token", serviceAccount.tokenFile),
    row("  credential", serviceAccount.credential.id),
    row("  its key", serviceAccount.credential.keyFile),
    ...(notes.length === 0 ? [] : ["", ...notes.map((line) => `  ${line}`)]),
    "",
    "  Development keys on a development chain: send no real funds there,",
    "  and let neither these tokens nor these keys guard anything of value.",
    "",
    "  Try this: a wallet, coins for it, and its first transfer, by curl",
    "",
    `  sh ${shellWord(tryFile)}`,
    "",
    `  ${stopHint}`,
    RULE,
    "",
  ].join("\n");
};

/** The whole description as JSON, for programs, with the state of each signer and the lines to try. @param whole all its members */
export const bannerData = (
  description: BannerDescription,
  states: readonly SignerCondition[],
  whole: object = description,
): string =>
  JSON.stringify(
    {
      ...whole,
      signers: description.signers.map((signer) => ({ ...signer, state: stateIn(states, signer.index) })),
      tryThis: tryThis(description),
    },
    undefined,
    2,
  );
