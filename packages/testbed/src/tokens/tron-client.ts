import { TronWeb, type Types } from "tronweb";
import { z } from "zod";
import {
  DEVELOPMENT_COLLECTIBLE_BYTECODE,
  developmentCollectibleArguments,
} from "../contracts/development-collectible.ts";
import {
  DEVELOPMENT_TOKEN_BYTECODE,
  developmentTokenArguments,
  type TokenNames,
} from "../contracts/development-token.ts";
import { LaunchError } from "../launch-error.ts";
import type { NodeUrls } from "../networks/local-network.ts";
import { makeBlocks } from "./make-blocks.ts";

const FEE_LIMIT = 1_000_000_000;
const ORIGIN_ENERGY_LIMIT = 10_000_000;
/** start of the token's sale, far in the future: SDK and node require a future time */
const SALE_MS = 4_000_000_000_000;

/** An account outside the cluster. */
export interface TronMaker {
  readonly address: string;
  readonly privateKey: string;
}

/** A client of the node; with a private key, it acts as the key's owner. */
export const tronClient = ({ url }: NodeUrls, privateKey?: string): TronWeb =>
  new TronWeb({ fullHost: url, ...(privateKey === undefined ? {} : { privateKey }) });

/** Sends a transaction from outside the cluster, and makes a block with it. */
export const landTron = async (urls: NodeUrls, transaction: Types.Transaction, privateKey: string) => {
  const client = tronClient(urls, privateKey);
  const sent = await client.trx.sendRawTransaction(await client.trx.sign(transaction, privateKey));
  if (!sent.result) {
    throw new LaunchError(`the node refuses: ${String(sent.code)}: ${String(sent.message)}`, "See its log.");
  }
  await makeBlocks(urls, 1);
  const info = await client.trx.getUnconfirmedTransactionInfo(transaction.txID);
  const result = info.receipt?.result;
  if (result === undefined || result === "SUCCESS") return info;
  throw new LaunchError(`the transaction ${transaction.txID} failed: ${result}`, "See the node's log.");
};

/** Writes a call of a contract. @param values its arguments, each with its type */
export const tronCall = async (
  urls: NodeUrls,
  owner: string,
  contract: string,
  selector: string,
  values: readonly { readonly type: string; readonly value: string | number }[],
) => {
  const { transaction } = await tronClient(urls).transactionBuilder.triggerSmartContract(
    contract,
    selector,
    { feeLimit: FEE_LIMIT },
    [...values],
    owner,
  );
  return transaction;
};

/** Deploys a contract. @param values the arguments of its constructor, by type @returns its address */
const deployOnTron = async (
  urls: NodeUrls,
  bytecode: string,
  values: readonly (readonly [type: string, value: string | number])[],
  { address, privateKey }: TronMaker,
): Promise<string> => {
  const inputs = values.map(([type], index) => ({ name: `value${index}`, type }));
  const transaction = await tronClient(urls).transactionBuilder.createSmartContract(
    {
      abi: JSON.stringify([{ type: "constructor", inputs, stateMutability: "nonpayable" }]),
      bytecode: bytecode.slice(2),
      parameters: values.map(([, value]) => value),
      feeLimit: FEE_LIMIT,
      originEnergyLimit: ORIGIN_ENERGY_LIMIT,
      userFeePercentage: 100,
    },
    address,
  );
  await landTron(urls, transaction, privateKey);
  return TronWeb.address.fromHex(transaction.contract_address);
};

/** Deploys the development token; the supply, in smallest units, goes to its maker. @returns its address */
export const deployDevelopmentToken = (
  urls: NodeUrls,
  maker: TronMaker,
  supply: bigint,
  names?: TokenNames,
): Promise<string> => {
  const [name, symbol, decimals, units] = developmentTokenArguments(supply, names);
  return deployOnTron(
    urls,
    DEVELOPMENT_TOKEN_BYTECODE,
    [
      ["bytes32", name],
      ["bytes32", symbol],
      ["uint8", decimals],
      ["uint256", String(units)],
    ],
    maker,
  );
};

/** Deploys the development collectible. @param count how many collectibles the maker gets @returns its address */
export const deployDevelopmentCollectible = (
  urls: NodeUrls,
  maker: TronMaker,
  count: bigint,
  names?: TokenNames,
): Promise<string> => {
  const [name, symbol, owned] = developmentCollectibleArguments(count, names);
  return deployOnTron(
    urls,
    DEVELOPMENT_COLLECTIBLE_BYTECODE,
    [
      ["bytes32", name],
      ["bytes32", symbol],
      ["uint256", String(owned)],
    ],
    maker,
  );
};

/** Issues a TRC-10 token, whose whole supply goes to its maker. @returns its number */
export const issueOnTron = async (
  urls: NodeUrls,
  { address, privateKey }: TronMaker,
  terms: {
    readonly name: string;
    readonly symbol: string;
    readonly decimals: number;
    readonly supply: number;
  },
): Promise<string> => {
  const transaction = await tronClient(urls).transactionBuilder.createAsset(
    {
      name: terms.name,
      abbreviation: terms.symbol,
      description: "nothing of value",
      url: "https://example.org",
      totalSupply: terms.supply,
      trxRatio: 1,
      tokenRatio: 1,
      saleStart: SALE_MS,
      saleEnd: 2 * SALE_MS,
      freeBandwidth: 0,
      freeBandwidthLimit: 0,
      frozenAmount: 0,
      frozenDuration: 0,
      precision: terms.decimals,
    },
    address,
  );
  const info = z.object({ assetIssueID: z.string() }).parse(await landTron(urls, transaction, privateKey));
  return info.assetIssueID;
};
