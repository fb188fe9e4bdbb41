import type { HorizonConditions, HorizonTransaction } from "../xdr/envelope.ts";
import type { HorizonAccount } from "../xdr/ledger-entry.ts";
import type { HorizonFlaw } from "../xdr/result.ts";

const NO_CONDITIONS: HorizonConditions = {
  timeBounds: undefined,
  ledgerBounds: undefined,
  minimumSequence: undefined,
  minimumSequenceAge: 0n,
  minimumSequenceLedgerGap: 0,
  extraSigners: [],
};

/** The conditions of a transaction in one form, whichever form its envelope uses. */
export const conditionsOf = ({ preconditions }: HorizonTransaction): HorizonConditions => {
  switch (preconditions.type) {
    case "none":
      return NO_CONDITIONS;
    case "time":
      return { ...NO_CONDITIONS, timeBounds: preconditions.value };
    case "v2":
      return preconditions.value;
  }
};

/** The ledger and time for which conditions are checked. Times are seconds since 1970. */
export interface HorizonMoment {
  /** the sequence number of the ledger */
  readonly ledger: number;
  /** the earliest possible close time of the ledger */
  readonly closedAt: bigint;
  /** the latest possible close time of the ledger */
  readonly closesBy: bigint;
}

/** @source stellar-core, TransactionFrame.cpp: isTooEarly, isTooLate */
export const flawOfTime = (
  transaction: HorizonTransaction,
  { ledger, closedAt, closesBy }: HorizonMoment,
): HorizonFlaw | undefined => {
  const { timeBounds, ledgerBounds } = conditionsOf(transaction);
  const isEarly = (timeBounds?.minimum ?? 0n) > closedAt || (ledgerBounds?.minimum ?? 0) > ledger;
  if (isEarly) return "tx_too_early";
  const [lastTime, lastLedger] = [timeBounds?.maximum ?? 0n, ledgerBounds?.maximum ?? 0];
  const isLate = (lastTime !== 0n && lastTime < closesBy) || (lastLedger !== 0 && lastLedger <= ledger);
  return isLate ? "tx_too_late" : undefined;
};

/** @source stellar-core, TransactionFrame.cpp: isBadSeq, isTooEarlyForAccount */
export const flawOfSequence = (
  transaction: HorizonTransaction,
  account: HorizonAccount,
  { ledger, closedAt }: HorizonMoment,
): HorizonFlaw | undefined => {
  const { minimumSequence, minimumSequenceAge, minimumSequenceLedgerGap } = conditionsOf(transaction);
  const { sequence } = transaction;
  const isNext =
    minimumSequence === undefined
      ? sequence === account.sequence + 1n
      : account.sequence >= minimumSequence && account.sequence < sequence;
  if (!isNext || sequence === BigInt(ledger) << 32n) return "tx_bad_seq";
  const isYoung = account.sequenceTime + minimumSequenceAge > closedAt && minimumSequenceAge > 0n;
  const isNear = account.sequenceLedger + minimumSequenceLedgerGap > ledger && minimumSequenceLedgerGap > 0;
  return isYoung || isNear ? "tx_bad_min_seq_age_or_gap" : undefined;
};
