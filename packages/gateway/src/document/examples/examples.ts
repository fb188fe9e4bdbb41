import type { z } from "zod";

/**
 * Bodies of one schema that can be sent, by what they show. Ids in them are those of `SAMPLE_IDS`, which stand for the
 * caller's own. A body whose name begins with `form:` only shows the form and would be refused: it needs a signature or
 * a sealed share.
 */
export type Examples<Schema extends z.ZodType> = Readonly<Record<string, z.input<Schema>>>;
