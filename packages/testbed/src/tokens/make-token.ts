import { randomBytes } from "node:crypto";
import { unitsOf } from "../amount.ts";
import { LaunchError } from "../launch-error.ts";
import type { LocalNetwork, NodeUrls } from "../networks/local-network.ts";
import { type DescribedNetwork, localNodeOf } from "../networks/local-node.ts";
import { type KeptToken, keepToken, keptTokens } from "./kept-tokens.ts";
import { type TokenOrder, termsOf, tokenKindOn } from "./token-terms.ts";

const KEY_BYTES = 32;
/** whole coins that a maker gets out of the faucet: far more than the dearest contract costs */
const MAKER_COINS = "2000";

/**
 * Makes a token on a local network, by an account that the faucet pays, and keeps it in a file.
 * @param served the networks with a local node, as the cluster describes them
 * @param file of the cluster's tokens
 * @throws LaunchError when the network has no local node or no such tokens, or has one of this symbol
 */
export const makeLocalToken = async (
  served: readonly DescribedNetwork[],
  file: string,
  order: TokenOrder,
): Promise<KeptToken> => {
  const { network, kind } = order;
  const { local, urls } = await localNodeOf(served, network, "nobody can make tokens there");
  const row = tokenKindOn(local, kind);
  const terms = termsOf(row, order);
  const factory = await row.load();
  const before = keptTokens(file).find((one) => one.network === network && one.symbol === terms.symbol);
  if (before !== undefined && (await isThere(local, urls, before))) {
    throw new LaunchError(
      `${network} has a token ${terms.symbol}: ${before.id}`,
      `Pay it with \`conclave fund … --token ${terms.symbol}\`, or give another --symbol.`,
    );
  }
  const makerKey = randomBytes(KEY_BYTES);
  await local.fund(urls, await factory.makerOf(makerKey), unitsOf(MAKER_COINS, local.decimals));
  const id = await factory.create({ urls, makerKey }, terms);
  const { symbol, decimals } = terms;
  const kept = { network, kind, symbol, decimals, id, makerKey: makerKey.toString("hex") };
  keepToken(file, kept);
  return kept;
};

/** Whether a kept token is on its chain still: replaced blocks take their tokens with them. */
const isThere = async (local: LocalNetwork, urls: NodeUrls, { kind, id }: KeptToken): Promise<boolean> => {
  const factory = await tokenKindOn(local, kind).load();
  return factory.isThere({ urls, id });
};
