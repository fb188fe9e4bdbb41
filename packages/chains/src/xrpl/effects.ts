import { type Effects, moves, NATIVE_ASSET, opaque } from "@conclave/custody";
import { namedNetworkId, type XrplNetwork } from "./network.ts";
import type { XrplTransfer } from "./rules/act.ts";
import type { XrplDraft } from "./transaction.ts";

/** The effects of a transfer. The recipient is the account without its destination tag, because policies name accounts. */
export const effectsOfXrplTransfer = ({ to: recipient, amount }: XrplTransfer): Effects =>
  moves({ asset: NATIVE_ASSET, amount, recipient });

/**
 * The effects of a decoded transaction; those on another chain are unknown. @param network undefined when the network is
 * unknown
 */
export const effectsOfXrplDraft = (
  network: Pick<XrplNetwork, "networkId"> | undefined,
  { networkId, to, amount }: XrplDraft,
): Effects =>
  network === undefined || namedNetworkId(network) !== networkId
    ? opaque("the transaction is for another chain")
    : moves({ asset: NATIVE_ASSET, amount: amount.toString(), recipient: to });
