import { parseAmount, parseTokenId, TOKEN_UNIT, unitOfCoin } from "../../amount.ts";
import type { TransferBody } from "../../chain-request/transfer-body.ts";
import { fail, ok, type Result } from "../../errors.ts";
import type { Network, TransferKind } from "../../network.ts";
import type { JudgedTransfer } from "../rules.ts";
import type { EvmTransfer } from "./act.ts";
import { parseEvmAddress, parseEvmReceiver } from "./address.ts";
import { evmNativeAsset } from "./native-asset.ts";
import type { Erc20Body, Erc721Body } from "./transfer-body.ts";

export const EVM_TRANSFER_KINDS = ["Native", "Erc20", "Erc721"] as const satisfies readonly TransferKind[];

/** @returns AddressInvalid, AddressChecksum, AmountInvalid, TokenIdInvalid or TransferKindNotSupported */
export const judgeEvmTransfer = (
  network: Network,
  body: TransferBody,
  sender: string,
): Result<JudgedTransfer> => {
  switch (body.kind) {
    case "Native":
      return judgeNative(network, body);
    case "Erc20":
      return judgeErc20(body);
    case "Erc721":
      return judgeErc721(body, sender);
    default:
      return fail("TransferKindNotSupported", { field: "kind", network, kinds: EVM_TRANSFER_KINDS });
  }
};

/** The judged form is the one that the signers' strict schema takes. */
const judged = (transfer: EvmTransfer, more: Omit<JudgedTransfer, "transfer">): Result<JudgedTransfer> =>
  ok({ transfer, ...more });

const judgeNative = (
  network: Network,
  body: Extract<TransferBody, { kind: "Native" }>,
): Result<JudgedTransfer> => {
  const to = parseEvmReceiver(body.to, "to");
  if (!to.ok) return to;
  const asset = evmNativeAsset(network);
  const amount = parseAmount(body.amount, unitOfCoin("wei", asset));
  if (!amount.ok) return amount;
  const transfer = { kind: body.kind, to: to.value, amount: amount.value };
  return judged(transfer, { asset, token: undefined });
};

const judgeErc20 = (body: Erc20Body): Result<JudgedTransfer> => {
  const contract = parseEvmAddress(body.contract, "contract");
  if (!contract.ok) return contract;
  const to = parseEvmReceiver(body.to, "to");
  if (!to.ok) return to;
  const amount = parseAmount(body.amount, TOKEN_UNIT);
  if (!amount.ok) return amount;
  const transfer = { kind: body.kind, contract: contract.value, to: to.value, amount: amount.value };
  // only the chain knows a token's symbol and decimals
  return judged(transfer, { asset: {}, token: contract.value });
};

const judgeErc721 = (body: Erc721Body, sender: string): Result<JudgedTransfer> => {
  const contract = parseEvmAddress(body.contract, "contract");
  if (!contract.ok) return contract;
  const to = parseEvmReceiver(body.to, "to");
  if (!to.ok) return to;
  const tokenId = parseTokenId(body.tokenId);
  if (!tokenId.ok) return tokenId;
  const from = parseEvmAddress(sender, "from");
  if (!from.ok) return from;
  const token = { contract: contract.value, from: from.value, to: to.value, tokenId: tokenId.value };
  return judged({ kind: body.kind, ...token }, { asset: {}, token: contract.value });
};
