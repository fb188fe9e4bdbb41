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
 * A mismatch of the chain, as far as the bytes name it. Networks with a low id are not named: only the node client can check
 * their chain.
 */
export const xrplChainMismatch = (network: ReadableXrpl, draft: XrplDraft): Mismatch | undefined =>
  mustEqual("networkId", draft.networkId ?? NONE, namedNetworkId(network) ?? NONE);

/** A mismatch unless the account is the wallet's own and signs with its master key. */
export const xrplAccountMismatch = (draft: XrplDraft, from: string): Mismatch | undefined =>
  mustEqual("from", draft.from, from) ?? mustEqual("signingPubKey", xrplAddress(draft.signingPubKey), from);

/** Compares a transfer field by field. */
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

/** A mismatch of the key that a caller names beside bytes that are signed and not sent; it may be the account's regular key. */
export const xrplKeyMismatch = (draft: XrplDraft, { signingPubKey }: XrplContent): Mismatch | undefined => {
  const key = bytesToHex(draft.signingPubKey);
  return mustEqual("signingPubKey", key, signingPubKey ?? key);
};

/** The reading of a transaction. There is one message to sign; its scheme is that of the key in the bytes. */
export const readingOfXrpl = (
  network: ReadableXrpl,
  unsigned: Uint8Array,
  draft: XrplDraft,
): TransactionReading => ({
  signables: [xrplSignable(unsigned, draft)],
  exclusion: xrplExclusion(network, draft),
  // the bytes hold a ledger's index and no time: only the authority, which sees the chain, can say that the transaction is dead
  deadlineMs: undefined,
  fee: draft.fee,
  effects: effectsOfXrplDraft(network, draft),
});
