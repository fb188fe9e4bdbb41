import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import type { BitcoindCoin } from "../chain/coin.ts";
import type { BitcoindTransaction } from "../transaction/transaction.ts";

/** Lock times below this are heights; others are seconds since 1970. */
const LOCK_TIME_THRESHOLD = 500_000_000;
const FINAL_SEQUENCE = 0xffffffff;
const DISABLED = 0x80000000;
const BY_TIME = 0x00400000;
const LOCK_MASK = 0xffff;
const TIME_UNIT_SECONDS = 512;

/** The position of the block that is to hold a transaction. */
export interface NextBlock {
  readonly height: number;
  /** median time past of the block before it */
  readonly medianTime: number;
}

/** @source Bitcoin Core, src/consensus/tx_verify.cpp: IsFinalTx */
export const checkLockTime = (
  { lockTime, inputs }: BitcoindTransaction,
  { height, medianTime }: NextBlock,
): Ruling<undefined> => {
  const isOver = lockTime < (lockTime < LOCK_TIME_THRESHOLD ? height : medianTime);
  const isFinal = lockTime === 0 || isOver || inputs.every(({ sequence }) => sequence === FINAL_SEQUENCE);
  return isFinal ? granted(undefined) : refusedWith("non-final");
};

/** @param coins the outputs that the inputs spend, in their order. @source BIP-68 */
export const checkSequenceLocks = (
  { version, inputs }: BitcoindTransaction,
  coins: readonly BitcoindCoin[],
  { height, medianTime }: NextBlock,
): Ruling<undefined> => {
  if (version < 2) return granted(undefined);
  const isLocked = inputs.some(({ sequence }, at) => {
    const coin = coins[at];
    if (coin === undefined || (sequence & DISABLED) !== 0) return false;
    const lock = sequence & LOCK_MASK;
    return (sequence & BY_TIME) !== 0
      ? coin.timeBefore + lock * TIME_UNIT_SECONDS - 1 >= medianTime
      : coin.height + lock - 1 >= height;
  });
  return isLocked ? refusedWith("non-BIP68-final") : granted(undefined);
};
