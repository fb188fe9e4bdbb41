import {
  type JudgedTransfer,
  type Network,
  parseAmount,
  parseTokenId,
  type Result,
  TOKEN_UNIT,
  unitOfCoin,
} from "@conclave/custody";
import { type BodyOf, judged, transferJudgement } from "../../rules/transfers.ts";
import type { EvmTransfer } from "./act.ts";
import { parseEvmAddress, parseEvmReceiver } from "./address.ts";
import { evmNativeAsset } from "./native-asset.ts";

const judgeNative = (body: BodyOf<"Native">, _sender: string, network: Network): Result<JudgedTransfer> => {
  const to = parseEvmReceiver(body.to, "to");
  if (!to.ok) return to;
  const asset = evmNativeAsset(network);
  const amount = parseAmount(body.amount, unitOfCoin("wei", asset));
  return amount.ok
    ? judged<EvmTransfer>({ kind: body.kind, to: to.value, amount: amount.value }, asset)
    : amount;
};

const judgeErc20 = (body: BodyOf<"Erc20">): Result<JudgedTransfer> => {
  const contract = parseEvmAddress(body.contract, "contract");
  if (!contract.ok) return contract;
  const to = parseEvmReceiver(body.to, "to");
  if (!to.ok) return to;
  const amount = parseAmount(body.amount, TOKEN_UNIT);
  if (!amount.ok) return amount;
  const transfer = { kind: body.kind, contract: contract.value, to: to.value, amount: amount.value };
  // a token's symbol and decimals are known to the chain alone
  return judged<EvmTransfer>(transfer, {}, contract.value);
};

const judgeErc721 = (body: BodyOf<"Erc721">, sender: string): Result<JudgedTransfer> => {
  const contract = parseEvmAddress(body.contract, "contract");
  if (!contract.ok) return contract;
  const to = parseEvmReceiver(body.to, "to");
  if (!to.ok) return to;
  const tokenId = parseTokenId(body.tokenId);
  if (!tokenId.ok) return tokenId;
  const from = parseEvmAddress(sender, "from");
  if (!from.ok) return from;
  const token = { contract: contract.value, from: from.value, to: to.value, tokenId: tokenId.value };
  return judged<EvmTransfer>({ kind: body.kind, ...token }, {}, contract.value);
};

/** Refusals: AddressInvalid, AddressChecksum, AmountInvalid, TokenIdInvalid or TransferKindNotSupported. */
export const EVM_TRANSFERS = transferJudgement({
  Native: judgeNative,
  Erc20: judgeErc20,
  Erc721: judgeErc721,
});
