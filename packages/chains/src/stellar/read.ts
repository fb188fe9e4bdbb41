import {
  type Act,
  fail,
  ok,
  type Result,
  type StellarToken,
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
import { assetContractOf } from "./soroban/asset-contract.ts";
import { decodeStellar, type StellarDraft, stellarHash } from "./transaction.ts";
import { spellMemo } from "./xdr/memo.ts";
import type { StellarOperation } from "./xdr/operation.ts";

const MS_IN_SECOND = 1_000;

/** The rules for every transaction of a network: no signer but the wallet, and no replacement. */
const frameMismatch = (network: ReadableStellar, act: Act): Mismatch | undefined =>
  mustEqual("network", network.network, act.network) ??
  mustEqual("cosigners", act.cosigners.length, 0) ??
  mustEqual("replaces", act.kind === "transaction" ? (act.replaces?.length ?? 0) : 0, 0);

const spelt = (token: StellarToken | undefined): string =>
  token === undefined ? "none" : spellStellarToken(token);

/** The operation of a transfer. */
const doneBy = (operation: StellarOperation) => {
  switch (operation.kind) {
    case "payment":
      return { ...operation, asset: spelt(operation.token) };
    // the same lumens to the same account: whether it exists is for the chain to say
    case "createAccount":
      return { ...operation, kind: "payment", asset: "none" };
    case "changeTrust":
      return { kind: operation.kind, asset: spelt(operation.token), to: "none", amount: 0n };
    case "invokeHostFunction":
      return { ...operation, asset: operation.contract };
  }
};

/** How a transfer is to be done: an asset goes to a contract by a call of the asset's own contract. */
const wantedOf = (passphrase: string, transfer: StellarTransfer) => {
  const token = transfer.kind === "Sep41" ? { code: transfer.assetCode, issuer: transfer.issuer } : undefined;
  return transfer.to.startsWith("C")
    ? { kind: "invokeHostFunction", asset: assetContractOf(passphrase, token) }
    : { kind: "payment", asset: spelt(token) };
};

/** A transfer, field for field. */
const transferMismatch = (
  { passphrase }: ReadableStellar,
  draft: StellarDraft,
  transfer: StellarTransfer,
): Mismatch | undefined => {
  const done = doneBy(draft.operation);
  const wanted = wantedOf(passphrase, transfer);
  return (
    mustEqual("operation", done.kind, wanted.kind) ??
    mustEqual("asset", done.asset, wanted.asset) ??
    mustEqual("from", draft.from, transfer.from) ??
    mustEqual("to", done.to, transfer.to) ??
    mustEqual("amount", done.amount, transfer.amount) ??
    mustEqual("memo", spellMemo(draft.memo), spellMemo(transfer.memo ?? { kind: "none" }))
  );
};

const actMismatch = (
  network: ReadableStellar,
  unsigned: Uint8Array,
  draft: StellarDraft,
  act: Act,
): Result<Mismatch | undefined> => {
  if (act.kind === "transfer") {
    const transfer = parseStellarTransfer(act.transfer);
    return transfer.ok ? ok(transferMismatch(network, draft, transfer.value)) : transfer;
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
 * @param act the authorised content; signers have verified the authority's signature over it
 * @returns its hash as the one thing that is signed; TransactionUnreadable, TransactionMismatch (details.field)
 * or FeeAboveCap
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
  const mismatch = actMismatch(network, unsigned, decoded.value, act);
  if (!mismatch.ok) return mismatch;
  return mismatch.value === undefined
    ? readStellarDraft(network, unsigned, decoded.value)
    : refuseMismatch(mismatch.value);
};

/** The reading of a transaction that may be signed. FeeAboveCap when it costs too much. */
export const readStellarDraft = (
  network: ReadableStellar,
  unsigned: Uint8Array,
  draft: StellarDraft,
): Result<TransactionReading> => {
  const { passphrase, feeCap } = network;
  const { fee, maxTime } = draft;
  if (fee > BigInt(feeCap)) return fail("FeeAboveCap", { fee: fee.toString(), feeCap });
  return ok({
    signables: [{ scheme: "FROST-Ed25519", bytes: stellarHash(passphrase, unsigned) }],
    exclusion: stellarExclusion(passphrase, draft),
    // in the second of its last time it may still land
    deadlineMs: (Number(maxTime) + 1) * MS_IN_SECOND,
    fee,
    effects: effectsOfStellarDraft(network, draft),
  });
};
