const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Makes untrusted text safe to print: control characters, which move a terminal's cursor or hide other text, are
 * replaced.
 */
export const printable = (text: string): string => text.replace(CONTROL, "\u{FFFD}");
