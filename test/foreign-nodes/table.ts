/** The trials of each node, in the order of the table's columns. */
export const COLUMNS = [
  "conformance",
  "transfers",
  "reorganisation",
  "swallowed",
  "past its deadline",
  "refused",
  "its own words",
] as const;
export type Column = (typeof COLUMNS)[number];

/** One trial of a node, and its outcome. */
export interface Trial {
  readonly node: string;
  readonly column: Column;
  readonly isGood: boolean;
  /** a figure, or a description of the fault */
  readonly found: string;
}

/** The verdict of another language's library on bytes signed by this repository's code. */
export interface Reading {
  readonly library: string;
  readonly version: string;
  readonly isGood: boolean;
  readonly found: string;
}

/** All results of a run. */
export interface Findings {
  /** name and version of each node that was found */
  readonly nodes: readonly (readonly [string, string])[];
  readonly trials: readonly Trial[];
  readonly readings: readonly Reading[];
  /** one sentence for each node that was not found */
  readonly absent: readonly string[];
}

const WORDS_MAX = 400;
const LINE_BREAKS = /\s*[\r\n]+\s*/g;
const plain = (words: string): string =>
  words.replace(LINE_BREAKS, " ").replaceAll("|", "/").replaceAll("`", "'").slice(0, WORDS_MAX);

const cell = (trials: readonly Trial[], node: string, column: Column): string => {
  const trial = trials.find((one) => one.node === node && one.column === column);
  if (trial === undefined) return "";
  return trial.isGood ? plain(trial.found) : "**no**";
};

const rowOf = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** The findings in Markdown, as docs/chains.md shows them. */
export const findingsText = ({ nodes, trials, readings, absent }: Findings): string => {
  const table = [
    rowOf(["node", "version", ...COLUMNS]),
    rowOf(["---", "---", ...COLUMNS.map(() => "---")]),
    ...nodes.map(([node, version]) =>
      rowOf([node, plain(version), ...COLUMNS.map((column) => cell(trials, node, column))]),
    ),
  ];
  const wrong = trials
    .filter(({ isGood }) => !isGood)
    .map(({ node, column, found }) => `- ${node}, ${column}: ${plain(found)}`);
  const libraries = [
    rowOf(["library", "version", "reads what Conclave signed", "found"]),
    rowOf(["---", "---", "---", "---"]),
    ...readings.map(({ library, version, isGood, found }) =>
      rowOf([library, version, isGood ? "yes" : "**no**", plain(found)]),
    ),
  ];
  return [
    ...(nodes.length > 0 ? [...table, ""] : []),
    ...(wrong.length > 0 ? ["Not as it should be:", "", ...wrong, ""] : []),
    ...(readings.length > 0 ? [...libraries, ""] : []),
    ...(absent.length > 0 ? ["Not there:", "", ...absent.map((sentence) => `- ${sentence}`), ""] : []),
  ].join("\n");
};

/** The lines that enclose the findings in the document. */
export const MARKERS = ["<!-- foreign-nodes: begin -->", "<!-- foreign-nodes: end -->"] as const;

/** Replaces the findings in the document. @throws Error if the document has no place for them */
export const withFindings = (document: string, text: string): string => {
  const [begin, end] = MARKERS;
  const [first, last] = [document.indexOf(begin), document.indexOf(end)];
  if (first < 0 || last < first) throw new Error(`the document has no ${begin} before a ${end}`);
  return `${document.slice(0, first + begin.length)}\n\n${text}\n${document.slice(last)}`;
};
