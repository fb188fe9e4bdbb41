import type { TransactionReading } from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import type { TransferToRead } from "../exact-bytes/exact-reading.ts";
import { type Mismatch, mustEqual } from "../mismatch.ts";
import { effectsOfXrplDraft } from "./effects.ts";
import { xrplExclusion } from "./exclusion.ts";
import { namedNetworkId, type ReadableXrpl } from "./network.ts";
import type { XrplContent, XrplTransfer } from "./rules/act.ts";
import { xrplAddress } from "./rules/address.ts";
import { FULLY_CANONICAL, type XrplDraft, xrplSignable } from "./transaction.ts";

const NONE = "none";

/**
 * The chain that a transaction is for, as far as its bytes can name it. Networks with a low id are not named at all: that the chain is
 * the right one is for the node client to see to.
 */
export const xrplChainMismatch = (network: ReadableXrpl, draft: XrplDraft): Mismatch | undefined =>
  mustEqual("networkId", draft.networkId ?? NONE, namedNetworkId(network) ?? NONE);

/** The wallet's own account, signed for by the key that it has from its beginning. */
export const xrplAccountMismatch = (draft: XrplDraft, from: string): Mismatch | undefined =>
  mustEqual("from", draft.from, from) ?? mustEqual("signingPubKey", xrplAddress(draft.signingPubKey), from);

/** A transfer, field for field. */
export const xrplTransferMismatch = ({
  draft,
  transfer,
}: TransferToRead<unknown, XrplTransfer, XrplDraft>): Mismatch | undefined =>
  xrplAccountMismatch(draft, transfer.from) ??
  mustEqual("to", draft.to, transfer.to) ??
  mustEqual("tag", draft.destinationTag ?? NONE, transfer.tag ?? NONE) ??
  mustEqual("amount", draft.amount, transfer.amount) ??
  mustEqual("flags", draft.flags ?? NONE, FULLY_CANONICAL) ??
  mustEqual("sourceTag", draft.sourceTag ?? NONE, NONE);

/** The key that a caller names beside bytes that are signed and not sent: its account may have it as the regular key. */
export const xrplKeyMismatch = (draft: XrplDraft, { signingPubKey }: XrplContent): Mismatch | undefined => {
  const key = bytesToHex(draft.signingPubKey);
  return mustEqual("signingPubKey", key, signingPubKey ?? key);
};

/** The reading of a transaction: the one thing that is signed is of the scheme of the key in the bytes. */
export const readingOfXrpl = (
  network: ReadableXrpl,
  unsigned: Uint8Array,
  draft: XrplDraft,
): TransactionReading => ({
  signables: [xrplSignable(unsigned, draft)],
  exclusion: xrplExclusion(network, draft),
  // its bytes hold a ledger's number and no time: that it is dead is for the authority alone to say, which looks at the chain
  deadlineMs: undefined,
  fee: draft.fee,
  effects: effectsOfXrplDraft(network, draft),
});
