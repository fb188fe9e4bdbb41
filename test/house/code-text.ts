/** A comment including its delimiters, and the offset of its first character in the file. */
export interface Comment {
  readonly at: number;
  readonly text: string;
}

/**
 * Source text with the contents of comments, strings and regular expressions blanked; all other characters keep their offsets.
 * Quotes, line breaks and the code inside a template's `${…}` stay, so line numbers stay the same.
 */
export const codeOf = (text: string): string => scan(text).code;

/** The comments of a source text, in their order. */
export const commentsOf = (text: string): readonly Comment[] => scan(text).comments;

const scan = (text: string): { readonly code: string; readonly comments: readonly Comment[] } => {
  const out: string[] = [];
  const comments: Comment[] = [];
  /** For each open template: the number of open braces in the code of its `${…}`. */
  const templates: number[] = [];
  let at = 0;
  const keep = (length = 1): void => {
    out.push(text.slice(at, at + length));
    at += length;
  };
  const blank = (end: number): void => {
    out.push(text.slice(at, end).replace(/[^\n]/g, " "));
    at = end;
  };
  const comment = (end: number): void => {
    comments.push({ at, text: text.slice(at, end) });
    blank(end);
  };
  /** Reads from inside a template to its end, or to its next `${`. */
  const template = (): void => {
    const end = endOfPart(text, at);
    blank(end);
    if (text.startsWith("${", at)) {
      keep(2);
      templates.push(0);
    } else keep();
  };
  while (at < text.length) {
    const [here, open] = [text[at] ?? "", templates.at(-1)];
    if (text.startsWith("//", at)) comment(endOr(text.indexOf("\n", at), text));
    else if (text.startsWith("/*", at)) comment(endOr(text.indexOf("*/", at + 2) + 2, text));
    else if (here === '"' || here === "'") {
      keep();
      blank(endOfText(text, at, here));
      keep();
    } else if (here === "`") {
      keep();
      template();
    } else if (here === "}" && open === 0) {
      templates.pop();
      keep();
      template();
    } else if (here === "/" && beginsExpression(out)) {
      keep();
      blank(endOfRegularExpression(text, at));
      keep();
    } else {
      if (open !== undefined && here === "{") templates[templates.length - 1] = open + 1;
      if (open !== undefined && here === "}") templates[templates.length - 1] = open - 1;
      keep();
    }
  }
  return { code: out.join(""), comments };
};

const endOr = (found: number, text: string): number => (found < 2 ? text.length : found);

/** The end of the string that this quote began: its closing quote, or the end of the line. */
const endOfText = (text: string, from: number, quote: string): number => {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote || text[at] === "\n") return at;
  }
  return text.length;
};

const endOfPart = (text: string, from: number): number => {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "`" || text.startsWith("${", at)) return at;
  }
  return text.length;
};

const endOfRegularExpression = (text: string, from: number): number => {
  let isInClass = false;
  for (let at = from; at < text.length; at += 1) {
    const here = text[at];
    if (here === "\\") at += 1;
    else if (here === "[") isInClass = true;
    else if (here === "]") isInClass = false;
    else if (here === "\n" || (here === "/" && !isInClass)) return at;
  }
  return text.length;
};

const BEFORE_AN_EXPRESSION =
  /(^|[(,=:[!&|?{;+\-*%~^<>]|\b(return|typeof|case|in|of|await|yield|void|else|do))$/;

/** Whether a slash here would begin a regular expression rather than divide. */
const beginsExpression = (out: readonly string[]): boolean => {
  let tail = "";
  for (let at = out.length - 1; at >= 0 && tail.length < 12; at -= 1)
    tail = `${out[at] ?? ""}${tail}`.trimEnd();
  return BEFORE_AN_EXPRESSION.test(tail);
};

const OPENING: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** The offsets of matching brackets, mapped both ways. Unmatched brackets are left out. */
export const bracketsIn = (code: string): ReadonlyMap<number, number> => {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < code.length; at += 1) {
    const here = code[at] ?? "";
    if (here === "(" || here === "[" || here === "{") open.push(at);
    const opening = OPENING[here];
    if (opening === undefined) continue;
    const from = open.pop();
    if (from === undefined || code[from] !== opening) continue;
    pairs.set(from, at);
    pairs.set(at, from);
  }
  return pairs;
};

/** The offset of the next character that is not whitespace. */
export const afterSpace = (code: string, from: number): number => {
  let at = from;
  while (/\s/.test(code[at] ?? "")) at += 1;
  return at;
};

/** The offset after the type arguments that begin here. */
export const afterTypeArguments = (code: string, from: number): number => {
  let depth = 0;
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === "<") depth += 1;
    if (code[at] === ">" && code[at - 1] !== "=") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return code.length;
};
