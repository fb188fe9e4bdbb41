import { fail, ok, type Result } from "@conclave/custody";
import { z } from "zod";

/** The longest text of a memo, in bytes (Stellar documentation, "Memos"). */
const TEXT_BYTES_MAX = 28;
const ID_MAX = 2n ** 64n - 1n;
const HASH = /^[0-9a-fA-F]{64}$/;

const isId = (text: string): boolean => /^(0|[1-9][0-9]{0,19})$/.test(text) && BigInt(text) <= ID_MAX;

/** The memo of a transfer: letters and digits, as in the API (wire interface, section F.4). */
export const stellarMemoSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("text"),
    text: z.string().regex(new RegExp(`^[a-zA-Z0-9]{1,${TEXT_BYTES_MAX}}$`)),
  }),
  z.strictObject({ kind: z.literal("id"), id: z.string().refine(isId, "is not a number of 64 bits") }),
  /** lower-case hex of 32 bytes */
  z.strictObject({ kind: z.literal("hash"), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
]);
export type StellarTransferMemo = z.infer<typeof stellarMemoSchema>;

const DIGITS = /^[0-9]+$/;

/**
 * Reads the memo of a request. The API has one field for all kinds of memo, so the text's form decides: digits are an id; 64
 * hexadecimal digits are a hash; up to 28 other letters and digits are a text. Digits with a leading zero or of more than 64
 * bits are refused: "007" could mean the id 7 or a text, and a receiver that expects one would not find the other.
 * @param text letters and digits; "" is no memo
 * @returns undefined when there is none; MemoInvalid
 */
export const parseStellarMemo = (text: string | undefined): Result<StellarTransferMemo | undefined> => {
  if (text === undefined || text === "") return ok(undefined);
  if (isId(text)) return ok({ kind: "id", id: text });
  if (HASH.test(text)) return ok({ kind: "hash", hash: text.toLowerCase() });
  if (DIGITS.test(text)) {
    return fail(
      "MemoInvalid",
      { field: "memo", largest: ID_MAX.toString() },
      `A memo of digits is an id on Stellar: a number up to ${ID_MAX}, without leading zeros. To send these digits as a text, make the transaction yourself and send it by POST /wallets/{walletId}/transactions.`,
    );
  }
  const memo = stellarMemoSchema.safeParse({ kind: "text", text });
  return memo.success
    ? ok(memo.data)
    : fail(
        "MemoInvalid",
        { field: "memo" },
        `A memo on Stellar is a number of 64 bits, a hash of 64 hexadecimal digits, or a text of at most ${TEXT_BYTES_MAX} characters.`,
      );
};
