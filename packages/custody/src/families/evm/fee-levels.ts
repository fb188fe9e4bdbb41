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
