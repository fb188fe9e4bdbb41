import type { Result } from "@conclave/custody";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode, OwnTransaction, TransactionIntent } from "../../chain.ts";
import type { NodeAnswer, ScriptedNode } from "../scripted-node.ts";

const MIB = 1024 * 1024;
/** Client timeout in these tests, for a node that does not answer. */
const SHORT_MS = 20;
/** Upper bound on the characters shown of a refusal. */
const SHOWN_MAX = 700;

/** A scripted node, a client without memory, and a transaction that was built by the client and never sent. */
interface RefusingNode {
  readonly scripted: ScriptedNode;
  readonly connect: () => ChainNode;
  readonly intent: TransactionIntent;
  /** so old that the node's final blocks decide its fate */
  readonly own: OwnTransaction & { readonly txHash: string };
  stop(): Promise<void>;
}

/** The facts of one family that the suite tests. */
export interface RefusingCase {
  readonly open: () => Promise<RefusingNode>;
  /** Further calls to a node; each returns a result. */
  readonly questions: (node: ChainNode) => readonly (() => Promise<Result<unknown>>)[];
  /** invalid answers, in addition to those that are invalid in all families */
  readonly nonsense: readonly (readonly [title: string, answer: NodeAnswer])[];
  /** names, in `ScriptedNode.spoilt`, of the requests that submit a transaction, and of those that ask for the head */
  readonly submitting: string;
  readonly asking: string;
  /** size of an answer that exceeds the length limit */
  readonly tooManyMib: number;
  /** Asks for the head with a timeout. */
  readonly headWithin: (url: string, timeoutMs: number) => Promise<Result<unknown>>;
  /** The node's answer that refuses a transaction with these words. */
  readonly refusal: (words: string) => NodeAnswer;
  /** Tests specific to this family. */
  readonly further?: (give: () => RefusingNode & { readonly node: ChainNode }) => void;
}

const NONSENSE: RefusingCase["nonsense"] = [
  ["is at its limit", { status: 429, text: "too many requests" }],
  ["is broken", { status: 500, text: '{"message":"internal"}' }],
  ["is behind something that is broken", { status: 502, text: "<html>bad gateway</html>" }],
  ["answers no JSON", { status: 200, text: "<html>welcome</html>" }],
  ["answers nothing", { status: 200, text: "" }],
  ["answers a list", { status: 200, text: "[]" }],
  ["answers null", { status: 200, text: "null" }],
  ["sends elsewhere", { status: 302, text: "" }],
];
/** Invalid in all families but TRON, whose nodes answer an empty object if they have nothing. */
export const EMPTY_OBJECT: RefusingCase["nonsense"][number] = [
  "answers an empty object",
  { status: 200, text: "{}" },
];

/** Tests that a client draws no conclusion from answers which a node of the family would not give. */
export const describeRefusingNode = (given: RefusingCase): void => {
  describe("a node that does not answer as a node does", () => {
    let at: RefusingNode;
    let node: ChainNode;
    beforeAll(async () => {
      at = await given.open();
    });
    beforeEach(() => {
      at.scripted.reset();
      node = at.connect();
    });
    afterAll(() => at.stop());

    const concludesNothing = async (): Promise<void> => {
      const { intent, own } = at;
      const asked = [
        () => node.build(intent),
        () => node.head(),
        () => node.block(5n, new Set(["x"])),
        () => node.sight(own.txHash),
        () => node.fateOf(intent.sender, [own]),
        () => node.balance(intent.sender),
        ...given.questions(node),
      ];
      for (const ask of asked) {
        const answered = await ask();
        expect(!answered.ok && answered.problem.code).toBe("ServiceUnavailable");
      }
    };
    const isRefused = async (): Promise<void> =>
      expect((await node.broadcast(at.own.signed)).kind).toBe("refused");

    const nonsense = [...NONSENSE, ...given.nonsense];
    it.each(nonsense)("is away, and nothing is concluded, when it %s", async (_, answer) => {
      at.scripted.spoilt.set("", answer);
      await concludesNothing();
    });

    it.each(nonsense)("has not taken a transaction when it %s", async (_, answer) => {
      at.scripted.spoilt.set(given.submitting, answer);
      await isRefused();
    });

    it("is away when it is not there", async () => {
      await at.scripted.stop();
      await concludesNothing();
      await isRefused();
      await at.scripted.start();
    });

    it("is away when its answer has no end", async () => {
      const text = `{"a":${" ".repeat(given.tooManyMib * MIB)}1}`;
      at.scripted.spoilt.set(given.asking, { status: 200, text });
      const head = await node.head();
      expect(!head.ok && head.problem.message).toContain("too long");
    });

    it("is away when it says nothing for as long as a call may take", async () => {
      at.scripted.spoilt.set(given.asking, "silence");
      const head = await given.headWithin(at.scripted.url, SHORT_MS);
      expect(!head.ok && head.problem.code).toBe("ServiceUnavailable");
    });

    it("shows at most a line of its own words", async () => {
      at.scripted.spoilt.set(given.submitting, given.refusal("x".repeat(10_000)));
      const outcome = await node.broadcast(at.own.signed);
      expect(outcome.kind === "refused" && outcome.reason.length < SHOWN_MAX).toBe(true);
    });

    given.further?.(() => ({ ...at, node }));
  });
};
