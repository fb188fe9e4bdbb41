import { z } from "zod";

/** Whether PostgreSQL, JSON and UTF-8 all hold the text as it is: no NUL and no half surrogate pairs. */
export const isPlainText = (text: string): boolean => !text.includes("\0") && !/\p{Surrogate}/u.test(text);

/** Text of at most so many characters that PostgreSQL and JSON both hold (INV-9: what is taken here must not end in a 5xx later). */
export const plainText = (most: number) =>
  z.string().max(most).refine(isPlainText, { error: "holds characters that cannot be stored" });

/** The same, and not empty. */
export const shortText = (most: number) =>
  z.string().min(1).max(most).refine(isPlainText, { error: "holds characters that cannot be stored" });
