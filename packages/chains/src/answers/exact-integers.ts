/** Digits of an integer that a JavaScript number may not hold exactly: 17 of them, or 16 that begin with 9. */
const LONG_DIGITS = /(?:9[0-9]|[1-9][0-9]{2})[0-9]{14}/;
/** An integer with fewer digits is exact. */
export const LONG_NUMBER_DIGITS = 16;
const INTEGER = /^-?[0-9]+$/;
const [QUOTE, BACKSLASH, PLUS, MINUS, POINT, ZERO, NINE] = [0x22, 0x5c, 0x2b, 0x2d, 0x2e, 0x30, 0x39];
/** Setting this bit maps "E" to "e". */
const LOWER_CASE = 0x20;
const EXPONENT = 0x65;

const isInNumber = (code: number): boolean =>
  (code >= ZERO && code <= NINE) ||
  code === POINT ||
  code === MINUS ||
  code === PLUS ||
  (code | LOWER_CASE) === EXPONENT;

/** Start and end of each number in a valid JSON text that may be too long to be exact; digits inside strings do not count. */
function* longNumbersIn(json: string): Generator<readonly [from: number, to: number]> {
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      for (at += 1; json.charCodeAt(at) !== QUOTE; at += 1) if (json.charCodeAt(at) === BACKSLASH) at += 1;
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const from = at;
      while (isInNumber(json.charCodeAt(at + 1))) at += 1;
      if (at + 1 - from >= LONG_NUMBER_DIGITS) yield [from, at + 1];
    }
  }
}

const withQuotes = (json: string): string => {
  const parts: string[] = [];
  let end = 0;
  for (const [from, to] of longNumbersIn(json)) {
    const number = json.slice(from, to);
    if (!INTEGER.test(number) || Number.isSafeInteger(Number(number))) continue;
    parts.push(json.slice(end, from), `"${number}"`);
    end = to;
  }
  return end === 0 ? json : parts.join("") + json.slice(end);
};

/**
 * Reads JSON as `JSON.parse` does, in some ten milliseconds per megabyte, but exactly: an integer outside JavaScript's safe
 * range becomes a string of its digits. A parser that reports each number to a callback takes several times as long.
 * @throws SyntaxError for invalid JSON
 */
export const parseExactIntegers = (text: string): unknown => {
  // parse first: the number scan assumes valid JSON, in which every string ends
  const parsed: unknown = JSON.parse(text);
  if (!LONG_DIGITS.test(text)) return parsed;
  const quoted = withQuotes(text);
  return quoted === text ? parsed : JSON.parse(quoted);
};
