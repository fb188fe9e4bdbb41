import { readFileSync } from "node:fs";
import { type EnabledNetwork, FAMILIES } from "@conclave/chains";
import { type ChainNode, NODES } from "@conclave/chains/node";
import {
  ERRORS,
  type HeldAssetView,
  type Holding,
  heldAssetView,
  NO_PRICES,
  networkSchema,
  type Problem,
  type Result,
} from "@conclave/custody";
import { localNodeOf } from "@conclave/testbed";
import { LaunchError, stateLayout, TOKEN_KINDS } from "@conclave/testbed/launch";
import { keptTokens } from "@conclave/testbed/tokens";
import { runningDescription } from "../../running-description.ts";

/**
 * Asks a local network's node for the holdings of an address: the coin, and those tokens of `conclave token create` of which it has some. Collectibles are left out, because a node lists none of an owner's.
 * @param state the cluster's state folder
 * @throws LaunchError when no cluster was started there, the network has no local node, the node does not answer, or the text is no
 * address of the network
 */
export const addressHoldings = async (
  state: string,
  network: string,
  address: string,
): Promise<readonly HeldAssetView[]> => {
  const layout = stateLayout(state);
  await localNodeOf(runningDescription(state).networks, network, "nobody here knows what an address holds");
  const family = FAMILIES.familyOf(network);
  const served = networkSchema.parse(network);
  // the family judges an address as the payee of a transfer; any amount will do, and nobody pays it
  const judged = family.judgeTransfer(served, { kind: "Native", to: address, amount: "1" }, "");
  if (!judged.ok && judged.problem.details["field"] === "to") throw asLaunchError(judged.problem);
  const owner = family.spell(address);
  const node = NODES.connect(entryOf(layout.networks, network));
  const coin = { token: undefined, asset: {}, balance: must(await node.balance(owner)) };
  const ids = keptTokens(layout.tokens).flatMap((token) =>
    token.network === network && !COLLECTIBLES.has(token.kind) ? [token.id] : [],
  );
  const tokens: Holding[] = [];
  // one at a time, however many were made
  for (const id of ids) tokens.push(...(await holdingOf(node, owner, id)));
  return [coin, ...tokens].map((holding) => heldAssetView(family, served, holding, NO_PRICES));
};

const COLLECTIBLES: ReadonlySet<string> = new Set(
  TOKEN_KINDS.filter(({ decimals }) => decimals === undefined).map(({ kind }) => kind),
);

const asLaunchError = ({ code, message }: Problem): LaunchError =>
  new LaunchError(message, ERRORS[code].remedy, code);

const must = <Value>(result: Result<Value>): Value => {
  if (result.ok) return result.value;
  throw asLaunchError(result.problem);
};

const holdingOf = async (node: ChainNode, owner: string, token: string): Promise<readonly Holding[]> => {
  // undefined for a token whose block was replaced
  const balance = must(await node.tokenBalance(owner, token)) ?? 0n;
  return balance === 0n ? [] : [{ token, asset: must(await node.describeToken(token)), balance }];
};

const entryOf = (file: string, network: string): EnabledNetwork => {
  const damaged = new LaunchError(`${file} does not name the node of ${network}`, "Start the cluster again.");
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw damaged;
  }
  const entries = FAMILIES.networksSchema.safeParse(read);
  const entry = entries.success ? entries.data.find((one) => one.network === network) : undefined;
  if (entry === undefined) throw damaged;
  return entry;
};
