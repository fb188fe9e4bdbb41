import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import type { NodeAnswer } from "../../testing/scripted-node.ts";
import {
  authorisedStellar,
  LUMEN_TRANSFER,
  STELLAR_KEY,
  STELLAR_SENDER,
  STELLAR_TESTNET,
  STELLAR_TOKEN_SPELT,
} from "../../testing/stellar-samples.ts";
import { StubHorizon } from "../../testing/stub-horizon.ts";
import { STELLAR_FAMILY } from "../family.ts";
import { stellarHash } from "../transaction.ts";
import { stellarHead } from "./ledgers.ts";
import { stellarNode } from "./node.ts";
import { connectStellar } from "./rest.ts";

let horizon: StubHorizon;
let node: ChainNode;
beforeEach(async () => {
  horizon = await StubHorizon.start();
  node = stellarNode({ ...STELLAR_TESTNET, horizonUrl: horizon.url });
  horizon.accounts.set(STELLAR_SENDER, { sequence: 100n, balance: 100_000_000n });
});
afterEach(() => horizon.stop());

const intent = {
  sender: STELLAR_SENDER,
  keys: [STELLAR_KEY.publicKey],
  act: authorisedStellar(LUMEN_TRANSFER),
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
} as const;

const made = async () => {
  const built = await node.build(intent);
  if (!built.ok) expect.fail(built.problem.message);
  const { unsigned } = built.value;
  const signature = STELLAR_KEY.sign(stellarHash(STELLAR_TESTNET.passphrase, unsigned));
  const attached = STELLAR_FAMILY.attach(unsigned, [signature], [STELLAR_KEY.publicKey], STELLAR_TESTNET);
  return attached.ok ? { unsigned, ...attached.value } : expect.fail(attached.problem.message);
};

/** Everything that asks a node, and answers with a result. */
const questions = async () => {
  const { unsigned, signed, txHash } = await made();
  return [
    () => node.build(intent),
    () => node.head(),
    () => node.block(5n, new Set(["x"])),
    () => node.sight(txHash),
    () => node.fateOf(STELLAR_SENDER, [{ unsigned, signed }]),
    () => node.nextSequence(STELLAR_SENDER),
    () => node.balance(STELLAR_SENDER),
    () => node.tokenBalance(STELLAR_SENDER, STELLAR_TOKEN_SPELT),
  ];
};

const NONSENSE: readonly (readonly [string, NodeAnswer])[] = [
  ["is at its limit", { status: 429, text: '{"title":"Rate Limit Exceeded"}' }],
  ["is broken", { status: 500, text: '{"title":"Internal Server Error"}' }],
  ["is behind what it follows", { status: 503, text: '{"title":"Historical DB Is Too Stale"}' }],
  ["is behind something that is broken", { status: 502, text: "<html>bad gateway</html>" }],
  ["is behind something that knows no such page", { status: 404, text: "<html>not found</html>" }],
  ["refuses the question", { status: 400, text: '{"title":"Bad Request"}' }],
  [
    "forgot what is asked for",
    { status: 410, text: '{"title":"Data Requested Is Before Recorded History"}' },
  ],
  ["answers no JSON", { status: 200, text: "<html>welcome</html>" }],
  ["answers nothing", { status: 200, text: "" }],
  ["answers an empty object", { status: 200, text: "{}" }],
  ["answers a list", { status: 200, text: "[]" }],
  ["answers null", { status: 200, text: "null" }],
  ["answers with fields of other kinds", { status: 200, text: '{"sequence":-1,"ledger":"x","hash":5}' }],
  ["sends elsewhere", { status: 302, text: "" }],
];

describe("a node that does not answer as a node does", () => {
  it.each(NONSENSE)("is away, and nothing is concluded, when it %s", async (_, answer) => {
    const asked = await questions();
    horizon.spoilt.set("/", answer);
    for (const ask of asked) {
      const answered = await ask();
      expect(!answered.ok && answered.problem.code).toBe("ServiceUnavailable");
    }
  });

  it.each(NONSENSE)("has not taken a transaction when it %s", async (_, answer) => {
    const { signed } = await made();
    horizon.spoilt.set("/transactions_async", answer);
    expect((await node.broadcast(signed)).kind).toBe("refused");
  });

  it("is away when it is not there", async () => {
    const { signed } = await made();
    const asked = await questions();
    await horizon.stop();
    for (const ask of asked) {
      const answered = await ask();
      expect(!answered.ok && answered.problem.code).toBe("ServiceUnavailable");
    }
    expect((await node.broadcast(signed)).kind).toBe("refused");
    horizon = await StubHorizon.start();
  });

  it("is away when its answer has no end", async () => {
    horizon.spoilt.set("/ledgers", { status: 200, text: `{"a":${" ".repeat(5 * 1024 * 1024)}1}` });
    const head = await node.head();
    expect(!head.ok && head.problem.message).toContain("too long");
  });

  it("is away when it says nothing for as long as a call may take", async () => {
    horizon.spoilt.set("/ledgers", "silence");
    const head = await stellarHead(connectStellar("StellarTestnet", horizon.url, 20));
    expect(!head.ok && head.problem.code).toBe("ServiceUnavailable");
  });

  it("shows at most a line of its own words", async () => {
    const { signed } = await made();
    horizon.spoilt.set("/transactions_async", { status: 400, text: "x".repeat(10_000) });
    const outcome = await node.broadcast(signed);
    expect(outcome.kind === "refused" && outcome.reason.length < 700).toBe(true);
  });
});
