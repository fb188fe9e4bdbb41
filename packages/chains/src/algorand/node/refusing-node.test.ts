import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import {
  ALGO_TRANSFER,
  ALGORAND_KEY,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  ASSET_ID,
  authorisedAlgorand,
  signedAlgorand,
} from "../../testing/algorand-samples.ts";
import { openScriptedLedger, type ScriptedLedger } from "../../testing/ledgers/scripted-ledger.ts";
import type { NodeAnswer } from "../../testing/scripted-node.ts";
import { algorandNode } from "./node.ts";
import { connectAlgod } from "./rest.ts";
import { algorandHead } from "./rounds.ts";

let ledger: ScriptedLedger;
let node: ChainNode;
/** a transaction whose rounds are over */
let own: ReturnType<typeof signedAlgorand>;
beforeAll(async () => {
  ledger = await openScriptedLedger("Algorand", ALGORAND_TESTNET.genesisId);
  await ledger.fund(ALGORAND_SENDER, 10_000_000);
  node = algorandNode({ ...ALGORAND_TESTNET, algodUrl: ledger.node.url });
  const built = await node.build(intent);
  if (!built.ok) expect.fail(built.problem.message);
  own = signedAlgorand(built.value.unsigned);
  await ledger.mine(202);
});
beforeEach(() => {
  node = algorandNode({ ...ALGORAND_TESTNET, algodUrl: ledger.node.url });
  ledger.node.reset();
});
afterAll(() => ledger.stop());

const intent = {
  sender: ALGORAND_SENDER,
  keys: [ALGORAND_KEY.publicKey],
  act: authorisedAlgorand(ALGO_TRANSFER),
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
} as const;

/** Everything that asks a node, and answers with a result. */
const questions = () => {
  return [
    () => node.build(intent),
    () => node.head(),
    () => node.block(5n, new Set()),
    () => node.sight(own.txHash),
    () => node.fateOf(ALGORAND_SENDER, [own]),
    () => node.describeToken(ASSET_ID),
    () => node.balance(ALGORAND_SENDER),
    () => node.tokenBalance(ALGORAND_SENDER, ASSET_ID),
  ];
};

const NONSENSE: readonly (readonly [string, NodeAnswer])[] = [
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
    ledger.node.spoilt.set("/", answer);
    for (const ask of questions()) {
      const answered = await ask();
      expect(!answered.ok && answered.problem.code).toBe("ServiceUnavailable");
    }
  });

  it.each(NONSENSE)("has not taken a transaction when it %s", async (_, answer) => {
    ledger.node.spoilt.set("/v2/transactions", answer);
    expect((await node.broadcast(own.signed)).kind).toBe("refused");
  });

  it("is away when it is not there", async () => {
    await ledger.node.stop();
    for (const ask of questions()) {
      const answered = await ask();
      expect(!answered.ok && answered.problem.code).toBe("ServiceUnavailable");
    }
    expect((await node.broadcast(own.signed)).kind).toBe("refused");
    await ledger.node.start();
  });

  it("is away when its answer has no end", async () => {
    ledger.node.spoilt.set("/v2/status", {
      status: 200,
      text: `{"last-round":${" ".repeat(9 * 1024 * 1024)}1}`,
    });
    const head = await node.head();
    expect(!head.ok && head.problem.message).toContain("too long");
  });

  it("is away when it says nothing for as long as a call may take", async () => {
    ledger.node.spoilt.set("/v2/status", "silence");
    const slow = connectAlgod({ ...ALGORAND_TESTNET, algodUrl: ledger.node.url }, 20);
    const head = await algorandHead(slow);
    expect(!head.ok && head.problem.code).toBe("ServiceUnavailable");
  });

  it("shows at most a line of its own words", async () => {
    ledger.node.spoilt.set("/", { status: 400, text: JSON.stringify({ message: "x".repeat(10_000) }) });
    const outcome = await node.broadcast(own.signed);
    expect(outcome.kind === "refused" && outcome.reason.length < 700).toBe(true);
  });
});
