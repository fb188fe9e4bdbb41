import { expect, it } from "vitest";
import { got } from "../../testing/conformance/plain-wallet.ts";
import { describeRefusingNode, EMPTY_OBJECT } from "../../testing/conformance/refusing-suite.ts";
import { openAgedXrpLedger, type ScriptedXrpLedger } from "../../testing/ledgers/xrp-ledger.ts";
import { jsonAnswer, type NodeAnswer } from "../../testing/scripted-node.ts";
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

const intent = {
  sender: XRPL_SENDER,
  keys: [XRPL_KEY.publicKey],
  act: authorisedXrpl(XRP_TRANSFER),
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
} as const;

let rippled: ScriptedXrpLedger;
const of = (result: unknown): NodeAnswer => jsonAnswer({ result });
const nobodys = async (): Promise<ReadonlySet<string>> => new Set();

/** A successful but empty answer: for `tx` it means a transaction that waits, as in no ledger. */
const EMPTY = of({ status: "success", account_data: 5, ledger_index: "x" });

describeRefusingNode({
  open: async () => {
    rippled = await openAgedXrpLedger({ [XRPL_SENDER]: 10_000_000, [XRPL_RECIPIENT]: 5_000_000 });
    const connect = () => xrplNode({ ...XRPL_TESTNET, rippledUrl: rippled.node.url });
    const own = withXrplSignature(got(await connect().build(intent)).unsigned);
    // past its last ledger
    await rippled.mine(1_000);
    return { scripted: rippled.node, connect, intent, own, stop: rippled.stop };
  },
  questions: (node) => [
    async () => (await node.arrivals?.(5n, nobodys)) ?? expect.fail("it tells of no arrivals"),
    () => node.nextSequence(XRPL_SENDER),
  ],
  nonsense: [
    EMPTY_OBJECT,
    ["asks for fewer requests", of({ status: "error", error: "slowDown" })],
    ["is too busy", of({ status: "error", error: "tooBusy", error_message: "wait" })],
    ["has no network", of({ status: "error", error: "noNetwork" })],
    ["does not know the question", of({ status: "error", error: "unknownCmd" })],
    ["answers a result that is none", of("success")],
  ],
  submitting: "submit",
  asking: "ledger",
  tooManyMib: 9,
  headWithin: (rippledUrl, timeoutMs) => xrplHead(connectRippled({ ...XRPL_TESTNET, rippledUrl }, timeoutMs)),
  refusal: (error_message) => of({ status: "error", error: "internal", error_message }),
  further: (give) => {
    it("concludes nothing from fields of other kinds", async () => {
      const { node, own } = give();
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
      const { node } = give();
      for (const method of ["ledger", "account_info"]) {
        rippled.changes(method, (_, result) => ({ ...result, validated: undefined }));
      }
      for (const answered of [await node.head(), await node.balance(XRPL_SENDER)]) {
        expect(!answered.ok && answered.problem.code).toBe("ServiceUnavailable");
      }
    });

    it("leaves it to the chain whom an account has authorised, when it does not know the question", async () => {
      const { node } = give();
      rippled.shows(XRPL_RECIPIENT, { Flags: 0x0100_0000 });
      rippled.node.spoilt.set("deposit_authorized", of({ status: "error", error: "unknownCmd" }));
      expect((await node.build(intent)).ok).toBe(true);
      rippled.node.spoilt.set("deposit_authorized", { status: 503, text: "" });
      const built = await node.build(intent);
      expect(!built.ok && built.problem.code).toBe("ServiceUnavailable");
    });
  },
});
