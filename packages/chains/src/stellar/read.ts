import type { TransactionReading } from "@conclave/custody";
import type { TransferToRead } from "../exact-bytes/exact-reading.ts";
import { type Mismatch, mustEqual } from "../mismatch.ts";
import { effectsOfStellarDraft } from "./effects.ts";
import { stellarExclusion } from "./exclusion.ts";
import type { ReadableStellar } from "./network.ts";
import type { StellarTransfer } from "./rules/act.ts";
import { type StellarToken, spellStellarToken } from "./rules/asset.ts";
import { assetContractOf } from "./soroban/asset-contract.ts";
import { type StellarDraft, stellarHash } from "./transaction.ts";
import { spellMemo } from "./xdr/memo.ts";
import type { StellarOperation } from "./xdr/operation.ts";

const MS_IN_SECOND = 1_000;

const spelt = (token: StellarToken | undefined): string =>
  token === undefined ? "none" : spellStellarToken(token);

/** An operation in the form in which it is compared with a transfer. */
const doneBy = (operation: StellarOperation) => {
  switch (operation.kind) {
    case "payment":
      return { ...operation, asset: spelt(operation.token) };
    // like a payment of lumens: only the chain knows whether the account exists
    case "createAccount":
      return { ...operation, kind: "payment", asset: "none" };
    case "changeTrust":
      return { kind: operation.kind, asset: spelt(operation.token), to: "none", amount: 0n };
    case "invokeHostFunction":
      return { ...operation, asset: operation.contract };
  }
};

/** The operation and asset that a transfer requires: a contract is paid by a call of the asset's own contract. */
const wantedOf = (passphrase: string, transfer: StellarTransfer) => {
  const token = transfer.kind === "Sep41" ? { code: transfer.assetCode, issuer: transfer.issuer } : undefined;
  return transfer.to.startsWith("C")
    ? { kind: "invokeHostFunction", asset: assetContractOf(passphrase, token) }
    : { kind: "payment", asset: spelt(token) };
};

/**
 * Compares a transfer field by field. The orchestrator chooses sequence number, time bounds and fee, and whether lumens arrive
 * by a payment or create the account.
 */
export const stellarTransferMismatch = ({
  entry: { passphrase },
  draft,
  transfer,
}: TransferToRead<ReadableStellar, StellarTransfer, StellarDraft>): Mismatch | undefined => {
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

/** The reading of a transaction. There is one hash to sign; only the passphrase in it binds it to this chain. */
export const readingOfStellar = (
  network: ReadableStellar,
  unsigned: Uint8Array,
  draft: StellarDraft,
): TransactionReading => ({
  signables: [{ scheme: "FROST-Ed25519", bytes: stellarHash(network.passphrase, unsigned) }],
  exclusion: stellarExclusion(network.passphrase, draft),
  // it may still land during the second of `maxTime`
  deadlineMs: (Number(draft.maxTime) + 1) * MS_IN_SECOND,
  fee: draft.fee,
  effects: effectsOfStellarDraft(network, draft),
});
