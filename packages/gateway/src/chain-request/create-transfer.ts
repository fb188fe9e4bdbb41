import {
  type Asset,
  type ChainWallet,
  isFungible,
  type JudgedTransfer,
  judgeTransfer,
  NATIVE_ASSET,
  type Network,
  ok,
  quotesOf,
  type Result,
  type Transfer,
  type TransferBody,
  transferIdSchema,
  UNTOUCHED,
  type WalletId,
} from "@conclave/custody";
import type { Caller } from "@conclave/platform";
import { reach } from "@conclave/platform/fault-points";
import { inContractTurn } from "../admission/contract-turn.ts";
import { transactionOfKey } from "../admission/key-turn.ts";
import { requestIdOf } from "../admission/request-id.ts";
import type { Dependencies } from "../dependencies.ts";
import { demand } from "../http/refused.ts";
import { requestAccepted } from "../log-events.ts";
import { requesterOf } from "../people/requester.ts";
import { effectsOfAct } from "../policy/signing-activity.ts";
import { payingWallet } from "../wallet/visible-wallet.ts";
import { acceptRequest, type Draft } from "./accept-request.ts";
import { earlierRequest, meantBy } from "./earlier-request.ts";
import { actOf } from "./request-act.ts";

/**
 * Accepts a transfer. The same body with the same externalId gives the earlier transfer.
 * @returns the transfer; WalletNotFound, a refusal of `judgeTransfer`, RecipientUnsuitable according to the chain, or
 * ExternalIdConflict
 */
export const createTransfer = async (
  dependencies: Dependencies,
  caller: Caller,
  walletId: WalletId,
  body: TransferBody,
): Promise<Result<Transfer>> => {
  const { database, world } = dependencies;
  const wallet = await payingWallet(database, caller, walletId);
  if (!wallet.ok) return wallet;
  const judged = judgeTransfer(dependencies.families, wallet.value.network, body, wallet.value.address);
  if (!judged.ok) return judged;
  const earlier = await earlierRequest(database, caller, "Transfer", walletId, body);
  if (!earlier.ok) return earlier;
  if (earlier.value?.kind === "Transfer") return ok(earlier.value);
  const recipient = await recipientByChain(dependencies, wallet.value, judged.value, body);
  if (!recipient.ok) return recipient;

  const { orgId, network } = wallet.value;
  const draft: Draft = {
    ...UNTOUCHED,
    kind: "Transfer",
    id: requestIdOf(world, transferIdSchema, "xfr", {
      orgId,
      signer: walletId,
      externalId: body.externalId,
      body: meantBy(body),
    }),
    orgId,
    walletId,
    network,
    requester: requesterOf(caller),
    requestBody: body,
    metadata: { asset: await assetOf(dependencies, wallet.value, judged.value, body.kind) },
    externalId: body.externalId,
    replacesId: undefined,
    dateRequested: dependencies.now().toISOString(),
  };
  const accepted = await transactionOfKey(dependencies, wallet.value.keyId, async (connection) => {
    const act = demand(await actOf(dependencies, connection, wallet.value, draft, judged.value.transfer));
    return acceptRequest(dependencies, connection, wallet.value, draft, act, effectsOfAct(dependencies, act));
  });
  FAULT: reach("transfer.accepted");
  // another request with this externalId came first: it is the answer, or conflicts
  if (accepted?.kind !== "Transfer") return createTransfer(dependencies, caller, walletId, body);
  requestAccepted(dependencies.logger, { requestId: accepted.id, status: accepted.status });
  return ok(accepted);
};

/**
 * Judges the recipient by the chain's current state. If the chain does not answer, the transfer is accepted: the
 * orchestrator asks again before anything is signed.
 */
const recipientByChain = async (
  dependencies: Dependencies,
  { orgId, network }: ChainWallet,
  { transfer }: JudgedTransfer,
  { sendAnyway }: TransferBody,
): Promise<Result<void>> => {
  if (sendAnyway === true) return ok(undefined);
  const judge = dependencies.chains.get(network)?.judgeRecipient;
  if (judge === undefined) return ok(undefined);
  const judged = await inContractTurn(dependencies, orgId, () => judge(transfer));
  return judged?.ok === false && judged.problem.code === "RecipientUnsuitable" ? judged : ok(undefined);
};

/** The known details of the asset, and the price of one whole unit, if there is one. */
const assetOf = async (
  dependencies: Dependencies,
  { orgId, network }: ChainWallet,
  { asset, token }: JudgedTransfer,
  kind: TransferBody["kind"],
): Promise<Asset> => {
  if (token === undefined) return quoted(dependencies, network, NATIVE_ASSET, asset);
  const described = await describe(dependencies, { orgId, network }, token);
  // units of a non-fungible token have no price
  return isFungible(kind) ? quoted(dependencies, network, token, described) : described;
};

/** Reads a token's symbol and decimals, which only the chain has; while its node is away, a transfer lacks them. */
const describe = async (
  dependencies: Dependencies,
  { orgId, network }: Pick<ChainWallet, "orgId" | "network">,
  contract: string,
): Promise<Asset> => {
  const chain = dependencies.chains.get(network);
  if (chain === undefined) return {};
  const described = await inContractTurn(dependencies, orgId, () => chain.describeToken(contract));
  return described?.ok ? described.value : {};
};

const quoted = ({ prices }: Dependencies, network: Network, name: string, asset: Asset): Asset => {
  const quotes = quotesOf(network, name, prices);
  return quotes === undefined ? asset : { ...asset, quotes };
};
