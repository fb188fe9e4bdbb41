import {
  type Act,
  fail,
  ok,
  type Result,
  type TransactionReading,
  type XrplTransfer,
  xrplAddress,
} from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import { type Mismatch, mustEqual, refuseMismatch } from "../mismatch.ts";
import { effectsOfXrplDraft } from "./effects.ts";
import { xrplExclusion } from "./exclusion.ts";
import { namedNetworkId, type ReadableXrpl } from "./network.ts";
import { bytesOfXrplTransaction, parseXrplTransaction, parseXrplTransfer } from "./parse-content.ts";
import { decodeXrpl, FULLY_CANONICAL, type XrplDraft, xrplSignable } from "./transaction.ts";

const NONE = "none";

/** The chain that a transaction is for, as far as its bytes can name it. */
export const xrplChainMismatch = (network: ReadableXrpl, draft: XrplDraft): Mismatch | undefined =>
  mustEqual("networkId", draft.networkId ?? NONE, namedNetworkId(network) ?? NONE);

/** The rules for every transaction of a network: its chain, no signer but the wallet, and no replacement. */
const frameMismatch = (network: ReadableXrpl, draft: XrplDraft, act: Act): Mismatch | undefined =>
  mustEqual("network", network.network, act.network) ??
  xrplChainMismatch(network, draft) ??
  mustEqual("cosigners", act.cosigners.length, 0) ??
  mustEqual("replaces", act.kind === "transaction" ? (act.replaces?.length ?? 0) : 0, 0);

/** The wallet's own account, signed for by the key that it has from its beginning. */
const accountMismatch = (draft: XrplDraft, from: string): Mismatch | undefined =>
  mustEqual("from", draft.from, from) ?? mustEqual("signingPubKey", xrplAddress(draft.signingPubKey), from);

/** A transfer, field for field. */
const transferMismatch = (draft: XrplDraft, transfer: XrplTransfer): Mismatch | undefined =>
  accountMismatch(draft, transfer.from) ??
  mustEqual("to", draft.to, transfer.to) ??
  mustEqual("tag", draft.destinationTag ?? NONE, transfer.tag ?? NONE) ??
  mustEqual("amount", draft.amount, transfer.amount) ??
  mustEqual("flags", draft.flags ?? NONE, FULLY_CANONICAL) ??
  mustEqual("sourceTag", draft.sourceTag ?? NONE, NONE);

const actMismatch = (unsigned: Uint8Array, draft: XrplDraft, act: Act): Result<Mismatch | undefined> => {
  if (act.kind === "transfer") {
    const transfer = parseXrplTransfer(act.transfer);
    return transfer.ok ? ok(transferMismatch(draft, transfer.value)) : transfer;
  }
  const wanted = parseXrplTransaction(act.transaction);
  if (!wanted.ok) return wanted;
  const given = bytesToHex(bytesOfXrplTransaction(wanted.value));
  return ok(mustEqual("bytes", bytesToHex(unsigned), given) ?? accountMismatch(draft, wanted.value.from));
};

/**
 * The signer's own reading of a transaction (INV-3): it must be the canonical encoding of exactly what was authorised, of the
 * wallet's account and its key, and cost no more than the network's cap. Networks with a low id are not named in the bytes
 * at all: that the chain is the right one is for the node client to see to.
 * @param network the entry of the reader's own networks file
 * @param unsigned the whole unsigned transaction as it travelled
 * @param act the authorised content; signers have verified the authority's signature over it
 * @returns the one thing that is signed, of the scheme of the key in the bytes; TransactionUnreadable,
 * TransactionMismatch
 *   (details.field) or FeeAboveCap
 */
export const readXrplTransaction = (
  network: ReadableXrpl,
  unsigned: Uint8Array,
  act: Act,
): Result<TransactionReading> => {
  const decoded = decodeXrpl(unsigned);
  if (!decoded.ok) return decoded;
  const frame = frameMismatch(network, decoded.value, act);
  if (frame !== undefined) return refuseMismatch(frame);
  const mismatch = actMismatch(unsigned, decoded.value, act);
  if (!mismatch.ok) return mismatch;
  return mismatch.value === undefined
    ? readXrplDraft(network, unsigned, decoded.value)
    : refuseMismatch(mismatch.value);
};

/** The reading of a transaction that may be signed. FeeAboveCap when it costs too much. */
export const readXrplDraft = (
  network: ReadableXrpl,
  unsigned: Uint8Array,
  draft: XrplDraft,
): Result<TransactionReading> => {
  const { fee } = draft;
  if (fee > BigInt(network.feeCap)) {
    return fail("FeeAboveCap", { fee: fee.toString(), feeCap: network.feeCap });
  }
  return ok({
    signables: [xrplSignable(unsigned, draft)],
    exclusion: xrplExclusion(network, draft),
    // its bytes hold a ledger's number and no time: that it is dead is for the authority alone to say, which looks at the chain
    deadlineMs: undefined,
    fee,
    effects: effectsOfXrplDraft(network, draft),
  });
};
