import { base58, base64 } from "@scure/base";
import { z } from "zod";

/**
 * The highest version that a message can be of: a node refuses a message of a higher one than it is asked
 * for, from any author.
 */
export const VERSION_MAX = 127;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const UINT64_MAX = 2n ** 64n - 1n;

/** Longer than any of them: base58 takes the square of its length, and this is asked of what is too long as well. */
const BASE58_MAX = 96;

const isBase58 =
  (bytes: number) =>
  (text: string): boolean => {
    if (text.length > BASE58_MAX) return false;
    try {
      return base58.decode(text).length === bytes;
    } catch {
      return false;
    }
  };

/** lamports, slots, heights and the like: at most 64 bits */
export const uint64Field = z
  .union([z.int().nonnegative(), z.string().regex(/^[0-9]{1,20}$/)])
  .transform(BigInt)
  .pipe(z.bigint().max(UINT64_MAX));
/** Unix seconds, by the votes of the block's validators; null where the node has none, as of a block that it has lost the time of */
export const blockTimeField = z.int().transform(BigInt).nullish();
/**
 * The value in the place of an address. Of a block's thousands most are only compared: decoding each takes
 * longer than all else.
 */
export const keyText = z.string().max(64);
/** The same where a transaction's id belongs. */
export const signatureText = z.string().max(BASE58_MAX);
/** 32 bytes in base58: an address, or a block's hash */
export const keyField = keyText.refine(isBase58(KEY_BYTES), "is not 32 bytes in base58");
/** 64 bytes in base58 */
export const signatureField = signatureText.refine(isBase58(SIGNATURE_BYTES), "is not 64 bytes in base58");

/** Data with the name of its encoding. */
export const base64Field = z
  .tuple([z.base64(), z.literal("base64")])
  .transform(([text]) => base64.decode(text));

/** An answer as of a slot. */
export const asOf = <T>(value: z.ZodType<T>) => z.object({ context: z.object({ slot: uint64Field }), value });
