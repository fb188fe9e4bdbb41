import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import {
  ALGO_TRANSFER,
  ALGORAND_KEY,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  ASSET_ID,
  authorisedAlgorand,
} from "../../testing/algorand-samples.ts";
import { StubAlgod, type StubAnswer } from "../../testing/stub-algod.ts";
import { ALGORAND_FAMILY } from "../family.ts";
import { bytesToSign } from "../transaction.ts";
import { algorandNode } from "./node.ts";
import { connectAlgod } from "./rest.ts";
import { algorandHead } from "./rounds.ts";

let algod: StubAlgod;
let node: ChainNode;
beforeEach(async () => {
  algod = await StubAlgod.start();
  node = algorandNode({ ...ALGORAND_TESTNET, algodUrl: algod.url });
  algod.accounts.set(ALGORAND_SENDER, { amount: 10_000_000n, least: 100_000n });
});
afterEach(() => algod.stop());

const intent = {
  sender: ALGORAND_SENDER,
  keys: [ALGORAND_KEY.publicKey],
  act: authorisedAlgorand(ALGO_TRANSFER),
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
} as const;

const made = async () => {
  const built = await node.build(intent);
  if (!built.ok) expect.fail(built.problem.message);
  const { unsigned } = built.value;
  const signature = ALGORAND_KEY.sign(bytesToSign(unsigned));
  const attached = ALGORAND_FAMILY.attach(unsigned, [signature], [ALGORAND_KEY.publicKey]);
  return attached.ok ? { unsigned, ...attached.value } : expect.fail(attached.problem.message);
};

/** Everything that asks a node, and answers with a result. */
const questions = async () => {
  const { unsigned, signed, txHash } = await made();
  algod.lastRound += 1_000n;
  return [
    () => node.build(intent),
    () => node.head(),
    () => node.block(5n, new Set()),
    () => node.sight(txHash),
    () => node.fateOf(ALGORAND_SENDER, [{ unsigned, signed }]),
    () => node.describeToken(ASSET_ID),
    () => node.balance(ALGORAND_SENDER),
    () => node.tokenBalance(ALGORAND_SENDER, ASSET_ID),
  ];
};

const NONSENSE: readonly (readonly [string, StubAnswer])[] = [
  ["is at its limit", { status: 429, text: "too many requests" }],
  ["is broken", { status: 500, text: '{"message":"internal"}' }],
  ["is behind something that is broken", { status: 502, text: "<html>bad gateway</html>" }],
  ["wants a token", { status: 401, text: '{"message":"Invalid API Token"}' }],
  ["refuses the question", { status: 400, text: '{"message":"no"}' }],
  ["answers no JSON", { status: 200, text: "<html>welcome</html>" }],
  ["answers nothing", { status: 200, text: "" }],
  ["answers an empty object", { status: 200, text: "{}" }],
  ["answers a list", { status: 200, text: "[]" }],
  ["answers null", { status: 200, text: "null" }],
  [
    "answers with fields of other kinds",
    { status: 200, text: '{"last-round":"x","amount":-1,"blockHash":5}' },
  ],
  ["sends elsewhere", { status: 302, text: "" }],
];

describe("a node that does not answer as a node does", () => {
  it.each(NONSENSE)("is away, and nothing is concluded, when it %s", async (_, answer) => {
    const asked = await questions();
    algod.spoilt.set("/", answer);
    for (const ask of asked) {
      const answered = await ask();
      expect(!answered.ok && answered.problem.code).toBe("ServiceUnavailable");
    }
  });

  it.each(NONSENSE)("has not taken a transaction when it %s", async (_, answer) => {
    const { signed } = await made();
    algod.spoilt.set("/v2/transactions", answer);
    expect((await node.broadcast(signed)).kind).toBe("refused");
  });

  it("is away when it is not there", async () => {
    const { signed } = await made();
    const asked = await questions();
    await algod.stop();
    for (const ask of asked) {
      const answered = await ask();
      expect(!answered.ok && answered.problem.code).toBe("ServiceUnavailable");
    }
    expect((await node.broadcast(signed)).kind).toBe("refused");
    algod = await StubAlgod.start();
  });

  it("is away when its answer has no end", async () => {
    algod.spoilt.set("/v2/status", { status: 200, text: `{"last-round":${" ".repeat(9 * 1024 * 1024)}1}` });
    const head = await node.head();
    expect(!head.ok && head.problem.message).toContain("too long");
  });

  it("is away when it says nothing for as long as a call may take", async () => {
    algod.spoilt.set("/v2/status", "silence");
    const slow = connectAlgod({ ...ALGORAND_TESTNET, algodUrl: algod.url }, 20);
    const head = await algorandHead(slow);
    expect(!head.ok && head.problem.code).toBe("ServiceUnavailable");
  });

  it("shows at most a line of its own words", async () => {
    const { signed } = await made();
    algod.refusal = "x".repeat(10_000);
    const outcome = await node.broadcast(signed);
    expect(outcome.kind === "refused" && outcome.reason.length < 700).toBe(true);
  });
});
