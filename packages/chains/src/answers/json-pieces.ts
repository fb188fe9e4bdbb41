import { LONG_NUMBER_DIGITS } from "./exact-integers.ts";

/** Minimum size of each piece but the last of its list: parsing one takes about a millisecond. */
const PIECE_BYTES = 64 * 1024;
const [QUOTE, BACKSLASH, COMMA, ZERO, NINE, OPENS_LIST] = [0x22, 0x5c, 0x2c, 0x30, 0x39, 0x5b];
/** Opening and closing brackets; the mask clears the one bit in which "[" and "{" (or "]" and "}") differ. */
const [OPENS, CLOSES, EITHER_KIND] = [0x5b, 0x5d, 0xdf];
const SPACES: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Consecutive elements of a list in a JSON text, with the commas between them, as byte offsets. */
export interface JsonPiece {
  readonly from: number;
  readonly to: number;
  /** whether a number in it has so many digits that it may not be exact */
  readonly hasLongNumber: boolean;
}

const isBlank = (bytes: Uint8Array, from: number, to: number): boolean => {
  let at = from;
  while (at < to && SPACES.has(bytes[at])) at += 1;
  return at === to;
};

/**
 * Cuts each list at one depth of a UTF-8 JSON text into pieces of one or more elements. Empty lists yield no piece; a trailing
 * comma yields an empty one. It does not validate the JSON: the caller's parsing of the pieces, and of the text around them,
 * does.
 * @param depth of the lists: 1 is the outermost one
 */
export function* jsonPieces(
  bytes: Uint8Array,
  depth: number,
  pieceBytes: number = PIECE_BYTES,
): Generator<JsonPiece> {
  let level = 0;
  /** start of the current piece; undefined outside of lists at that depth */
  let from: number | undefined;
  let [isFirst, hasLongNumber] = [true, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at] ?? 0;
    if (code === QUOTE) {
      for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) if (bytes[at] === BACKSLASH) at += 1;
    } else if (code >= ZERO && code <= NINE) {
      const first = at;
      while ((bytes[at + 1] ?? 0) >= ZERO && (bytes[at + 1] ?? 0) <= NINE) at += 1;
      hasLongNumber ||= at + 1 - first >= LONG_NUMBER_DIGITS;
    } else if (code === COMMA) {
      if (level !== depth || from === undefined || at - from < pieceBytes) continue;
      yield { from, to: at, hasLongNumber };
      [from, isFirst, hasLongNumber] = [at + 1, false, false];
    } else if ((code & EITHER_KIND) === OPENS) {
      level += 1;
      if (level === depth && code === OPENS_LIST) [from, isFirst, hasLongNumber] = [at + 1, true, false];
    } else if ((code & EITHER_KIND) === CLOSES) {
      if (level === depth && from !== undefined) {
        if (!isFirst || !isBlank(bytes, from, at)) yield { from, to: at, hasLongNumber };
        from = undefined;
      }
      level -= 1;
    }
  }
}
