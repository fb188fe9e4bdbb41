import {
  type ChainWallet,
  type FamilyRules,
  type HeldAssetView,
  heldAssetView,
  MOST_TOKENS_SHOWN,
  ok,
  type Result,
} from "@conclave/custody";
import { listKnownTokens, listReceivedUniqueTokens, type UniqueToken } from "@conclave/platform";
import type { Dependencies, ReadableChain } from "../dependencies.ts";
import type { OwnedTokenView } from "../schemas/holding.ts";

type Reading = Pick<Dependencies, "database" | "prices" | "families">;

/** The values of the successful results. */
const valuesOf = <T>(results: readonly Result<T>[]): readonly T[] =>
  results.flatMap((result) => (result.ok ? [result.value] : []));

/**
 * The holdings of a wallet: the native coin, and tokens with a balance, among those that the organisation's transfers
 * have moved on this network, or that came to the wallet from outside.
 * @returns ServiceUnavailable when the chain's node is away
 */
export const assetsOf = async (
  reading: Reading,
  chain: ReadableChain,
  wallet: ChainWallet,
): Promise<Result<readonly HeldAssetView[]>> =>
  holdingsOf(reading, chain, wallet, await listKnownTokens(reading.database, wallet, MOST_TOKENS_SHOWN));

/**
 * The holdings of an address: the native coin, and those of the given tokens of which it has a balance.
 * @param contracts as the family's `tokenOf` spells them
 * @returns ServiceUnavailable when the chain's node is away
 */
export const holdingsOf = async (
  { prices, families }: Pick<Reading, "prices" | "families">,
  chain: ReadableChain,
  { network, address }: Pick<ChainWallet, "network" | "address">,
  contracts: readonly string[],
): Promise<Result<readonly HeldAssetView[]>> => {
  const native = await chain.balance(address);
  if (!native.ok) return native;
  const tokens = await Promise.all(contracts.map((contract) => holdingOf(chain, address, contract)));
  const coin = { token: undefined, asset: {}, balance: native.value };
  // anybody can get a contract listed here: one that does not answer is left out, and hides no other
  const held = valuesOf(tokens).filter(({ balance }) => balance > 0n);
  return ok(
    [coin, ...held].map((holding) => heldAssetView(families.familyOf(network), network, holding, prices)),
  );
};

const holdingOf = async (chain: ReadableChain, address: string, token: string) => {
  const balance = await chain.tokenBalance(address, token);
  if (!balance.ok) return balance;
  if (balance.value === undefined || balance.value === 0n) return ok({ token, asset: {}, balance: 0n });
  const asset = await chain.describeToken(token);
  return asset.ok ? ok({ token, asset: asset.value, balance: balance.value }) : asset;
};

/**
 * The non-fungible tokens that a wallet received, from the organisation's transfers or others, and still owns.
 * @returns ServiceUnavailable when the chain's node is away
 */
export const uniqueTokensOf = async (
  { database, families }: Pick<Dependencies, "database" | "families">,
  chain: ReadableChain,
  wallet: ChainWallet,
): Promise<Result<readonly OwnedTokenView[]>> => {
  const received = await listReceivedUniqueTokens(database, wallet, MOST_TOKENS_SHOWN);
  // finds out whether the node is there, which a token's answer does not show
  const native = await chain.balance(wallet.address);
  if (!native.ok) return native;
  const looked = await Promise.all(
    received.map((token) => ownedBy(families.familyOf(wallet.network), chain, wallet.address, token)),
  );
  return ok(valuesOf(looked).flat());
};

const ownedBy = async (
  family: Pick<FamilyRules, "spell" | "showToken">,
  chain: ReadableChain,
  address: string,
  { kind, contract, tokenId }: UniqueToken,
): Promise<Result<readonly OwnedTokenView[]>> => {
  const owner = await chain.tokenOwner(contract, BigInt(tokenId));
  if (!owner.ok) return owner;
  if (owner.value === undefined || family.spell(owner.value) !== family.spell(address)) return ok([]);
  const described = await chain.describeToken(contract);
  if (!described.ok) return described;
  const { symbol } = described.value;
  const shown = family.showToken(contract);
  return ok([
    {
      kind,
      contract: "contract" in shown ? shown.contract : contract,
      tokenId,
      ...(symbol === undefined ? {} : { symbol }),
    },
  ]);
};
