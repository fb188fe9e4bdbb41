import type { SignedAuthorisation } from "@conclave/custody";
import { z } from "zod";

/** Schemas that convert PostgreSQL's column types to the domain's: null becomes absent, a date becomes ISO 8601 text. */

export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullable().transform((value): z.output<Schema> | undefined => value ?? undefined);

export const date = z.date().transform((value) => value.toISOString());

export const bytes: z.ZodType<Uint8Array> = z.instanceof(Uint8Array);

/** of bytea[] */
export const bytesList = z.array(bytes);

/** int8 arrives as text, because not every int8 is a safe JavaScript number. */
export const bigNumber = z.string().transform((text) => BigInt(text));

export const safeNumber = z
  .string()
  .transform(Number)
  .refine((value) => Number.isSafeInteger(value));

/** Combines the columns of the authority's payload and signature; undefined if either is undefined. */
export const authorisationOf = (
  payload: Uint8Array | undefined,
  signature: Uint8Array | undefined,
): SignedAuthorisation | undefined =>
  payload === undefined || signature === undefined ? undefined : { payload, signature };
