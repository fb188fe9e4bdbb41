import { type Effects, moves, NATIVE_ASSET, opaque } from "@conclave/custody";
import type { ReadableAlgorand } from "./network.ts";
import type { AlgorandTransfer } from "./rules/act.ts";
import type { AlgorandDraft } from "./transaction.ts";

/** The effects of a transfer. */
export const effectsOfAlgorandTransfer = (transfer: AlgorandTransfer): Effects => {
  const { to: recipient, amount } = transfer;
  return moves({ asset: transfer.kind === "Asa" ? transfer.assetId : NATIVE_ASSET, amount, recipient });
};

/**
 * The effects of a decoded transaction; those on another chain are unknown. @param network undefined when the network is
 * unknown
 */
export const effectsOfAlgorandDraft = (
  network: Pick<ReadableAlgorand, "genesisHash"> | undefined,
  { genesisHash, payment }: AlgorandDraft,
): Effects => {
  if (genesisHash !== network?.genesisHash) return opaque("the transaction is for another chain");
  const asset = payment.type === "axfer" ? payment.assetId.toString() : NATIVE_ASSET;
  return moves({ asset, amount: payment.amount.toString(), recipient: payment.to });
};
