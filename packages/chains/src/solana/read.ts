import { type Act, fail, ok, type Result, type TransactionReading } from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import { type Mismatch, mustEqual, refuseMismatch } from "../mismatch.ts";
import { effectsOfSolanaDraft } from "./effects.ts";
import { solanaExclusion } from "./exclusion.ts";
import { solanaFee } from "./fee.ts";
import { messageOf } from "./message/message.ts";
import type { ReadableSolana } from "./network.ts";
import { parseSolanaTransaction, parseSolanaTransfer } from "./parse-content.ts";
import { transferMismatch } from "./read-transfer.ts";
import { decodeSolana, type SolanaDraft } from "./transaction.ts";

/** The rules for every transaction: its network, no signer but the wallet, and no replacement. */
const frameMismatch = (network: ReadableSolana, act: Act): Mismatch | undefined =>
  mustEqual("network", network.network, act.network) ??
  mustEqual("cosigners", act.cosigners.length, 0) ??
  mustEqual("replaces", act.kind === "transaction" ? (act.replaces?.length ?? 0) : 0, 0);

const actMismatch = (unsigned: Uint8Array, draft: SolanaDraft, act: Act): Result<Mismatch | undefined> => {
  if (act.kind === "transfer") {
    const transfer = parseSolanaTransfer(act.transfer);
    return transfer.ok ? ok(transferMismatch(unsigned, draft, transfer.value, act.requestId)) : transfer;
  }
  const wanted = parseSolanaTransaction(act.transaction);
  if (!wanted.ok) return wanted;
  return ok(
    mustEqual("bytes", bytesToHex(unsigned), wanted.value.unsigned) ??
      mustEqual("from", draft.from, wanted.value.from),
  );
};

/**
 * The signer's own reading of a transaction (INV-3): it must be the one form of exactly what was authorised, of the wallet's
 * account, with the request's tag, and cost no more than the network's cap. Its blockhash alone names the chain, and nobody knows
 * of which one it is without the chain: so a key has wallets on one network of Solana alone (`sharesTransactions`).
 * @param network the entry of the reader's own networks file
 * @param unsigned the whole unsigned transaction as it travelled
 * @param act the authorised content; signers have verified the authority's signature over it
 * @returns the message as the one thing that is signed; TransactionUnreadable, TransactionMismatch
 * (details.field) or FeeAboveCap
 */
export const readSolanaTransaction = (
  network: ReadableSolana,
  unsigned: Uint8Array,
  act: Act,
): Result<TransactionReading> => {
  const decoded = decodeSolana(unsigned);
  if (!decoded.ok) return decoded;
  const frame = frameMismatch(network, act);
  if (frame !== undefined) return refuseMismatch(frame);
  const mismatch = actMismatch(unsigned, decoded.value, act);
  if (!mismatch.ok) return mismatch;
  return mismatch.value === undefined
    ? readSolanaDraft(network, unsigned, decoded.value)
    : refuseMismatch(mismatch.value);
};

/** The reading of a transaction that may be signed. FeeAboveCap when it costs too much. */
export const readSolanaDraft = (
  { feeCap }: ReadableSolana,
  unsigned: Uint8Array,
  draft: SolanaDraft,
): Result<TransactionReading> => {
  const fee = solanaFee(draft);
  if (fee > BigInt(feeCap)) return fail("FeeAboveCap", { fee: fee.toString(), feeCap });
  return ok({
    signables: [{ scheme: "FROST-Ed25519", bytes: messageOf(unsigned) }],
    exclusion: solanaExclusion(unsigned),
    // its bytes hold a blockhash and no time: that it is dead is for the authority alone to say, which looks at the chain
    deadlineMs: undefined,
    fee,
    effects: effectsOfSolanaDraft(draft),
  });
};
