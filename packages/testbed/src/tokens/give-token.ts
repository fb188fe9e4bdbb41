import { formatUnits } from "viem/utils";
import { unitsOf } from "../amount.ts";
import { LaunchError } from "../launch-error.ts";
import { type DescribedNetwork, localNodeOf } from "../networks/local-node.ts";
import { type KeptToken, keptTokens } from "./kept-tokens.ts";
import { tokenKindOn } from "./token-terms.ts";

/** whole coins for the maker's fee, out of the faucet with each payment */
const FEE_COINS = "20";
const COLLECTIBLES_MAX = 50;

/** A payment of a token of the cluster's. */
export interface TokenPayment {
  readonly network: string;
  /** the token's symbol, or its name on its chain */
  readonly token: string;
  readonly to: string;
  /** in whole tokens, as a decimal; undefined for ten, or one collectible */
  readonly amount: string | undefined;
}

/** A payment of a token that was made. */
export interface PaidTokens {
  readonly token: KeptToken;
  /** in whole tokens */
  readonly amount: string;
  /** the names of the collectibles; empty for other tokens */
  readonly collectibles: readonly string[];
}

/** @throws LaunchError when the cluster has not made such a token */
const tokenCalled = (file: string, network: string, named: string): KeptToken => {
  const all = keptTokens(file);
  const found = all.find((one) => one.network === network && (one.symbol === named || one.id === named));
  if (found !== undefined) return found;
  const elsewhere = all.filter(({ symbol }) => symbol === named).map((one) => one.network);
  throw new LaunchError(
    `no token ${named} was made on ${network}`,
    elsewhere.length > 0
      ? `There is one on ${elsewhere.join(", ")}; \`conclave token create --network ${network}\` makes another.`
      : `\`conclave token create --network ${network} --kind … --symbol ${named}\` makes it; \`conclave token list\` lists those that there are.`,
  );
};

const pieces = (amount: string): bigint => {
  const count = /^\d{1,3}$/.test(amount) ? Number(amount) : 0;
  if (count > 0 && count <= COLLECTIBLES_MAX) return BigInt(count);
  throw new LaunchError(
    `${amount} is no number of collectibles`,
    `Give a whole number from 1 to ${COLLECTIBLES_MAX}.`,
  );
};

/**
 * Pays an account in a token of the cluster's, from its maker's supply; collectibles are made for it.
 * @param served the networks with a local node, as the cluster describes them
 * @param file of the cluster's tokens
 * @throws LaunchError when there is no such token or too little of it, or the receiver has to take it up first
 */
export const giveToken = async (
  served: readonly DescribedNetwork[],
  file: string,
  { network, token: named, to, amount: asked }: TokenPayment,
): Promise<PaidTokens> => {
  const { local, urls } = await localNodeOf(served, network, "nobody can pay tokens there");
  const token = tokenCalled(file, network, named);
  const { symbol, decimals, id } = token;
  const row = tokenKindOn(local, token.kind);
  const isCollectible = row.decimals === undefined;
  const amount = asked ?? (isCollectible ? "1" : "10");
  const units = isCollectible ? pieces(amount) : unitsOf(amount, decimals);
  const factory = await row.load();
  if (!(await factory.isThere({ urls, id }))) {
    throw new LaunchError(
      `${network} has no ${symbol} any more: its block was replaced`,
      `\`conclave token create --network ${network} --kind ${token.kind} --symbol ${symbol}\` makes it again.`,
    );
  }
  const made = { urls, makerKey: Buffer.from(token.makerKey, "hex"), id };
  const left = await factory.left(made);
  if (left !== undefined && left < units) {
    throw new LaunchError(
      `${formatUnits(left, decimals)} ${symbol} are left of its supply`,
      "Give a smaller --amount, or create another token with a larger --supply.",
    );
  }
  await local.fund(urls, await factory.makerOf(made.makerKey), unitsOf(FEE_COINS, local.decimals));
  return { token, amount, collectibles: await factory.give(made, to, units) };
};
