import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import type { NodeAnswer } from "../../testing/scripted-node.ts";
import { StubRippled } from "../../testing/stub-rippled.ts";
import {
  authorisedXrpl,
  XRP_TRANSFER,
  XRPL_KEY,
  XRPL_RECIPIENT,
  XRPL_SENDER,
  XRPL_TESTNET,
} from "../../testing/xrpl-samples.ts";
import { XRPL_FAMILY } from "../family.ts";
import { decodeXrpl, xrplSignable } from "../transaction.ts";
import { connectRippled } from "./json-rpc.ts";
import { xrplHead } from "./ledgers.ts";
import { xrplNode } from "./node.ts";

let rippled: StubRippled;
let node: ChainNode;
beforeEach(async () => {
  rippled = await StubRippled.start();
  node = xrplNode({ ...XRPL_TESTNET, rippledUrl: rippled.url });
  rippled.accounts.set(XRPL_SENDER, { balance: 10_000_000n, sequence: 5 });
});
afterEach(() => rippled.stop());

const intent = {
  sender: XRPL_SENDER,
  keys: [XRPL_KEY.publicKey],
  act: authorisedXrpl(XRP_TRANSFER),
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
} as const;

const made = async () => {
  const built = await node.build(intent);
  if (!built.ok) expect.fail(built.problem.message);
  const { unsigned } = built.value;
  const decoded = decodeXrpl(unsigned);
  if (!decoded.ok) expect.fail(decoded.problem.message);
  const signature = XRPL_KEY.sign(xrplSignable(unsigned, decoded.value).bytes);
  const attached = XRPL_FAMILY.attach(unsigned, [signature], [XRPL_KEY.publicKey]);
  return attached.ok ? { unsigned, ...attached.value } : expect.fail(attached.problem.message);
};

const nobodys = async (): Promise<ReadonlySet<string>> => new Set();

/** Everything that asks a node, and answers with a result. */
const questions = async () => {
  const { unsigned, signed, txHash } = await made();
  rippled.validated += 1_000;
  return [
    () => node.build(intent),
    () => node.head(),
    () => node.block(5n, new Set()),
    async () => (await node.arrivals?.(5n, nobodys)) ?? expect.fail("it tells of no arrivals"),
    () => node.sight(txHash),
    () => node.fateOf(XRPL_SENDER, [{ unsigned, signed }]),
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
    const asked = await questions();
    rippled.spoilt.set("", answer);
    for (const ask of asked) {
      const answered = await ask();
      expect(!answered.ok && answered.problem.code).toBe("ServiceUnavailable");
    }
  });

  it.each(NONSENSE)("has not taken a transaction when it %s", async (_, answer) => {
    const { signed } = await made();
    rippled.spoilt.set("submit", answer);
    expect((await node.broadcast(signed)).kind).toBe("refused");
  });

  it("concludes nothing from fields of other kinds", async () => {
    const { unsigned, signed, txHash } = await made();
    rippled.spoilt.set("", EMPTY);
    for (const answered of [
      await node.build(intent),
      await node.head(),
      await node.fateOf(XRPL_SENDER, [{ unsigned, signed }]),
      await node.balance(XRPL_SENDER),
    ]) {
      expect(!answered.ok && answered.problem.code).toBe("ServiceUnavailable");
    }
    expect(await node.sight(txHash)).toEqual({ ok: true, value: { kind: "waiting" } });
    expect((await node.broadcast(signed)).kind).toBe("refused");
  });

  it("has no head, and no account, when what it shows is not validated", async () => {
    const ledger_hash = "AB".repeat(32);
    rippled.spoilt.set("ledger", {
      status: 200,
      text: of({ ledger_hash, ledger_index: 5, validated: false, ledger: { parent_hash: ledger_hash } }),
    });
    const data = { Balance: "5", Sequence: 5, OwnerCount: 0, Flags: 0 };
    rippled.spoilt.set("account_info", { status: 200, text: of({ account_data: data, ledger_index: 5 }) });
    for (const answered of [await node.head(), await node.balance(XRPL_SENDER)]) {
      expect(!answered.ok && answered.problem.code).toBe("ServiceUnavailable");
    }
  });

  it("leaves it to the chain whom an account has authorised, when it does not know the question", async () => {
    rippled.accounts.set(XRPL_RECIPIENT, { balance: 5_000_000n, sequence: 7, flags: 0x0100_0000 });
    const text = of({ status: "error", error: "unknownCmd" });
    rippled.spoilt.set("deposit_authorized", { status: 200, text });
    expect((await node.build(intent)).ok).toBe(true);
    rippled.spoilt.set("deposit_authorized", { status: 503, text: "" });
    const built = await node.build(intent);
    expect(!built.ok && built.problem.code).toBe("ServiceUnavailable");
  });

  it("is away when it is not there", async () => {
    const { signed } = await made();
    const asked = await questions();
    await rippled.stop();
    for (const ask of asked) {
      const answered = await ask();
      expect(!answered.ok && answered.problem.code).toBe("ServiceUnavailable");
    }
    expect((await node.broadcast(signed)).kind).toBe("refused");
    rippled = await StubRippled.start();
  });

  it("is away when its answer has no end", async () => {
    rippled.spoilt.set("ledger", { status: 200, text: `{"result":${" ".repeat(9 * 1024 * 1024)}{}}` });
    const head = await node.head();
    expect(!head.ok && head.problem.message).toContain("too long");
  });

  it("is away when it says nothing for as long as a call may take", async () => {
    rippled.spoilt.set("ledger", "silence");
    const slow = connectRippled({ ...XRPL_TESTNET, rippledUrl: rippled.url }, 20);
    const head = await xrplHead(slow);
    expect(!head.ok && head.problem.code).toBe("ServiceUnavailable");
  });

  it("shows at most a line of its own words", async () => {
    const { signed } = await made();
    const text = of({ status: "error", error: "internal", error_message: "x".repeat(10_000) });
    rippled.spoilt.set("submit", { status: 200, text });
    const outcome = await node.broadcast(signed);
    expect(outcome.kind === "refused" && outcome.reason.length < 700).toBe(true);
  });
});
