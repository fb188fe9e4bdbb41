import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { NOBODY } from "../address.ts";
import type {
  AlgodAssetConfiguration,
  AlgodAssetFreeze,
  AlgodAssetTransfer,
  AlgodPayment,
  AlgodSubmission,
  AlgodTransaction,
} from "./transaction.ts";

/** MaxTxnLife, in rounds; for as long a node remembers transactions, to reject duplicates. */
export const MOST_ROUNDS_VALID = 1000n;
const NOTE_BYTES_MAX = 1024;
const ASSET_NAME_BYTES_MAX = 32;
const UNIT_NAME_BYTES_MAX = 8;
const ASSET_URL_BYTES_MAX = 96;
const DECIMALS_MAX = 19;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

const payment = ({ closeTo }: AlgodPayment, { sender }: AlgodTransaction): string | undefined =>
  closeTo === sender ? `transaction cannot close account to its sender ${sender}` : undefined;

const assetTransfer = ({ assetId, amount, clawedFrom, closeTo }: AlgodAssetTransfer): string | undefined => {
  if (assetId === 0n && amount !== 0n) return "asset ID cannot be zero";
  return clawedFrom !== undefined && closeTo !== undefined ? "cannot close asset by clawback" : undefined;
};

const assetConfiguration = ({ parameters }: AlgodAssetConfiguration): string | undefined => {
  if (parameters === undefined) return undefined;
  const tooBig = (
    [
      ["asset name", bytesOf(parameters.name), ASSET_NAME_BYTES_MAX],
      ["asset unit name", bytesOf(parameters.unitName), UNIT_NAME_BYTES_MAX],
      ["asset url", bytesOf(parameters.url), ASSET_URL_BYTES_MAX],
    ] as const
  ).find(([, bytes, most]) => bytes > most);
  if (tooBig !== undefined) return `transaction ${tooBig[0]} too big: ${tooBig[1]} > ${tooBig[2]}`;
  return parameters.decimals > DECIMALS_MAX
    ? `transaction asset decimals is too high (max is ${DECIMALS_MAX})`
    : undefined;
};

const assetFreeze = ({ assetId, account }: AlgodAssetFreeze): string | undefined => {
  if (assetId === 0n) return "asset ID cannot be zero";
  return account === NOBODY ? "freeze account cannot be empty" : undefined;
};

const flawOfAct = (transaction: AlgodTransaction): string | undefined => {
  const { act } = transaction;
  switch (act.kind) {
    case "payment":
      return payment(act, transaction);
    case "asset-transfer":
      return assetTransfer(act);
    case "asset-configuration":
      return assetConfiguration(act);
    case "asset-freeze":
      return assetFreeze(act);
    case "not-simulated":
      return `this simulated ledger does not carry out transactions of type ${act.type}`;
  }
};

const flawOf = (transaction: AlgodTransaction): string | undefined => {
  const { firstValid, lastValid, note, sender } = transaction;
  const range = `(${firstValid}--${lastValid})`;
  const ofAct = flawOfAct(transaction);
  if (ofAct !== undefined) return ofAct;
  if (lastValid < firstValid) return `transaction invalid range ${range}`;
  if (lastValid - firstValid > MOST_ROUNDS_VALID) return `transaction window size excessive ${range}`;
  if (note.length > NOTE_BYTES_MAX) {
    return `transaction note too big: ${note.length} > ${NOTE_BYTES_MAX}`;
  }
  return sender === NOBODY ? "transaction cannot have zero sender" : undefined;
};

/**
 * The validity of a transaction that does not depend on the ledger's state.
 * @source go-algorand, data/transactions/transaction.go: WellFormed
 */
export const checkWellFormed = ({ id, transaction }: AlgodSubmission): Ruling<undefined> => {
  const flaw = flawOf(transaction);
  return flaw === undefined ? granted(undefined) : refusedWith(`transaction ${id} invalid : ${flaw}`);
};
