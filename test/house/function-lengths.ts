import { afterSpace, afterTypeArguments, bracketsIn, codeOf } from "./code-text.ts";
import type { SourceFile } from "./source-files.ts";

/** A function with a body in braces. */
export interface MeasuredFunction {
  /** "it" and the like for the callback of a test, "=>" for an arrow function, otherwise the name before the parameters */
  readonly name: string;
  /** the line of the opening brace of its body, counted from 1 */
  readonly line: number;
  /** the number of lines from that brace to the closing one, without those of tests inside */
  readonly lines: number;
}

interface Body {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Keywords that a bracket and a block follow without making a function. */
const STATEMENTS = new Set([
  "if",
  "for",
  "while",
  "switch",
  "catch",
  "with",
  "await",
  "return",
  "else",
  "do",
]);
const TESTS = /(?:^|[^.\w$#])(describe|it|test)(?:\.\w+)*$/;

/**
 * Every function with a body in braces: arrow functions, functions, methods. Callbacks of describe, it and test are left out.
 * Their lines do not count for the function around them, which only groups tests.
 */
export const functionsIn = (text: string): readonly MeasuredFunction[] => {
  const code = codeOf(text);
  const pairs = bracketsIn(code);
  const bodies = [...arrowBodies(code, pairs), ...namedBodies(code, pairs)];
  const tests = bodies.filter(({ name }) => name !== "=>" && TESTS.test(name));
  const lineOf = lineCounter(code);
  return bodies
    .filter((body) => !tests.includes(body))
    .map(({ name, from, to }) => {
      const held = tests.filter((test) => test.from > from && test.to < to);
      const outermost = held.filter((each) => !held.some(({ from, to }) => from < each.from && each.to < to));
      const ofTests = outermost.reduce((sum, test) => sum + lineOf(test.to) - lineOf(test.from) + 1, 0);
      return { name, line: lineOf(from), lines: lineOf(to) - lineOf(from) + 1 - ofTests };
    })
    .sort((a, b) => a.line - b.line);
};

/** A sentence for each function that is too long. */
export const longFunctions = (files: readonly SourceFile[], mostLines: number): readonly string[] =>
  files.flatMap(({ path, text }) =>
    functionsIn(text)
      .filter(({ lines }) => lines > mostLines)
      .map(
        ({ name, line, lines }) =>
          `${path}:${line} has a function (${name}) of ${lines} lines; at most ${mostLines} are read at one go`,
      ),
  );

const arrowBodies = (code: string, pairs: ReadonlyMap<number, number>): readonly Body[] =>
  [...code.matchAll(/=>\s*\{/g)].flatMap((match) => {
    const from = match.index + match[0].length - 1;
    const to = pairs.get(from);
    if (to === undefined) return [];
    const callee = calleeAround(code, pairs, match.index);
    return [{ name: TESTS.test(callee) ? callee : "=>", from, to }];
  });

/** The callee whose arguments enclose an offset: "it.each" in `it.each(rows)("…", () => {`. */
const calleeAround = (code: string, pairs: ReadonlyMap<number, number>, place: number): string => {
  let at = place - 1;
  for (; at >= 0; at -= 1) {
    const here = code[at] ?? "";
    if (")]}".includes(here)) at = pairs.get(at) ?? -1;
    else if ("([{".includes(here)) break;
  }
  return code[at] === "(" ? calleeBefore(code, pairs, at) : "";
};

const calleeBefore = (code: string, pairs: ReadonlyMap<number, number>, bracket: number): string => {
  const before = withoutTypeArguments(code.slice(0, bracket).trimEnd());
  if (before.endsWith(")")) {
    const opening = pairs.get(before.length - 1);
    return opening === undefined ? "" : calleeBefore(code, pairs, opening);
  }
  return /(?:^|[^.\w$#])((?:[\w$#]+\.)*[\w$#]+)$/.exec(before)?.[1] ?? "";
};

const withoutTypeArguments = (before: string): string => {
  if (!before.endsWith(">") || before.endsWith("=>")) return before;
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    if (before[at] === ">" && before[at - 1] !== "=") depth += 1;
    if (before[at] === "<") depth -= 1;
    if (depth === 0) return before.slice(0, at).trimEnd();
  }
  return before;
};

/** Functions and methods: parameters in brackets, an optional return type, then the body. */
const namedBodies = (code: string, pairs: ReadonlyMap<number, number>): readonly Body[] =>
  [...code.matchAll(/\)/g)].flatMap(({ index: closing }) => {
    const opening = pairs.get(closing);
    const from = opening === undefined ? undefined : bodyAfter(code, pairs, closing + 1);
    if (opening === undefined || from === undefined) return [];
    const name = nameBefore(code.slice(0, opening).trimEnd());
    const to = pairs.get(from);
    return name === undefined || STATEMENTS.has(name) || to === undefined ? [] : [{ name, from, to }];
  });

const nameBefore = (before: string): string | undefined => {
  const bare = withoutTypeArguments(before);
  return bare.endsWith("]") ? "[…]" : /[\w$#]+$/.exec(bare)?.[0];
};

/** The offset of the body's brace, if the parameters that end here belong to a function. */
const bodyAfter = (code: string, pairs: ReadonlyMap<number, number>, after: number): number | undefined => {
  let at = afterSpace(code, after);
  if (code[at] === "{") return at;
  if (code[at] !== ":") return undefined;
  let isTypeDue = true;
  for (at = afterSpace(code, at + 1); at < code.length; at = afterSpace(code, at)) {
    const here = code[at] ?? "";
    if (here === "{" && !isTypeDue) return at;
    if ("{([".includes(here)) {
      at = (pairs.get(at) ?? code.length) + 1;
      isTypeDue = false;
    } else if (code.startsWith("=>", at)) return undefined;
    else if (/[;,)\]}=?"'`]/.test(here)) return undefined;
    else if ("|&<".includes(here)) {
      at = here === "<" ? afterTypeArguments(code, at) : at + 1;
      isTypeDue = here !== "<";
    } else if (/[\w$.]/.test(here)) {
      const word = /^[\w$.]+/.exec(code.slice(at))?.[0] ?? here;
      isTypeDue = /^(is|keyof|readonly|typeof|asserts|extends|infer)$/.test(word);
      at += word.length;
    } else return undefined;
  }
  return undefined;
};

const lineCounter = (code: string): ((place: number) => number) => {
  const breaks = [...code.matchAll(/\n/g)].map(({ index }) => index);
  return (place) => {
    let [low, high] = [0, breaks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((breaks[middle] ?? place) < place) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
};
