import { base58, base64 } from "@scure/base";
import { z } from "zod";

/**
 * The highest possible version of a message: a node refuses to show a transaction, of any author, whose version is
 * higher than the request allows.
 */
export const VERSION_MAX = 127;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const UINT64_MAX = 2n ** 64n - 1n;

/** Upper bound; base58 decoding is quadratic, so longer input is rejected first. */
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

/** lamports, slots, heights and similar numbers: at most 64 bits */
export const uint64Field = z
  .union([z.int().nonnegative(), z.string().regex(/^[0-9]{1,20}$/)])
  .transform(BigInt)
  .pipe(z.bigint().max(UINT64_MAX));
/** Unix seconds, from the votes of the block's validators; null if the node does not have the time */
export const blockTimeField = z.int().transform(BigInt).nullish();
/**
 * Text in the place of an address. Most of a block's thousands are only compared, and decoding each would take longer
 * than everything else.
 */
export const keyText = z.string().max(64);
/** Text in the place of a transaction's id. */
export const signatureText = z.string().max(BASE58_MAX);
/** 32 bytes in base58: an address, or a block's hash */
export const keyField = keyText.refine(isBase58(KEY_BYTES), "is not 32 bytes in base58");
/** 64 bytes in base58 */
export const signatureField = signatureText.refine(isBase58(SIGNATURE_BYTES), "is not 64 bytes in base58");

/** Base64 data with the name of its encoding. */
export const base64Field = z
  .tuple([z.base64(), z.literal("base64")])
  .transform(([text]) => base64.decode(text));

/** An answer with the slot for which it is true. */
export const asOf = <T>(value: z.ZodType<T>) => z.object({ context: z.object({ slot: uint64Field }), value });
