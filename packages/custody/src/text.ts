import { z } from "zod";
import { isPlainText } from "./plain-text.ts";

/**
 * Text that people write, of 1 to `most` characters: what PostgreSQL and JSON both hold (INV-9: nothing that is taken here may
 * end in a 5xx later).
 */
export const shortText = (most: number) =>
  z.string().min(1).max(most).refine(isPlainText, { error: "holds characters that cannot be stored" });
