import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import { openAgedXrpLedger, type ScriptedXrpLedger } from "../../testing/ledgers/xrp-ledger.ts";
import type { NodeAnswer } from "../../testing/scripted-node.ts";
import {
  authorisedXrpl,
  withXrplSignature,
  XRP_TRANSFER,
  XRPL_KEY,
  XRPL_RECIPIENT,
  XRPL_SENDER,
  XRPL_TESTNET,
} from "../../testing/xrpl-samples.ts";
import { connectRippled } from "./json-rpc.ts";
import { xrplHead } from "./ledgers.ts";
import { xrplNode } from "./node.ts";

let rippled: ScriptedXrpLedger;
let node: ChainNode;
/** a transaction whose ledgers are over */
let own: ReturnType<typeof withXrplSignature>;
beforeAll(async () => {
  rippled = await openAgedXrpLedger({ [XRPL_SENDER]: 10_000_000, [XRPL_RECIPIENT]: 5_000_000 });
  node = xrplNode({ ...XRPL_TESTNET, rippledUrl: rippled.node.url });
  const built = await node.build(intent);
  if (!built.ok) expect.fail(built.problem.message);
  own = withXrplSignature(built.value.unsigned);
  await rippled.mine(1_000);
});
beforeEach(() => {
  node = xrplNode({ ...XRPL_TESTNET, rippledUrl: rippled.node.url });
  rippled.node.reset();
});
afterAll(() => rippled.stop());

const intent = {
  sender: XRPL_SENDER,
  keys: [XRPL_KEY.publicKey],
  act: authorisedXrpl(XRP_TRANSFER),
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
} as const;

const nobodys = async (): Promise<ReadonlySet<string>> => new Set();

/** Everything that asks a node, and answers with a result. */
const questions = () => {
  return [
    () => node.build(intent),
    () => node.head(),
    () => node.block(5n, new Set()),
    async () => (await node.arrivals?.(5n, nobodys)) ?? expect.fail("it tells of no arrivals"),
    () => node.sight(own.txHash),
    () => node.fateOf(XRPL_SENDER, [own]),
    () => node.balance(XRPL_SENDER),
    () => node.nextSequence(XRPL_SENDER),
  ];
};

const of = (result: unknown): string => JSON.stringify({ result });
const NONSENSE: readonly (readonly [string, NodeAnswer])[] = [
  ["is at its limit", { status: 200, text: of({ status: "error", error: "slowDown" }) }],
  ["is too busy", { status: 200, text: of({ status: "error", error: "tooBusy", error_message: "wait" }) }],
  ["has no network", { status: 200, text: of({ status: "error", error: "noNetwork" }) }],
  ["is behind something at its limit", { status: 429, text: "too many requests" }],
  ["is broken", { status: 500, text: of({}) }],
  ["is behind something that is broken", { status: 502, text: "<html>bad gateway</html>" }],
  ["does not know the question", { status: 200, text: of({ status: "error", error: "unknownCmd" }) }],
  ["answers no JSON", { status: 200, text: "<html>welcome</html>" }],
  ["answers nothing", { status: 200, text: "" }],
  ["answers an empty object", { status: 200, text: "{}" }],
  ["answers a list", { status: 200, text: "[]" }],
  ["answers null", { status: 200, text: "null" }],
  ["answers a result that is none", { status: 200, text: of("success") }],
  ["sends elsewhere", { status: 302, text: "" }],
];
/** Of a success with nothing in it `tx` tells that it waits, as of a transaction that is in no ledger. */
const EMPTY: NodeAnswer = {
  status: 200,
  text: of({ status: "success", account_data: 5, ledger_index: "x" }),
};

describe("a node that does not answer as a node does", () => {
  it.each(NONSENSE)("is away, and nothing is concluded, when it %s", async (_, answer) => {
    rippled.node.spoilt.set("", answer);
    for (const ask of questions()) {
      const answered = await ask();
      expect(!answered.ok && answered.problem.code).toBe("ServiceUnavailable");
    }
  });

  it.each(NONSENSE)("has not taken a transaction when it %s", async (_, answer) => {
    rippled.node.spoilt.set("submit", answer);
    expect((await node.broadcast(own.signed)).kind).toBe("refused");
  });

  it("concludes nothing from fields of other kinds", async () => {
    rippled.node.spoilt.set("", EMPTY);
    for (const answered of [
      await node.build(intent),
      await node.head(),
      await node.fateOf(XRPL_SENDER, [own]),
      await node.balance(XRPL_SENDER),
    ]) {
      expect(!answered.ok && answered.problem.code).toBe("ServiceUnavailable");
    }
    expect(await node.sight(own.txHash)).toEqual({ ok: true, value: { kind: "waiting" } });
    expect((await node.broadcast(own.signed)).kind).toBe("refused");
  });

  it("has no head, and no account, when what it shows is not validated", async () => {
    const ledger_hash = "AB".repeat(32);
    rippled.node.spoilt.set("ledger", {
      status: 200,
      text: of({ ledger_hash, ledger_index: 5, validated: false, ledger: { parent_hash: ledger_hash } }),
    });
    const data = { Balance: "5", Sequence: 5, OwnerCount: 0, Flags: 0 };
    rippled.node.spoilt.set("account_info", {
      status: 200,
      text: of({ account_data: data, ledger_index: 5 }),
    });
    for (const answered of [await node.head(), await node.balance(XRPL_SENDER)]) {
      expect(!answered.ok && answered.problem.code).toBe("ServiceUnavailable");
    }
  });

  it("leaves it to the chain whom an account has authorised, when it does not know the question", async () => {
    rippled.shows(XRPL_RECIPIENT, { Flags: 0x0100_0000 });
    const text = of({ status: "error", error: "unknownCmd" });
    rippled.node.spoilt.set("deposit_authorized", { status: 200, text });
    expect((await node.build(intent)).ok).toBe(true);
    rippled.node.spoilt.set("deposit_authorized", { status: 503, text: "" });
    const built = await node.build(intent);
    expect(!built.ok && built.problem.code).toBe("ServiceUnavailable");
  });

  it("is away when it is not there", async () => {
    await rippled.node.stop();
    for (const ask of questions()) {
      const answered = await ask();
      expect(!answered.ok && answered.problem.code).toBe("ServiceUnavailable");
    }
    expect((await node.broadcast(own.signed)).kind).toBe("refused");
    await rippled.node.start();
  });

  it("is away when its answer has no end", async () => {
    rippled.node.spoilt.set("ledger", { status: 200, text: `{"result":${" ".repeat(9 * 1024 * 1024)}{}}` });
    const head = await node.head();
    expect(!head.ok && head.problem.message).toContain("too long");
  });

  it("is away when it says nothing for as long as a call may take", async () => {
    rippled.node.spoilt.set("ledger", "silence");
    const slow = connectRippled({ ...XRPL_TESTNET, rippledUrl: rippled.node.url }, 20);
    const head = await xrplHead(slow);
    expect(!head.ok && head.problem.code).toBe("ServiceUnavailable");
  });

  it("shows at most a line of its own words", async () => {
    const text = of({ status: "error", error: "internal", error_message: "x".repeat(10_000) });
    rippled.node.spoilt.set("submit", { status: 200, text });
    const outcome = await node.broadcast(own.signed);
    expect(outcome.kind === "refused" && outcome.reason.length < 700).toBe(true);
  });
});
