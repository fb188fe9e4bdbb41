import { z } from "zod";

/** The longest name of a kind, in characters. */
const KIND_LENGTH = 64;

/**
 * Content that only one chain family can read: its `kind`, and the fields of that kind. Consumers first parse
 * it with the family's strict schema, which refuses unknown fields.
 */
export const familyContentSchema = z.looseObject({ kind: z.string().max(KIND_LENGTH) });
export type FamilyContent = z.infer<typeof familyContentSchema>;
