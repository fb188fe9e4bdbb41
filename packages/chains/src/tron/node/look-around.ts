import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { askedCall } from "../call.ts";
import type { TronContract } from "../contract.ts";
import { recipientOf } from "../plan.ts";
import type { TriedCall, TronPrices, TronSender, TronSituation } from "../situation.ts";
import { tronAccountState, tronResources } from "./account.ts";
import { genesisBlockOf, lastTronBlock } from "./blocks.ts";
import { trc20Balance, trc721Owner } from "./holdings.ts";
import { askTron, type TronHttp, tronAway } from "./http.ts";
import { tryTronCall } from "./try-call.ts";

const parametersSchema = z.object({
  chainParameter: z.array(z.object({ key: z.string(), value: z.bigint().default(0n) })),
});

type Price = Exclude<keyof TronPrices, "paysContracts">;

/** The parameters that the chain's committee sets, by their names in getchainparameters. */
const PRICE_NAMES: Readonly<Record<Price, string>> = {
  bandwidth: "getTransactionFee",
  energy: "getEnergyFee",
  newAccount: "getCreateNewAccountFeeInSystemContract",
  newAccountBandwidth: "getCreateAccountFee",
  feeLimitMax: "getMaxFeeLimit",
};
/**
 * The parameters that forbid to pay a contract without calling it: the first for every contract, the second for new
 * ones (java-tron, TransferActuator).
 */
const FORBIDDING: readonly string[] = ["getForbidTransferToContract", "getAllowTvmCompatibleEvm"];

/** The chain's current prices. */
const tronPrices = async (http: TronHttp): Promise<Result<TronPrices>> => {
  const found = await askTron(http, {
    path: "/wallet/getchainparameters",
    body: {},
    schema: parametersSchema,
  });
  if (!found.ok) return found;
  const values = new Map(found.value.chainParameter.map(({ key, value }) => [key, value]));
  const missing = Object.values(PRICE_NAMES).find((name) => (values.get(name) ?? -1n) < 0n);
  if (missing !== undefined) return tronAway(http.network, `it does not tell the price ${missing}`);
  const priceOf = (price: Price): bigint => values.get(PRICE_NAMES[price]) ?? 0n;
  return ok({
    bandwidth: priceOf("bandwidth"),
    energy: priceOf("energy"),
    newAccount: priceOf("newAccount"),
    newAccountBandwidth: priceOf("newAccountBandwidth"),
    feeLimitMax: priceOf("feeLimitMax"),
    // a node that does not give them counts as one of the main network, which forbids it
    paysContracts: FORBIDDING.every((name) => values.get(name) === 0n),
  });
};

/** The wallet's own account; an account that does not exist yet holds nothing. */
const senderOf = async (
  http: TronHttp,
  address: string,
): Promise<Result<TronSender & { readonly tokens: ReadonlyMap<string, bigint> }>> => {
  const [account, resources] = await Promise.all([
    tronAccountState(http, address),
    tronResources(http, address),
  ]);
  if (!account.ok) return account;
  if (!resources.ok) return resources;
  const { balance = 0n, isOwn = true, tokens = new Map<string, bigint>() } = account.value ?? {};
  return ok({ balance, isOwn, tokens, ...resources.value });
};

/** The sender's balance in the asset that a contract call moves. */
const heldBy = async (
  http: TronHttp,
  sender: string,
  contract: TronContract,
): Promise<Result<bigint | undefined>> => {
  if (contract.type !== "TriggerSmartContract") return ok(undefined);
  const { call } = contract;
  if (call.function === "transfer") return trc20Balance(http, sender, contract.contract);
  const owner = await trc721Owner(http, contract.contract, call.tokenId);
  return owner.ok ? ok(owner.value === call.owner ? 1n : 0n) : owner;
};

const triedBy = async (
  http: TronHttp,
  from: string,
  contract: TronContract,
): Promise<Result<TriedCall | undefined>> =>
  contract.type === "TriggerSmartContract"
    ? tryTronCall(http, { from, contract: contract.contract, ...askedCall(contract.call) })
    : ok(undefined);

/** Everything on which a transaction depends, asked at once. */
export const tronSituation = async (
  http: TronHttp,
  sender: string,
  contract: TronContract,
): Promise<Result<TronSituation>> => {
  const [genesisBlock, solid, head, prices, own, recipient, held, call] = await Promise.all([
    genesisBlockOf(http),
    lastTronBlock(http, "walletsolidity"),
    lastTronBlock(http, "wallet"),
    tronPrices(http),
    senderOf(http, sender),
    tronAccountState(http, recipientOf(contract)),
    heldBy(http, sender, contract),
    triedBy(http, sender, contract),
  ]);
  if (!genesisBlock.ok) return genesisBlock;
  if (!solid.ok) return solid;
  if (!head.ok) return head;
  if (!prices.ok) return prices;
  if (!own.ok) return own;
  if (!recipient.ok) return recipient;
  if (!held.ok) return held;
  if (!call.ok) return call;
  const { tokens, ...account } = own.value;
  const ofLedger =
    contract.type === "TransferAssetContract" ? (tokens.get(contract.tokenId) ?? 0n) : undefined;
  return ok({
    genesisBlock: genesisBlock.value,
    solid: solid.value,
    headTimeMs: head.value.timeMs,
    prices: prices.value,
    sender: account,
    recipient: {
      exists: recipient.value !== undefined,
      isContract: recipient.value?.isContract ?? false,
    },
    held: ofLedger ?? held.value,
    call: call.value,
  });
};
