import {
  type Act,
  fail,
  ok,
  type Result,
  type StellarTransfer,
  spellStellarToken,
  type TransactionReading,
} from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import { type Mismatch, mustEqual, refuseMismatch } from "../mismatch.ts";
import { effectsOfStellarDraft } from "./effects.ts";
import { stellarExclusion } from "./exclusion.ts";
import type { ReadableStellar } from "./network.ts";
import { parseStellarTransaction, parseStellarTransfer } from "./parse-content.ts";
import { decodeStellar, type StellarDraft, stellarHash } from "./transaction.ts";
import { spellMemo } from "./xdr/memo.ts";
import type { StellarOperation } from "./xdr/operation.ts";

const MS_IN_SECOND = 1_000;

/** What every transaction of a network shares: that nobody signs it but the wallet, and that it replaces nothing. */
const frameMismatch = (network: ReadableStellar, act: Act): Mismatch | undefined =>
  mustEqual("network", network.network, act.network) ??
  mustEqual("cosigners", act.cosigners.length, 0) ??
  mustEqual("replaces", act.kind === "transaction" ? (act.replaces?.length ?? 0) : 0, 0);

/** What an operation moves, as a transfer says it. */
const movedBy = (operation: StellarOperation) => {
  switch (operation.kind) {
    case "payment": {
      const { token, to, amount } = operation;
      return { kind: token === undefined ? "Native" : "Sep41", token, to, amount };
    }
    // the same lumens to the same account: whether it exists is for the chain to say
    case "createAccount":
      return { kind: "Native", token: undefined, to: operation.to, amount: operation.amount };
    case "changeTrust":
      return { kind: "trustline", token: operation.token, to: "none", amount: 0n };
  }
};

/** A transfer, field for field. */
const transferMismatch = (draft: StellarDraft, transfer: StellarTransfer): Mismatch | undefined => {
  const moved = movedBy(draft.operation);
  const asset =
    transfer.kind === "Sep41"
      ? spellStellarToken({ code: transfer.assetCode, issuer: transfer.issuer })
      : "none";
  return (
    mustEqual("operation", moved.kind, transfer.kind) ??
    mustEqual("asset", moved.token === undefined ? "none" : spellStellarToken(moved.token), asset) ??
    mustEqual("from", draft.from, transfer.from) ??
    mustEqual("to", moved.to, transfer.to) ??
    mustEqual("amount", moved.amount, transfer.amount) ??
    mustEqual("memo", spellMemo(draft.memo), spellMemo(transfer.memo ?? { kind: "none" }))
  );
};

const actMismatch = (unsigned: Uint8Array, draft: StellarDraft, act: Act): Result<Mismatch | undefined> => {
  if (act.kind === "transfer") {
    const transfer = parseStellarTransfer(act.transfer);
    return transfer.ok ? ok(transferMismatch(draft, transfer.value)) : transfer;
  }
  const wanted = parseStellarTransaction(act.transaction);
  if (!wanted.ok) return wanted;
  return ok(
    mustEqual("bytes", bytesToHex(unsigned), wanted.value.unsigned) ??
      mustEqual("from", draft.from, wanted.value.from),
  );
};

/**
 * The signer's own reading of a transaction (INV-3): it must be the one encoding of exactly what was authorised, of the
 * wallet's account, and cost no more than the network's cap. The orchestrator chooses sequence number, time bounds and fee,
 * and whether lumens come as a payment or as a new account's first ones.
 * @param network the entry of the reader's own networks file, whose passphrase alone makes what is signed this chain's
 * @param unsigned the whole unsigned transaction as it travelled
 * @param act what is authorised; signers have verified the authority's signature over it
 * @returns its hash as the one thing that is signed; TransactionUnreadable, TransactionMismatch (details.field) or FeeAboveCap
 */
export const readStellarTransaction = (
  network: ReadableStellar,
  unsigned: Uint8Array,
  act: Act,
): Result<TransactionReading> => {
  const decoded = decodeStellar(unsigned);
  if (!decoded.ok) return decoded;
  const frame = frameMismatch(network, act);
  if (frame !== undefined) return refuseMismatch(frame);
  const mismatch = actMismatch(unsigned, decoded.value, act);
  if (!mismatch.ok) return mismatch;
  return mismatch.value === undefined
    ? readStellarDraft(network, unsigned, decoded.value)
    : refuseMismatch(mismatch.value);
};

/** What is learnt from a transaction once it is known that it may be signed. FeeAboveCap when it costs too much. */
export const readStellarDraft = (
  { passphrase, feeCap }: ReadableStellar,
  unsigned: Uint8Array,
  draft: StellarDraft,
): Result<TransactionReading> => {
  const { fee, maxTime } = draft;
  if (fee > BigInt(feeCap)) return fail("FeeAboveCap", { fee: fee.toString(), feeCap });
  return ok({
    signables: [{ scheme: "FROST-Ed25519", bytes: stellarHash(passphrase, unsigned) }],
    exclusion: stellarExclusion(passphrase, draft),
    // in the second of its last time it may still land
    deadlineMs: (Number(maxTime) + 1) * MS_IN_SECOND,
    fee,
    effects: effectsOfStellarDraft(draft),
  });
};
