import { z } from "zod";

/** Numbers of 32 bits are JSON numbers. */
export const uint32Field: z.ZodNumber = z.int().min(0).max(0xffff_ffff);

/** Drops are a string of digits. */
export const drops = z
  .string()
  .regex(/^[0-9]{1,18}$/)
  .transform(BigInt);

/** The epoch of ledger times, 2000-01-01, in Unix seconds. */
const RIPPLE_EPOCH_S = 946_684_800n;
/** A ledger time, converted to Unix seconds; undefined if the node does not give it. */
export const rippleTime = uint32Field
  .optional()
  .transform((seconds) =>
    seconds === undefined || seconds === 0 ? undefined : BigInt(seconds) + RIPPLE_EPOCH_S,
  );

/** 32 bytes, in upper-case hex. */
export const hash256: z.ZodString = z.string().regex(/^[0-9A-F]{64}$/);
