import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PLAIN_RULES, type PlainFinding, plainFindings } from "./plain-words.ts";
import { pathsBelow, ROOT } from "./source-files.ts";

/** These two name the words themselves. */
const RULES_THEMSELVES = /^(test\/house\/plain-words[a-z.]*\.ts|CONTRIBUTING\.md)$/;

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

  it("gets a replacement from each rule", () => {
    expect(PLAIN_RULES.filter(({ instead }) => instead === "")).toEqual([]);
  });
});
