import {
  type Effects,
  type FamilyContent,
  moves,
  NATIVE_ASSET,
  opaque,
  xrplTransferSchema,
} from "@conclave/custody";
import { namedNetworkId, type XrplNetwork } from "./network.ts";
import { givenXrplBytes } from "./parse-content.ts";
import { decodeXrpl, type XrplDraft } from "./transaction.ts";

type Chain = Pick<XrplNetwork, "networkId"> | undefined;

/** The effects of a request, for policies to judge. Of a caller's own bytes the fee counts as well: they fix it. A destination
 * tag is no part of a recipient: policies name accounts.
 * @param network undefined when none is known; the effects on another chain are unknown
 */
export const effectsOfXrpl = (network: Chain, content: FamilyContent): Effects => {
  const transfer = xrplTransferSchema.safeParse(content);
  if (transfer.success) {
    const { to: recipient, amount } = transfer.data;
    return moves({ asset: NATIVE_ASSET, amount, recipient });
  }
  const given = givenXrplBytes(content);
  if (given === undefined) return opaque("the request cannot be read");
  const decoded = decodeXrpl(given);
  if (!decoded.ok) return opaque(decoded.problem.message);
  return { ...effectsOfXrplDraft(network, decoded.value), fee: decoded.value.fee.toString() };
};

/** The effects of a decoded transaction. */
export const effectsOfXrplDraft = (network: Chain, { networkId, to, amount }: XrplDraft): Effects =>
  network === undefined || namedNetworkId(network) !== networkId
    ? opaque("the transaction is for another chain")
    : moves({ asset: NATIVE_ASSET, amount: amount.toString(), recipient: to });
