import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PLAIN_RULES, type PlainFinding, plainFindings, privateNamesIn } from "./plain-words.ts";
import { pathsBelow, ROOT, sourcesBelow } from "./source-files.ts";

/** These two documents have to name the refused words. */
const RULES_THEMSELVES = /^(test\/house\/plain-words[a-z.]*\.ts|CONTRIBUTING\.md)$/;

/** Identifiers that may keep a private word, each with the reason. */
const NAMES_THAT_STAY: Readonly<Record<string, string>> = {
  isTold: "the column is_told of due_requests, which its table's property names",
};

const findings = pathsBelow(".")
  .filter((path) => /\.(ts|md)$/.test(path) && !RULES_THEMSELVES.test(path))
  .flatMap((path) => plainFindings({ path, text: readFileSync(join(ROOT, path), "utf8") }));

const inComment = (comment: string): readonly PlainFinding[] =>
  plainFindings({ path: "packages/custody/src/a.ts", text: `/** ${comment} */\nexport const a = 1;\n` });
const rulesOf = (found: readonly PlainFinding[]): readonly string[] => found.map(({ rule }) => rule);

describe("comments, documents, titles of tests and log lines", () => {
  it("use no private words, and no subject without an actor", () => {
    const found = findings.map(
      ({ path, rule, sentence, instead }) => `${path}: "${rule}": ${instead}: ${sentence}`,
    );
    expect(found).toEqual([]);
  });
});

describe("identifiers", () => {
  it("have no private words", () => {
    const found = sourcesBelow("packages", "services", "examples", "test").flatMap(({ path, text }) =>
      privateNamesIn(text)
        .filter((name) => NAMES_THAT_STAY[name] === undefined)
        .map((name) => `${path}: ${name}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ["const toldMs = 1;", ["toldMs"]],
    ["type A = ToldClock;", ["ToldClock"]],
    ["const UNTOLD = 1; a.untold = UNTOLD;", ["UNTOLD", "untold"]],
    ["const brain = seatOf(lodger);", ["brain", "seatOf", "lodger"]],
    ['const a = "told"; // told', []],
    ["const threshold = bold + toldoth;", []],
  ])("are judged word by word: %s", (code, names) => {
    expect(privateNamesIn(code)).toEqual(names);
  });
});

describe("a sentence", () => {
  it.each([
    ["the brain decides which session may begin", ["brain"]],
    ["The hands that it is given differ.", ["hands"]],
    ["It holds a seat of the pool.", ["seat"]],
    ["A lodger of the thread.", ["lodger"]],
    ["Signers are told the deadline.", ["told"]],
    ["It is left to whoever asks.", ["whoever"]],
    ["What a node answers.", ["What …"]],
    ["The node is asked. Who answers is noted.", ["Who …"]],
    ["the state: what waits", []],
    ["Two spellings are told apart.", []],
    ["What is left? Nothing.", []],
    ["It hands the codec to the test.", []],
    ["`told` is a name in code", []],
  ])("in a comment is judged: %s", (comment, rules) => {
    expect(rulesOf(inComment(comment))).toEqual(rules);
  });

  it("of a document is judged in paragraphs, items and cells, and not in headings or code", () => {
    const text = "# What it is\n\n- What waits.\n\n| told | a |\n|---|---|\n\n```\nwhoever\n```\n";
    expect(rulesOf(plainFindings({ path: "docs/a.md", text }))).toEqual(["What …", "told"]);
  });

  it("of a title or a log line is judged by its words alone", () => {
    const title = 'it("is told of what waits", () => {});\nconst a = "told";\n';
    expect(rulesOf(plainFindings({ path: "packages/custody/src/a.test.ts", text: title }))).toEqual(["told"]);
    const line = 'const asked = logEvent()("warn", "told", "whoever asks");\n';
    expect(rulesOf(plainFindings({ path: "packages/signer/src/log-events.ts", text: line }))).toEqual([
      "whoever",
    ]);
  });

  it.each([
    ['it("what a node answers", f);', ["what …"]],
    ['describe("INV-9 K8 whatever is sent,", f);', ["what …"]],
    ['it("INV-8 who approves is asked", f);', ["who …"]],
    ['it.each([["what a node answers"]])("%s is read", f);', []],
    ['it("whose fee is too low", f);', []],
  ])("of a title begins with its subject: %s", (text, rules) => {
    expect(rulesOf(plainFindings({ path: "packages/custody/src/a.test.ts", text }))).toEqual(rules);
  });

  it("gets a replacement from each rule", () => {
    expect(PLAIN_RULES.filter(({ instead }) => instead === "")).toEqual([]);
  });
});
