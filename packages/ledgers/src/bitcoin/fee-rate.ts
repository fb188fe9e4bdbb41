/** Satoshis per 1,000 virtual bytes, the unit of nodes. */
export type BitcoindFeeRate = bigint;

const VIRTUAL_BYTES = 1_000n;
export const ONE_BITCOIN = 100_000_000n;

/** @returns satoshis, rounded up. @source Bitcoin Core, src/policy/feerate.cpp: GetFee */
export const feeAt = (rate: BitcoindFeeRate, virtualSize: number): bigint =>
  (rate * BigInt(virtualSize) + VIRTUAL_BYTES - 1n) / VIRTUAL_BYTES;

/** The fee rate, rounded down. */
export const feeRateOf = (fee: bigint, virtualSize: number): BitcoindFeeRate =>
  (fee * VIRTUAL_BYTES) / BigInt(virtualSize);

/** Formats satoshis as bitcoins with eight decimals. */
export const inBitcoin = (amount: bigint): string => {
  const [sign, magnitude] = amount < 0n ? ["-", -amount] : ["", amount];
  return `${sign}${magnitude / ONE_BITCOIN}.${(magnitude % ONE_BITCOIN).toString().padStart(8, "0")}`;
};

/**
 * Formats money as a node does: at least two decimals, and no more trailing zeros. @source Bitcoin Core,
 * src/util/moneystr.cpp
 */
export const inMoney = (amount: bigint): string => inBitcoin(amount).replace(/0{1,6}$/, "");

export const feeRateInWords = (rate: BitcoindFeeRate): string => `${inBitcoin(rate)} BTC/kvB`;

export const highestRate = (...rates: readonly BitcoindFeeRate[]): BitcoindFeeRate => {
  let highest = 0n;
  for (const rate of rates) if (rate > highest) highest = rate;
  return highest;
};
