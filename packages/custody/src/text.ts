import { z } from "zod";

/** Whether PostgreSQL, JSON and UTF-8 all hold the text as it is: no NUL and no half surrogate pairs. */
export const isPlainText = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** Text of at most so many characters that PostgreSQL and JSON both hold: nothing taken here ends in a 5xx later (INV-9). */
export const plainText = (most: number) =>
  z.string().max(most).refine(isPlainText, { error: "holds characters that cannot be stored" });

/** The same, and not empty. */
export const shortText = (most: number) =>
  z.string().min(1).max(most).refine(isPlainText, { error: "holds characters that cannot be stored" });

/** Such texts, many of them: judged in one check, since a check of each takes ten times as long. */
export const shortTexts = (most: number, mostTexts: number) =>
  z
    .array(z.string().meta({ minLength: 1, maxLength: most }))
    .max(mostTexts)
    .superRefine((texts, context) => {
      const at = texts.findIndex((text) => text.length < 1 || text.length > most || !isPlainText(text));
      if (at === -1) return;
      const message = `is not a text of 1 to ${most} characters that can be stored`;
      context.addIssue({ code: "custom", path: [at], message });
    });

/**
 * Characters that have no place in a name: controls, and those that turn around what follows them or break the
 * line. A person who reads a name in a list, a log or a terminal, and approves by it, sees the stored characters.
 */
const UNREADABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

export const isReadable = (text: string): boolean => !UNREADABLE.test(text);

/** The name of something, as people give it. */
export const nameText = (most: number) =>
  shortText(most).refine(isReadable, { error: "holds control characters" });

/** Longest reason that a request shows, in characters. */
const REASON_LENGTH = 1_000;

/**
 * Words of somebody else, such as a chain's node or a contract on it, as they are stored and shown as a reason: of a bounded length,
 * in one line, and with nothing that PostgreSQL or JSON does not hold. A text that is cut may end within a character.
 */
export const reasonWords = (words: string): string =>
  words
    .slice(0, REASON_LENGTH)
    .replaceAll(/[\p{Cc}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .trim();
