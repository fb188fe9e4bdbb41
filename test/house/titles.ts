import { afterSpace, afterTypeArguments, bracketsIn, codeOf } from "./code-text.ts";

const CALL = /(?:^|[^.\w$#])(?:describe|it|test)((?:\.\w+)*)\s*(?=[<(])/g;

/**
 * The titles of all tests and groups in a file. A parametrised test contributes its title, and the first string of each row if
 * the title has a placeholder; the rows may be a named constant of the same file.
 */
export const titlesIn = (text: string): readonly string[] => titlesOf(text, true);

/** The same titles without the rows, which appear in the middle of a title. */
export const ownTitlesIn = (text: string): readonly string[] => titlesOf(text, false);

const titlesOf = (text: string, hasRows: boolean): readonly string[] => {
  const code = codeOf(text);
  const pairs = bracketsIn(code);
  return [...code.matchAll(CALL)].flatMap((match) => {
    const open = openingFrom(code, match.index + match[0].length);
    if (open === undefined) return [];
    if (!/\.(each|for)$/.test(match[1] ?? "")) return literalAt(text, code, afterSpace(code, open + 1));
    const close = pairs.get(open);
    const titled = close === undefined ? undefined : openingFrom(code, close + 1);
    if (titled === undefined) return [];
    const title = literalAt(text, code, afterSpace(code, titled + 1));
    const isOfRows = hasRows && title.some((each) => /%s|\$/.test(each));
    return isOfRows ? [...title, ...rowsAt(text, code, pairs, afterSpace(code, open + 1))] : title;
  });
};

const openingFrom = (code: string, from: number): number | undefined => {
  let at = afterSpace(code, from);
  if (code[at] === "<") at = afterSpace(code, afterTypeArguments(code, at));
  return code[at] === "(" ? at : undefined;
};

/** The contents of the string literal at an offset, if there is one. */
const literalAt = (text: string, code: string, at: number): readonly string[] => {
  const quote = code[at] ?? "";
  if (!"\"'`".includes(quote) || quote === "") return [];
  const end = code.indexOf(quote, at + 1);
  return end < 0 ? [] : [text.slice(at + 1, end)];
};

/** The first string of each row of the table at an offset, or of the constant named there. */
const rowsAt = (
  text: string,
  code: string,
  pairs: ReadonlyMap<number, number>,
  at: number,
): readonly string[] => {
  if (code[at] !== "[") {
    const name = /^[\w$]+/.exec(code.slice(at))?.[0];
    const found = name === undefined ? null : new RegExp(`\\bconst ${name}\\b[^=]*=\\s*(?=\\[)`).exec(code);
    return found === null ? [] : rowsAt(text, code, pairs, found.index + found[0].length);
  }
  const end = pairs.get(at) ?? at;
  const rows: string[] = [];
  let row = afterSpace(code, at + 1);
  while (row < end) {
    const first = code[row] === "[" || code[row] === "{" ? afterName(code, row + 1) : row;
    rows.push(...literalAt(text, code, first));
    row = afterSpace(code, nextElement(code, pairs, row, end));
  }
  return rows;
};

/** The offset of the first value in a row: in an array its first element, in an object its first field's value. */
const afterName = (code: string, from: number): number => {
  const at = afterSpace(code, from);
  const field = /^[\w$]+\s*:\s*/.exec(code.slice(at))?.[0] ?? "";
  return at + field.length;
};

const nextElement = (code: string, pairs: ReadonlyMap<number, number>, from: number, end: number): number => {
  for (let at = from; at < end; at += 1) {
    if (code[at] === ",") return at + 1;
    if ("([{".includes(code[at] ?? "")) at = pairs.get(at) ?? end;
  }
  return end;
};
