const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text from records, files and answers of others: nothing in it may move a terminal's cursor or hide what stands beside it. */
export const printable = (text: string): string => text.replace(CONTROL, "\u{FFFD}");
