import type { z } from "zod";

/**
 * Bodies of one schema that may be sent, by what they show. Ids in them are those of `SAMPLE_IDS`, which stand for the caller's own. A
 * name that begins with `form:` is of a body that shows its form alone and is refused as it is: somebody has to sign or seal.
 */
export type Examples<Schema extends z.ZodType> = Readonly<Record<string, z.input<Schema>>>;
