import { type CoinAge, coinName } from "./coins/coin.ts";
import { bitcoinDustLimit, bitcoinScriptType } from "./rules/script.ts";
import type { BitcoinSituation } from "./situation.ts";
import type { Psbt, PsbtInput } from "./wire/psbt.ts";

/** Versions of transactions that nodes relay (TX_MIN_STANDARD_VERSION, TX_MAX_STANDARD_VERSION; Bitcoin Core, policy/policy.h). */
const VERSION_MIN = 1;
const VERSION_MAX = 3;
/** Blocks until a coinbase output can be spent (COINBASE_MATURITY; Bitcoin Core, consensus/consensus.h). */
export const MATURITY_BLOCKS = 100n;
/** The sequence number that disables lock times (SEQUENCE_FINAL; Bitcoin Core, primitives/transaction.h). */
const SEQUENCE_FINAL = 0xffff_ffff;
/** Lock times below are heights of blocks, above are Unix seconds (LOCKTIME_THRESHOLD; Bitcoin Core, script/script.h). */
const LOCK_TIME_THRESHOLD = 500_000_000;
/**
 * BIP-68 fields of a sequence number: the bit that disables the lock; the bit for time instead of blocks; the mask of its
 * length, for time in units of 512 s.
 */
const LOCK_DISABLED = 0x8000_0000;
const LOCK_OF_TIME = 0x0040_0000;
const LOCK_MASK = 0xffff;
const LOCK_UNIT_SECONDS = 512n;

/** Whether a sequence number is a relative lock of time, not of blocks (BIP-68). */
export const hasLockOfTime = (sequence: number): boolean =>
  (sequence & LOCK_DISABLED) === 0 && (sequence & LOCK_OF_TIME) !== 0;

type Clock = Pick<BitcoinSituation, "height" | "medianTime">;

const shownTime = (seconds: bigint): string => new Date(Number(seconds) * 1_000).toISOString();

/** Bitcoin Core's IsFinalTx for the next block, with the median time past (BIP-113). */
const whyNotFinal = ({ lockTime, inputs }: Psbt, { height, medianTime }: Clock): string | undefined => {
  if (lockTime === 0 || inputs.every(({ sequence }) => sequence === SEQUENCE_FINAL)) return undefined;
  const isOfBlocks = lockTime < LOCK_TIME_THRESHOLD;
  const reached = isOfBlocks ? height + 1n : medianTime;
  if (BigInt(lockTime) < reached) return undefined;
  return isOfBlocks
    ? `its lock time is block ${lockTime}, and the last block is ${height}: send it once that block is there`
    : `its lock time is ${shownTime(BigInt(lockTime))}, and the median time of the last blocks is ${shownTime(medianTime)}: send it later`;
};

/** The relative lock of an input (BIP-68), judged for the next block. */
const whyLocked = (
  { version }: Psbt,
  { outpoint, sequence }: PsbtInput,
  { confirmations, madeAfter }: CoinAge,
  { medianTime }: Clock,
): string | undefined => {
  // bits are compared with 0, because JavaScript's bitwise results are signed
  const isLocked = version >= 2 && (sequence & LOCK_DISABLED) === 0;
  if (!isLocked) return undefined;
  const length = BigInt(sequence & LOCK_MASK);
  if ((sequence & LOCK_OF_TIME) === 0) {
    return length <= confirmations
      ? undefined
      : `its relative lock wants ${length} confirmations of the coin ${coinName(outpoint)}, which has ${confirmations}: send it later`;
  }
  const until = madeAfter + length * LOCK_UNIT_SECONDS;
  return until <= medianTime
    ? undefined
    : `its relative lock on the coin ${coinName(outpoint)} lasts until ${shownTime(until)}: send it later`;
};

const whyCoin = (
  psbt: Psbt,
  input: PsbtInput,
  age: CoinAge | undefined,
  clock: Clock,
): string | undefined => {
  if (age === undefined) return undefined;
  if (age.isCoinbase && age.confirmations < MATURITY_BLOCKS) {
    return `its coin ${coinName(input.outpoint)} was earned by a miner ${age.confirmations} blocks ago: it can be spent after ${MATURITY_BLOCKS}`;
  }
  return whyLocked(psbt, input, age, clock);
};

/**
 * Why no node relays a caller's transaction, by its bytes alone; undefined when nodes may. Not checked here: reading bounds the
 * weight, and refuses scripts without an address.
 */
export const whyNonStandard = ({ version, outputs }: Psbt): string | undefined => {
  if (version < VERSION_MIN || version > VERSION_MAX) {
    return `its version is ${version}, and nodes relay versions ${VERSION_MIN} to ${VERSION_MAX}`;
  }
  for (const [at, { amount, script }] of outputs.entries()) {
    const least = bitcoinScriptType(script) === undefined ? 0n : bitcoinDustLimit(script);
    if (amount < least) {
      return `its output ${at} is dust: it pays ${amount} satoshis, and nodes relay none of less than ${least} to such an address`;
    }
  }
  return undefined;
};

/** Why the next block cannot hold a caller's transaction, by the chain's current state; undefined when it can. */
export const whyNotYet = (
  psbt: Psbt,
  situation: Clock & Pick<BitcoinSituation, "coins">,
): string | undefined => {
  const locked = whyNotFinal(psbt, situation);
  if (locked !== undefined) return locked;
  const ages = new Map(situation.coins.map(({ outpoint, age }) => [coinName(outpoint), age]));
  for (const input of psbt.inputs) {
    const why = whyCoin(psbt, input, ages.get(coinName(input.outpoint)), situation);
    if (why !== undefined) return why;
  }
  return undefined;
};
