import { fail, networkSchema, ok, type Result } from "@conclave/custody";
import { bytesToHex, sha256, stringToBytes } from "viem/utils";
import { z } from "zod";

/** A toy address: "toy1" and the hash of the wallet's key. */
export const TOY_ADDRESS = /^toy1[0-9a-f]{40}$/;

/** A transaction of the toy chain: a payment that lands before its deadline, or never. */
export const toyTransactionSchema = z.strictObject({
  network: networkSchema,
  from: z.string().regex(TOY_ADDRESS),
  to: z.string().regex(TOY_ADDRESS),
  /** in the smallest unit, as digits */
  amount: z.string().regex(/^[1-9][0-9]{0,77}$/),
  fee: z.string().regex(/^[1-9][0-9]{0,77}$/),
  /** the time from which it cannot land, Unix milliseconds */
  deadlineMs: z.int().min(1),
  /** the public keys that sign, lower-case hex: ECDSA, then Ed25519 */
  keys: z.tuple([z.string().regex(/^[0-9a-f]{66}$/), z.string().regex(/^[0-9a-f]{64}$/)]),
});
export type ToyTransaction = z.infer<typeof toyTransactionSchema>;

const DOMAIN = "toy transaction";

/** The canonical encoding of a transaction: JSON text with fields in the order of the schema. */
export const encodeToy = (transaction: ToyTransaction): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(toyTransactionSchema.parse(transaction)));

const unreadable = (): Result<never> =>
  fail("TransactionUnreadable", {}, "The transaction is not the one encoding of a toy transaction.");

/** @returns TransactionUnreadable for anything but the canonical encoding of a transaction */
export const decodeToy = (unsigned: Uint8Array): Result<ToyTransaction> => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(unsigned);
    const parsed = toyTransactionSchema.safeParse(JSON.parse(text));
    return parsed.success && JSON.stringify(parsed.data) === text ? ok(parsed.data) : unreadable();
  } catch {
    return unreadable();
  }
};

/** The id of a transaction on the chain; it does not depend on signatures. */
export const idOf = (unsigned: Uint8Array): string =>
  sha256(`${bytesToHex(stringToBytes(DOMAIN))}${bytesToHex(unsigned).slice(2)}`, "hex").slice(2);

/** The 32 bytes that the wallet's key signs. */
export const digestOf = (unsigned: Uint8Array): Uint8Array => sha256(unsigned, "bytes");
