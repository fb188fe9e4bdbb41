import { readFileSync } from "node:fs";
import { basename } from "node:path";
import {
  LaunchError,
  otherWork,
  ProcessTable,
  readSigners,
  type SignerCondition,
  stateLayout,
  stateOf,
  typedCommand,
} from "@conclave/testbed/launch";
import { z } from "zod";
import { banner, bannerData } from "../banner.ts";
import { type BannerDescription, bannerSchema } from "../banner-description.ts";
import { usableToken } from "../client/developer-token.ts";
import { writeTryThis } from "../try-this.ts";

interface Shown {
  readonly json: boolean;
  readonly stopHint: string;
  /** about its tokens, for people */
  readonly notes?: readonly string[];
  /** all members of the description, where it was read without those that people are not shown */
  readonly whole?: object;
}

/** The text of a cluster that is ready, for people or as JSON. Writes the script that it names. */
export const readyText = (
  description: BannerDescription,
  states: readonly SignerCondition[],
  { json, stopHint, notes = [], whole }: Shown,
): string =>
  json
    ? bannerData(description, states, whole)
    : banner(description, states, { stopHint, notes, tryFile: writeTryThis(description) });

const describedIn = (
  file: string,
  name: string,
): { readonly description: BannerDescription; readonly whole: { readonly developer: object } } => {
  try {
    const read: unknown = JSON.parse(readFileSync(file, "utf8"));
    return {
      description: bannerSchema.parse(read),
      whole: z.looseObject({ developer: z.looseObject({}) }).parse(read),
    };
  } catch {
    throw isStarting(name);
  }
};

const isStarting = (name: string): LaunchError =>
  new LaunchError(
    `${name} is still starting, or was started by another version`,
    `See \`${typedCommand("status", name)}\`; \`${typedCommand("down", name)}\` stops it.`,
  );

/** A description with the token that works now. */
const withToken = <Described extends { readonly developer: object }>(
  described: Described,
  token: string,
): Described => ({ ...described, developer: { ...described.developer, token } });

/** A start that was asked for. */
interface AskedStart {
  readonly json: boolean;
  readonly signers?: number;
  readonly threshold?: number;
  readonly port?: number;
}

/**
 * Shows a cluster that runs already, as its start did.
 * @param state the cluster's folder
 * @returns whether it runs. Rejects with a LaunchError where it cannot be shown, or is of another size
 */
export const showRunning = async (
  state: string,
  { json, signers, threshold, port }: AskedStart,
): Promise<boolean> => {
  const [layout, name] = [stateLayout(state), basename(state)];
  const supervisor = new ProcessTable(layout.run).supervisor();
  if (supervisor === undefined) return false;
  const refusal = otherWork(supervisor);
  if (refusal !== undefined) throw refusal;
  const { description, whole } = describedIn(layout.description, name);
  const [size, t] = [description.signers.length, description.threshold];
  if ((signers ?? size) !== size || (threshold ?? t) !== t) {
    throw new LaunchError(
      `${name} runs with ${t} of ${size} signers`,
      "Leave --signers and --threshold out, or give another cluster another --name.",
    );
  }
  if (port !== undefined && Number(new URL(description.api.url).port) !== port) {
    throw new LaunchError(
      `${name} runs, and its gateway is ${description.api.url}`,
      `Leave --port out, or stop it first with \`${typedCommand("down", name)}\`.`,
    );
  }
  const states = ((await readSigners(description.orchestrator.url)) ?? []).map(stateOf);
  if (!states.some(({ standing }) => standing === "ready")) throw isStarting(name);
  const { token, lines: notes } = await usableToken(description, layout, name);
  const stopHint = `It runs already, with the settings of its start; \`${typedCommand("down", name)}\` stops it.`;
  const shown = { json, stopHint, notes, whole: withToken(whole, token) };
  process.stdout.write(`${readyText(withToken(description, token), states, shown)}\n`);
  return true;
};
