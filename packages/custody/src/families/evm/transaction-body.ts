import { z } from "zod";
import { hexadecimal } from "../../chain-request/hexadecimal.ts";
import { requestExternalId } from "../../chain-request/transfer-fields.ts";

const TEXT_LENGTH = 256;
/** Call data or init code, in bytes: init code has 49152 at most (EIP-3860), and signers read no more than this. */
export const CALL_DATA_BYTES_MAX: number = 56 * 1024;

/** An integer of at most 256 bits as clients write it: decimal digits, or hexadecimal ones after 0x. */
const integer = z.string().regex(/^([0-9]{1,78}|0x[0-9a-fA-F]{1,64})$/, "is not an integer");

const call = {
  /** absent or empty, with data: a contract is deployed */
  to: z.string().max(TEXT_LENGTH).optional(),
  /** wei */
  value: integer.optional(),
  data: hexadecimal(CALL_DATA_BYTES_MAX).optional(),
  nonce: z.union([z.int().min(0), integer]).optional(),
  gasLimit: integer.optional(),
  externalId: requestExternalId,
};

/** The templates of transactions on EVM networks (wire interface, section F.5). */
export const evmTemplateSchemas = [
  z.strictObject({ kind: z.literal("Evm"), ...call }),
  z.strictObject({
    kind: z.literal("Eip1559"),
    ...call,
    maxFeePerGas: integer.optional(),
    maxPriorityFeePerGas: integer.optional(),
  }),
  z.strictObject({ kind: z.literal("EvmLegacy"), ...call, gasPrice: integer.optional() }),
] as const;
export type EvmTemplate = z.infer<(typeof evmTemplateSchemas)[number]>;
