import {
  algorandTransferSchema,
  type Effects,
  type FamilyContent,
  moves,
  NATIVE_ASSET,
  opaque,
} from "@conclave/custody";
import type { ReadableAlgorand } from "./network.ts";
import { givenAlgorandBytes } from "./parse-content.ts";
import { type AlgorandDraft, decodeAlgorand } from "./transaction.ts";

/** The effects of a request, for policies to judge. Of a caller's own bytes the fee counts as well: they fix it.
 * @param network undefined when none is known; the effects on another chain are unknown
 */
export const effectsOfAlgorand = (
  network: Pick<ReadableAlgorand, "genesisHash"> | undefined,
  content: FamilyContent,
): Effects => {
  const transfer = algorandTransferSchema.safeParse(content);
  if (transfer.success) {
    const { to: recipient, amount } = transfer.data;
    const asset = transfer.data.kind === "Asa" ? transfer.data.assetId : NATIVE_ASSET;
    return moves({ asset, amount, recipient });
  }
  const given = givenAlgorandBytes(content);
  if (given === undefined) return opaque("the request cannot be read");
  const decoded = decodeAlgorand(given);
  if (!decoded.ok) return opaque(decoded.problem.message);
  return { ...effectsOfDraft(network, decoded.value), fee: decoded.value.fee.toString() };
};

/** The effects of a decoded transaction. */
export const effectsOfDraft = (
  network: Pick<ReadableAlgorand, "genesisHash"> | undefined,
  { genesisHash, payment }: AlgorandDraft,
): Effects => {
  if (genesisHash !== network?.genesisHash) return opaque("the transaction is for another chain");
  const asset = payment.type === "axfer" ? payment.assetId.toString() : NATIVE_ASSET;
  return moves({ asset, amount: payment.amount.toString(), recipient: payment.to });
};
