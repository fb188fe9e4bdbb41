import { codeOf, commentsOf } from "./code-text.ts";
import { declaredEvents } from "./log-lines.ts";
import type { SourceFile } from "./source-files.ts";
import { ownTitlesIn, titlesIn } from "./titles.ts";

/** A word or a sentence opening that prose of this repository does not use, and its replacement. */
export interface PlainRule {
  readonly name: string;
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Words of a private language, refused in all prose: comments, documents, test titles and log lines. */
const WORDS: readonly PlainRule[] = [
  { name: "brain", pattern: /\bbrains?\b/i, instead: "say state machine" },
  {
    name: "hands",
    pattern: /\b(?:the|its|their|our|other|own|in|of|no|all|both|two|these|those|same|real|good) hands\b/i,
    instead: "name the adapter, the port or the interpreter",
  },
  { name: "seat", pattern: /\bseat(?:s|ed)?\b/i, instead: "say place, slot or connection" },
  { name: "lodger", pattern: /\blodg(?:er|ers|e|es|ing)\b/i, instead: "name the process or the record" },
  { name: "whoever", pattern: /\bwhoever\b/i, instead: "name the actor" },
  // "told apart" is a usual term for distinguished
  { name: "told", pattern: /\btold\b(?! apart)/i, instead: "say who sends, answers, reports or receives" },
];

/** Sentence openings that name no actor and no thing. A question may begin so. */
const OPENINGS: readonly PlainRule[] = [
  { name: "What …", pattern: /^what(?:ever)? [^?]+$/i, instead: "begin with the thing" },
  { name: "Who …", pattern: /^who(?:ever|se)? [^?]+$/i, instead: "begin with the actor" },
];

export const PLAIN_RULES: readonly PlainRule[] = [...WORDS, ...OPENINGS];

/** The same openings in a title, after its invariants and pitfalls. A title may begin with "whose". */
const OPENINGS_OF_TITLES: readonly PlainRule[] = [
  { name: "what …", pattern: /^(?:[A-Z]+-?\d+ )*what(?:ever)? /i, instead: "begin with the thing" },
  { name: "who …", pattern: /^(?:[A-Z]+-?\d+ )*who(?:ever)? /i, instead: "begin with the actor" },
];

export interface PlainFinding {
  readonly path: string;
  readonly rule: string;
  readonly sentence: string;
  readonly instead: string;
}

/** Quotations: code, and words of others. */
const quoted = /`[^`]*`|“[^”]*”|"[^"]*"/g;

/** The sentences of a paragraph, with quotations removed. A colon ends a sentence too. */
const sentencesIn = (paragraph: string): readonly string[] =>
  paragraph
    .replace(/\s+/g, " ")
    .replace(quoted, '""')
    .split(/(?<=[.!?:])["”)*]* (?=[\p{Lu}`*(“"])/u)
    .map((sentence) => sentence.replace(/^[\s*_("“>-]+/, "").trim())
    .filter((sentence) => sentence !== "");

/** The paragraphs of a file's comments; adjacent line comments form one. */
const paragraphsInCode = (text: string): readonly string[] => {
  const blocks: string[] = [];
  let end = -1;
  for (const { at, text: comment } of commentsOf(text)) {
    const isLine = comment.startsWith("//");
    const goesOn = isLine && end >= 0 && /^\r?\n[ \t]*$/.test(text.slice(end, at));
    if (goesOn) blocks[blocks.length - 1] += `\n${comment}`;
    else blocks.push(comment);
    end = isLine ? at + comment.length : -1;
  }
  return blocks.flatMap((block) =>
    block
      .replace(/^\s*(?:\/\*\*?|\*\/|\/\/+|\*(?!\/))/gm, "")
      .replace(/\*\/\s*$/, "")
      .replace(/^\s*@(?:returns|param \w+|throws)\s+/gm, "\n\n")
      .split(/\n\s*\n|\n\s*- /),
  );
};

/** The paragraphs of a document, without code and headings; each table cell is one. */
const paragraphsInDocument = (text: string): readonly string[] =>
  text
    .replace(/^```[\s\S]*?^```/gm, "")
    .replace(/^#.*$/gm, "\n")
    .replace(/^\|.*$/gm, (row) => `\n${row.split("|").join("\n\n")}\n`)
    .split(/\n\s*\n|\n\s*(?:[-*]|\d+\.) /)
    .map((paragraph) => paragraph.replace(/^\s*(?:[-*]|\d+\.) /, "").replace(/\]\([^)]*\)/g, "]"));

const findingsOf = (
  path: string,
  paragraphs: readonly string[],
  rules: readonly PlainRule[],
): readonly PlainFinding[] =>
  paragraphs
    .flatMap(sentencesIn)
    .flatMap((sentence) =>
      rules
        .filter(({ pattern }) => pattern.test(sentence))
        .map(({ name, instead }) => ({ path, rule: name, sentence, instead })),
    );

/** Findings in the comments, titles and log lines of a source file, or in the prose of a document. */
export const plainFindings = ({ path, text }: SourceFile): readonly PlainFinding[] => {
  if (path.endsWith(".md")) return findingsOf(path, paragraphsInDocument(text), PLAIN_RULES);
  const hasTests = /\b(?:describe|it|test)\b/.test(text);
  const titles = hasTests ? titlesIn(text) : [];
  const ownTitles = hasTests ? ownTitlesIn(text) : [];
  const logLines = declaredEvents([{ path, text }]).flatMap(({ sentence }) => sentence ?? []);
  return [
    ...findingsOf(path, paragraphsInCode(text), PLAIN_RULES),
    ...findingsOf(path, [...titles, ...logLines], WORDS),
    ...findingsOf(path, ownTitles, OPENINGS_OF_TITLES),
  ];
};

/** Private words that identifiers may not have: `told`, for example, says neither who reports nor to whom. */
const IN_NAMES = /^(?:(?:un|fore)?told|brains?|lodgers?|seats?)$/i;

/** The identifiers of a source file that contain a private word, each once. */
export const privateNamesIn = (text: string): readonly string[] => {
  const names = new Set([...codeOf(text).matchAll(/[A-Za-z_$][\w$]*/g)].map(([name]) => name));
  return [...names].filter((name) => wordsOf(name).some((word) => IN_NAMES.test(word)));
};

/** The words of `aName`, `AName` and `A_NAME`. */
const wordsOf = (name: string): readonly string[] =>
  name.split(/[_$\d]+|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
