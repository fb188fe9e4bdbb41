import { z } from "zod";

/** Numbers of 32 bits are numbers of JSON. */
export const uint32Field: z.ZodNumber = z.int().min(0).max(0xffff_ffff);

/** Drops are digits in a string. */
export const drops = z
  .string()
  .regex(/^[0-9]{1,18}$/)
  .transform(BigInt);

/** 32 bytes, in upper-case hex. */
export const hash256: z.ZodString = z.string().regex(/^[0-9A-F]{64}$/);
