import type { Result } from "@conclave/custody";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode, OwnTransaction, TransactionIntent } from "../../chain.ts";
import type { NodeAnswer, ScriptedNode } from "../scripted-node.ts";

const MIB = 1024 * 1024;
/** Longest that a client waits here for a node that says nothing. */
const SHORT_MS = 20;
/** More characters than any refusal is shown with. */
const SHOWN_MAX = 700;

/** A scripted node, a client of it that remembers nothing, and a transaction that was built with its help and never sent. */
interface RefusingNode {
  readonly scripted: ScriptedNode;
  readonly connect: () => ChainNode;
  readonly intent: TransactionIntent;
  /** so old that the node's final blocks decide its fate */
  readonly own: OwnTransaction & { readonly txHash: string };
  stop(): Promise<void>;
}

/** One family as the suite tries it. */
export interface RefusingCase {
  readonly open: () => Promise<RefusingNode>;
  /** Further questions to a node, each of which answers with a result. */
  readonly questions: (node: ChainNode) => readonly (() => Promise<Result<unknown>>)[];
  /** answers that are none, beside those that all families read alike */
  readonly nonsense: readonly (readonly [title: string, answer: NodeAnswer])[];
  /** the name of the requests that hand over a transaction, and of those that ask for the head, in `ScriptedNode.spoilt` */
  readonly submitting: string;
  readonly asking: string;
  /** longer than any answer that is read */
  readonly tooManyMib: number;
  /** Asks for the head with little patience. */
  readonly headWithin: (url: string, timeoutMs: number) => Promise<Result<unknown>>;
  /** Refuses a transaction with these words. */
  readonly refusal: (words: string) => NodeAnswer;
  /** Tests of this family alone. */
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
/** No answer of any family but TRON's, whose nodes answer so where they have nothing. */
export const EMPTY_OBJECT: RefusingCase["nonsense"][number] = [
  "answers an empty object",
  { status: 200, text: "{}" },
];

/** A node that answers, and not as a node of the family does: nothing is concluded from it. */
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
