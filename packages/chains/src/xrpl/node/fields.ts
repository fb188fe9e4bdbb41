import { z } from "zod";

/** Numbers of 32 bits are numbers of JSON. */
export const uint32Field: z.ZodNumber = z.int().min(0).max(0xffff_ffff);

/** Drops are digits in a string. */
export const drops = z
  .string()
  .regex(/^[0-9]{1,18}$/)
  .transform(BigInt);

/** Its epoch is 2000-01-01, in Unix seconds. */
const RIPPLE_EPOCH_S = 946_684_800n;
/** A moment of the ledger, read as Unix seconds; absent where the node does not tell it. */
export const rippleTime = uint32Field
  .optional()
  .transform((seconds) =>
    seconds === undefined || seconds === 0 ? undefined : BigInt(seconds) + RIPPLE_EPOCH_S,
  );

/** 32 bytes, in upper-case hex. */
export const hash256: z.ZodString = z.string().regex(/^[0-9A-F]{64}$/);
