import { type FamilyContent, fail, ok, type Result } from "@conclave/custody";
import type { z } from "zod";

/** A field of a transaction that differs from the authorised content. */
export interface Mismatch {
  readonly field: string;
  readonly is: string;
  readonly authorised: string;
}

/** A field that must equal the authorised value; nothing matches an absent authorised value. */
export const mustEqual = (
  field: string,
  is: bigint | number | string,
  authorised: bigint | number | string | undefined,
): Mismatch | undefined =>
  authorised !== undefined && String(is) === String(authorised)
    ? undefined
    : { field, is: String(is), authorised: String(authorised) };

export const refuseMismatch = (mismatch: Mismatch): Result<never> =>
  fail(
    "TransactionMismatch",
    { ...mismatch },
    `The transaction does not do what was authorised: ${mismatch.field} differs.`,
  );

/**
 * Parses an act strictly: an unknown field could have any meaning (INV-3).
 * @returns TransactionMismatch for anything that the family's own schema refuses
 */
export const parseAuthorised = <Content>(
  schema: z.ZodType<Content>,
  content: FamilyContent,
): Result<Content> => {
  const parsed = schema.safeParse(content);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") || "content";
  return fail(
    "TransactionMismatch",
    { field },
    `What is authorised cannot be read: ${field} ${issue?.message}.`,
  );
};
