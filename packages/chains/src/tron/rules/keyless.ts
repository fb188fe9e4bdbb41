import { type FamilyContent, type Network, ok, type Result } from "@conclave/custody";
import { keylessRecipient } from "../../rules/unsuitable-recipient.ts";
import { tronTransferSchema } from "./act.ts";
import { tronAccount } from "./address.ts";

/**
 * The accounts of java-tron that hold burnt coins (config.conf and config-test-net.conf, genesis.block: the account Blackhole).
 */
const BLACK_HOLES: readonly string[] = [
  "TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy",
  "TSJD5rdu6wZXP7F2m3a3tn8Co3JcMjtBip",
];
/** An address with this many leading zero bytes is a precompiled contract or made up: nobody can find a key to it. */
const ZERO_BYTES = 16;

const isMadeUp = (address: string): boolean =>
  tronAccount(address)
    .slice(0, ZERO_BYTES)
    .every((byte) => byte === 0);

/**
 * Judges a recipient without the chain. The zero address is missing here because it is refused as an address.
 * @param content as `judgeTronTransfer` returned it; @throws ZodError for anything else
 * @returns RecipientUnsuitable
 */
export const judgeTronKeyless = (_network: Network, content: FamilyContent): Result<void> => {
  const transfer = tronTransferSchema.parse(content);
  const { to } = transfer;
  if ((transfer.kind === "Trc20" || transfer.kind === "Trc721") && to === transfer.contract) {
    return keylessRecipient(to, "the contract of the token that is sent, which gives none back");
  }
  if (BLACK_HOLES.includes(to)) return keylessRecipient(to, "the black hole, where TRX is burnt");
  return isMadeUp(to)
    ? keylessRecipient(to, "a precompiled contract or a made-up address, of which nobody has the key")
    : ok(undefined);
};
