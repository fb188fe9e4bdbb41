import { afterSpace, afterTypeArguments, bracketsIn, codeOf } from "./code-text.ts";

const CALL = /(?:^|[^.\w$#])(?:describe|it|test)((?:\.\w+)*)\s*(?=[<(])/g;

/**
 * The titles of all tests and groups of tests in a file. Those of a table are its title, and the rows whose first text goes
 * into the title's first place; a table may stand under a name of its own in the same file.
 */
export const titlesIn = (text: string): readonly string[] => titlesOf(text, true);

/** The same without the rows of tables, which go on in the middle of a title. */
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

/** The text that stands at a place, if one does. */
const literalAt = (text: string, code: string, at: number): readonly string[] => {
  const quote = code[at] ?? "";
  if (!"\"'`".includes(quote) || quote === "") return [];
  const end = code.indexOf(quote, at + 1);
  return end < 0 ? [] : [text.slice(at + 1, end)];
};

/** The first text of each row of a table that stands at a place, or that is named there. */
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

/** After the opening of a row: its first value, and in an object that of its first field. */
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
