import { z } from "zod";

/** The longest name of a kind, in characters. */
const KIND_LENGTH = 64;

/**
 * The content that only one chain family can read: its `kind`, and the fields of that kind. Its consumers parse
 * it with the strict schema of the family first, so that a field which the family does not know is refused there.
 */
export const familyContentSchema = z.looseObject({ kind: z.string().max(KIND_LENGTH) });
export type FamilyContent = z.infer<typeof familyContentSchema>;
