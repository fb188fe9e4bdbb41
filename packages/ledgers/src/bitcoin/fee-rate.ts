/** The price of a byte, in satoshis for a thousand virtual bytes, as nodes count. */
export type BitcoindFeeRate = bigint;

const VIRTUAL_BYTES = 1_000n;
export const ONE_BITCOIN = 100_000_000n;

/** @returns satoshis, rounded up. @source Bitcoin Core, src/policy/feerate.cpp: GetFee */
export const feeAt = (rate: BitcoindFeeRate, virtualSize: number): bigint =>
  (rate * BigInt(virtualSize) + VIRTUAL_BYTES - 1n) / VIRTUAL_BYTES;

/** Rounded down. */
export const feeRateOf = (fee: bigint, virtualSize: number): BitcoindFeeRate =>
  (fee * VIRTUAL_BYTES) / BigInt(virtualSize);

/** Satoshis as a decimal number of bitcoins with eight places. */
export const inBitcoin = (amount: bigint): string => {
  const [sign, magnitude] = amount < 0n ? ["-", -amount] : ["", amount];
  return `${sign}${magnitude / ONE_BITCOIN}.${(magnitude % ONE_BITCOIN).toString().padStart(8, "0")}`;
};

/** As a node prints money: at least two places, no more zeros than that. @source Bitcoin Core, src/util/moneystr.cpp */
export const inMoney = (amount: bigint): string => inBitcoin(amount).replace(/0{1,6}$/, "");

export const feeRateInWords = (rate: BitcoindFeeRate): string => `${inBitcoin(rate)} BTC/kvB`;

export const highestRate = (...rates: readonly BitcoindFeeRate[]): BitcoindFeeRate => {
  let highest = 0n;
  for (const rate of rates) if (rate > highest) highest = rate;
  return highest;
};
