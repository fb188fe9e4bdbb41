import { z } from "zod";

/** Whether PostgreSQL, JSON and UTF-8 can all store the text unchanged: no NUL and no lone surrogates. */
export const isPlainText = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/**
 * Text of at most `most` characters that PostgreSQL and JSON can store: accepted text never causes a 5xx
 * later (INV-9).
 */
export const plainText = (most: number) =>
  z.string().max(most).refine(isPlainText, { error: "holds characters that cannot be stored" });

/** Like `plainText`, and not empty. */
export const shortText = (most: number) =>
  z.string().min(1).max(most).refine(isPlainText, { error: "holds characters that cannot be stored" });

/** A list of such texts, checked together, since a check for each takes ten times as long. */
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
 * Characters that names must not have: controls, and those that reverse the direction of text or break the
 * line. They could make a name look different to a person who reads and approves it in a list, a log or a
 * terminal.
 */
const UNREADABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

export const isReadable = (text: string): boolean => !UNREADABLE.test(text);

/** The name of a resource, as people choose it. */
export const nameText = (most: number) =>
  shortText(most).refine(isReadable, { error: "holds control characters" });

/** The longest reason that a request shows, in characters. */
const REASON_LENGTH = 1_000;

/**
 * Words from outside, such as from a chain's node or a contract, cleaned to be stored and shown as a reason:
 * bounded in length, on one line, and storable in PostgreSQL and JSON. The cut may fall within a character.
 */
export const reasonWords = (words: string): string =>
  words
    .slice(0, REASON_LENGTH)
    .replaceAll(/[\p{Cc}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .trim();
