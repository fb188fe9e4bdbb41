import { parseAmount, parseTokenId } from "../amount.ts";
import { fail, ok, type Result } from "../errors.ts";
import type { EvmTransfer } from "../families/evm/act.ts";
import { parseEvmAddress } from "../families/evm/address.ts";
import {
  type Asset,
  familyOf,
  type Network,
  nativeAssetOf,
  takesMemo,
  takesPriority,
  transferKindsOf,
} from "../network.ts";
import type { TransferBody } from "../requests.ts";

/** What a transfer moves, ready to be authorised, and the asset as far as it is known without asking the chain. */
export interface JudgedTransfer {
  readonly transfer: EvmTransfer;
  readonly asset: Asset;
}

/**
 * Judges what a transfer asks for on the network of its wallet (service interface, Transfer asset from wallet).
 * @param sender the wallet's address
 * @returns PriorityNotSupported, MemoNotSupported, TransferKindNotSupported, AddressInvalid, AddressChecksum or
 *   AmountInvalid or TokenIdInvalid, whichever is met first in this order
 */
export const judgeTransfer = (
  network: Network,
  body: TransferBody,
  sender: string,
): Result<JudgedTransfer> => {
  const family = familyOf(network);
  if ("priority" in body && body.priority !== undefined && !takesPriority(family)) {
    return fail("PriorityNotSupported", { field: "priority", network });
  }
  if ("memo" in body && body.memo !== undefined && !takesMemo(family)) {
    return fail("MemoNotSupported", { field: "memo", network });
  }
  const kinds = transferKindsOf(family);
  if (!kinds.includes(body.kind)) return fail("TransferKindNotSupported", { field: "kind", network, kinds });
  switch (body.kind) {
    case "Native":
      return judgeNative(network, body);
    case "Erc20":
      return judgeErc20(body);
    case "Erc721":
      return judgeErc721(body, sender);
    case "Asa":
    case "Sep41":
    case "Trc10":
    case "Trc20":
    case "Trc721":
      return fail("TransferKindNotSupported", { field: "kind", network, kinds });
  }
};

const judgeNative = (
  network: Network,
  body: Extract<TransferBody, { kind: "Native" }>,
): Result<JudgedTransfer> => {
  const to = parseEvmAddress(body.to, "to");
  if (!to.ok) return to;
  const amount = parseAmount(body.amount);
  if (!amount.ok) return amount;
  return ok({
    transfer: { kind: body.kind, to: to.value, amount: amount.value },
    asset: nativeAssetOf(network),
  });
};

const judgeErc20 = (body: Extract<TransferBody, { kind: "Erc20" }>): Result<JudgedTransfer> => {
  const contract = parseEvmAddress(body.contract, "contract");
  if (!contract.ok) return contract;
  const to = parseEvmAddress(body.to, "to");
  if (!to.ok) return to;
  const amount = parseAmount(body.amount);
  if (!amount.ok) return amount;
  return ok({
    transfer: { kind: body.kind, contract: contract.value, to: to.value, amount: amount.value },
    // only the chain knows a token's symbol and decimals
    asset: {},
  });
};

const judgeErc721 = (
  body: Extract<TransferBody, { kind: "Erc721" }>,
  sender: string,
): Result<JudgedTransfer> => {
  const contract = parseEvmAddress(body.contract, "contract");
  if (!contract.ok) return contract;
  const to = parseEvmAddress(body.to, "to");
  if (!to.ok) return to;
  const tokenId = parseTokenId(body.tokenId);
  if (!tokenId.ok) return tokenId;
  const from = parseEvmAddress(sender, "from");
  if (!from.ok) return from;
  const token = { contract: contract.value, from: from.value, to: to.value, tokenId: tokenId.value };
  return ok({ transfer: { kind: body.kind, ...token }, asset: {} });
};
