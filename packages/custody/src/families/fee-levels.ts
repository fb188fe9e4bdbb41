import { z } from "zod";

const wei = z.string().regex(/^(0|[1-9][0-9]{0,77})$/);
/** EIP-1559 fees of a priority, in wei a unit of gas, as digits. */
const level = z.strictObject({ maxPriorityFeePerGas: wei, maxFeePerGas: wei }).readonly();

/** The current fees of transactions on an EVM network, at each priority (wire interface, section F.8). */
export const evmFeeLevelsSchema = z
  .strictObject({
    kind: z.literal("Eip1559"),
    /** of the last block */
    blockNumber: z.int().min(0),
    /** of the next block, wei a unit of gas, as digits; zero on a chain from before EIP-1559 */
    baseFeePerGas: wei,
    slow: level,
    standard: level,
    fast: level,
  })
  .readonly();
export type EvmFeeLevels = z.infer<typeof evmFeeLevelsSchema>;

interface BitcoinLevel {
  /** satoshis a virtual byte, as digits with at most three decimals */
  readonly feeRate: string;
  /** blocks within which it is expected to land */
  readonly blockHorizon: number;
}

/** The current fees of transactions on a Bitcoin network, at each priority (wire interface, section F.8). */
export interface BitcoinFeeLevels {
  readonly kind: "Bitcoin";
  /** of the last block */
  readonly blockNumber: number;
  readonly slow: BitcoinLevel;
  readonly standard: BitcoinLevel;
  readonly fast: BitcoinLevel;
}

interface SolanaLevel {
  /** micro-lamports a compute unit, as digits */
  readonly computeUnitPrice: string;
}

/**
 * The bids of transactions on a Solana network beyond the fee of their signature, at each priority (wire
 * interface, section F.8).
 */
export interface SolanaFeeLevels {
  readonly kind: "Solana";
  /** the last slot */
  readonly blockNumber: number;
  readonly slow: SolanaLevel;
  readonly standard: SolanaLevel;
  readonly fast: SolanaLevel;
}

/** The current fees of a family's transactions, as clients see them. */
export type FeeLevels = EvmFeeLevels | BitcoinFeeLevels | SolanaFeeLevels;
