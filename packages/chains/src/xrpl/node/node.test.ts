import { bytesToHex } from "@noble/curves/utils.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decode } from "xrpl";
import type { ChainNode, OwnTransaction, Sequencing, TransactionIntent } from "../../chain.ts";
import { StubRippled, stubLedgerHash } from "../../testing/stub-rippled.ts";
import {
  authorisedXrpl,
  XRP_TRANSFER,
  XRPL_EDWARDS_SENDER,
  XRPL_KEY,
  XRPL_RECIPIENT,
  XRPL_SENDER,
  XRPL_TESTNET,
} from "../../testing/xrpl-samples.ts";
import { XRPL_FAMILY } from "../family.ts";
import { decodeXrpl, signedXrpl, xrplId, xrplSignable } from "../transaction.ts";
import { engineOutcome } from "./broadcast.ts";
import { xrplNode } from "./node.ts";

const NEXT: Sequencing = { kind: "next", lowest: 0n };
const ID = "AB".repeat(32);

let rippled: StubRippled;
let node: ChainNode;
beforeEach(async () => {
  rippled = await StubRippled.start();
  node = xrplNode({ ...XRPL_TESTNET, rippledUrl: rippled.url });
  rippled.accounts.set(XRPL_SENDER, { balance: 100_000_000n, sequence: 500 });
  rippled.accounts.set(XRPL_RECIPIENT, { balance: 1_000_000n, sequence: 7 });
});
afterEach(() => rippled.stop());

const intent = (sequencing: Sequencing = NEXT, act = authorisedXrpl(XRP_TRANSFER)): TransactionIntent => ({
  sender: XRPL_SENDER,
  keys: [XRPL_KEY.publicKey],
  act,
  priority: undefined,
  sequencing,
});

interface Made extends OwnTransaction {
  readonly id: string;
  readonly sequence: number;
  readonly lastLedger: number;
  readonly signature: string;
}

/** A transaction as it is built now, and signed. */
const made = async (): Promise<Made> => {
  const built = await node.build(intent());
  if (!built.ok) expect.fail(built.problem.message);
  const { unsigned } = built.value;
  const decoded = decodeXrpl(unsigned);
  if (!decoded.ok) expect.fail(decoded.problem.message);
  const { bytes } = xrplSignable(unsigned, decoded.value);
  const attached = XRPL_FAMILY.attach(unsigned, [XRPL_KEY.sign(bytes)], [XRPL_KEY.publicKey]);
  if (!attached.ok) expect.fail(attached.problem.message);
  const { signed, txHash: id } = attached.value;
  const signature = String(decode(bytesToHex(signed))["TxnSignature"]);
  return { ...decoded.value, unsigned, signed, id, signature };
};

const answerOf = async <T>(
  asked: Promise<{ readonly ok: boolean; readonly value?: T }>,
): Promise<T | undefined> => (await asked).value;
const codeOf = async (
  asked: Promise<{ readonly ok: boolean; readonly problem?: { readonly code: string } }>,
) => (await asked).problem?.code ?? "ok";

describe("building on a node of the XRP Ledger", () => {
  it("looks at the chain as it is at this moment", async () => {
    rippled.validated = 7_000;
    rippled.fees = { open: "100", least: "10" };
    const { sequence, lastLedger, unsigned } = await made();
    const decoded = decodeXrpl(unsigned);
    expect([sequence, lastLedger, decoded.ok && decoded.value.fee]).toEqual([500, 7_050, 120n]);
    expect(rippled.asked.map(({ method }) => method).sort()).toEqual([
      "account_info",
      "account_info",
      "fee",
      "server_state",
      "simulate",
    ]);
    expect(rippled.asked.every(({ params }) => params["api_version"] === 2)).toBe(true);
  });

  it("stands behind what is in the open ledger and in the queue, up to the first place that is empty", async () => {
    rippled.accounts.set(XRPL_SENDER, {
      balance: 100_000_000n,
      sequence: 502,
      queued: [503, undefined, 502, 505],
    });
    expect(await answerOf(node.nextSequence(XRPL_SENDER))).toBe(504n);
    expect((await made()).sequence).toBe(504);
  });

  it("waits for a place of ours that is empty, and takes it when it stays so for some ledgers", async () => {
    const ahead = intent({ kind: "next", lowest: 502n });
    expect(await codeOf(node.build(ahead))).toBe("ServiceUnavailable");
    rippled.validated = 1_003;
    expect(await codeOf(node.build(ahead))).toBe("ServiceUnavailable");
    rippled.validated = 1_004;
    expect((await answerOf(node.build(ahead)))?.sequence).toBe(500n);
    // the next empty place is waited for anew
    rippled.accounts.set(XRPL_SENDER, { balance: 100_000_000n, sequence: 501 });
    expect(await codeOf(node.build(ahead))).toBe("ServiceUnavailable");
  });

  it("says in words what is missing", async () => {
    const { tag: _, ...untagged } = XRP_TRANSFER;
    rippled.accounts.set(XRPL_RECIPIENT, { balance: 1n, sequence: 7, flags: 0x0002_0000 });
    expect(await codeOf(node.build(intent(NEXT, authorisedXrpl(untagged))))).toBe("RecipientCannotReceive");
    rippled.accounts.set(XRPL_RECIPIENT, { balance: 5_000_000n, sequence: 7, flags: 0x0100_0000 });
    expect(await codeOf(node.build(intent()))).toBe("RecipientCannotReceive");
    rippled.authorised = true;
    expect(await codeOf(node.build(intent()))).toBe("ok");
    rippled.accounts.delete(XRPL_RECIPIENT);
    const small = authorisedXrpl({ ...XRP_TRANSFER, amount: "999999" });
    expect(await codeOf(node.build(intent(NEXT, small)))).toBe("RecipientCannotReceive");
    rippled.accounts.set(XRPL_SENDER, { balance: 100_000_000n, sequence: 5, flags: 0x0010_0000 });
    expect(await codeOf(node.build(intent()))).toBe("TransactionInvalid");
    rippled.accounts.delete(XRPL_SENDER);
    expect(await codeOf(node.build(intent()))).toBe("InsufficientFunds");
  });

  it("waits while the node is of another chain", async () => {
    rippled.networkId = undefined;
    expect(await codeOf(node.build(intent()))).toBe("ServiceUnavailable");
    rippled.networkId = 21_337;
    expect(await codeOf(node.build(intent()))).toBe("ServiceUnavailable");
  });
});

describe("broadcasting on a node of the XRP Ledger", () => {
  it("hands over the very bytes, as often as it is asked", async () => {
    const { signed } = await made();
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    rippled.engine = { engine_result: "tefALREADY" };
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    const blob = bytesToHex(signed).toUpperCase();
    expect(rippled.submitted).toEqual([blob, blob]);
  });

  it("believes no node that names another transaction", async () => {
    const { signed, id } = await made();
    rippled.engine = { engine_result: "tesSUCCESS", tx_json: { hash: ID } };
    expect(await node.broadcast(signed)).toMatchObject({ kind: "refused" });
    rippled.engine = { engine_result: "tesSUCCESS", tx_json: { hash: id } };
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
  });

  it.each([
    ["accepted", "tesSUCCESS"],
    ["accepted", "terQUEUED"],
    ["accepted", "tefALREADY"],
    ["accepted", "tecUNFUNDED_PAYMENT"],
    ["accepted", "tecDST_TAG_NEEDED"],
    ["outdated", "tefPAST_SEQ"],
    ["outdated", "tefMAX_LEDGER"],
    ["refused", "terPRE_SEQ"],
    ["refused", "terRETRY"],
    ["refused", "terINSUF_FEE_B"],
    ["refused", "telINSUF_FEE_P"],
    ["refused", "telCAN_NOT_QUEUE"],
    ["refused", "telCAN_NOT_QUEUE_FULL"],
    ["refused", "telCAN_NOT_QUEUE_FEE"],
    ["refused", "tefINTERNAL"],
    ["refused", "tefEXCEPTION"],
    ["refused", "temUNKNOWN"],
    ["refused", "telFAILED_PROCESSING"],
    ["unacceptable", "tefBAD_AUTH"],
    ["unacceptable", "tefMASTER_DISABLED"],
    ["unacceptable", "tefBAD_SIGNATURE"],
    ["unacceptable", "tefNO_TICKET"],
    ["unacceptable", "tefWRONG_PRIOR"],
    ["unacceptable", "temREDUNDANT"],
    ["unacceptable", "temBAD_SIGNATURE"],
    ["unacceptable", "temDISABLED"],
    ["unacceptable", "telWRONG_NETWORK"],
    ["unacceptable", "telREQUIRES_NETWORK_ID"],
    ["unacceptable", "telNETWORK_ID_MAKES_TX_NON_CANONICAL"],
    ["unacceptable", "telBAD_PUBLIC_KEY"],
    ["refused", "something that nobody has heard of"],
  ])("reads as %s: %s", (kind, engine_result) => {
    const sent = { signed: new Uint8Array(), id: ID, lastLedger: 1_050 };
    const outcome = engineOutcome({ engine_result, validated_ledger_index: 1_050 }, sent);
    expect(outcome.kind).toBe(kind);
    if (outcome.kind === "refused" || outcome.kind === "unacceptable") {
      expect(outcome.reason).toContain(engine_result);
    }
  });

  it.each(["terPRE_SEQ", "temREDUNDANT", "telINSUF_FEE_P"])(
    "takes what is refused for outdated once its ledgers are over, of which the node says nothing: %s",
    (engine_result) => {
      const sent = { signed: new Uint8Array(), id: ID, lastLedger: 1_050 };
      expect(engineOutcome({ engine_result, validated_ledger_index: 1_051 }, sent).kind).toBe("outdated");
    },
  );

  it("hands over nothing that was not written here", () => {
    expect(() => node.broadcast(Uint8Array.of(1))).toThrow(TypeError);
  });
});

describe("following on a node of the XRP Ledger", () => {
  it("has a head that nothing undoes", async () => {
    expect(await answerOf(node.head())).toEqual({
      height: 1_000n,
      hash: stubLedgerHash(1_000),
      confirmedHeight: 1_000n,
      finalHeight: 1_000n,
    });
  });

  it("finds our transactions in a validated ledger, in its order", async () => {
    const [a, b, c] = ["AA", "BB", "CC"].map((byte) => byte.repeat(32));
    rippled.ledgers.set(999, [a ?? "", b ?? "", c ?? ""]);
    const ours = new Set([c ?? "", a ?? "", "DD".repeat(32)]);
    expect(await answerOf(node.block(999n, ours))).toEqual({
      height: 999n,
      hash: stubLedgerHash(999),
      parentHash: stubLedgerHash(998),
      holds: [a, c],
    });
    expect(await node.block(1_001n, ours)).toEqual({ ok: true, value: undefined });
    expect(await node.block(1_002n, ours)).toEqual({ ok: true, value: undefined });
  });

  const landed = (change: object = {}) => ({
    hash: ID,
    ledger_hash: stubLedgerHash(990),
    ledger_index: 990,
    validated: true,
    tx_json: { Fee: "12", DeliverMax: "1500000" },
    meta: { TransactionResult: "tesSUCCESS", delivered_amount: "1500000" },
    ...change,
  });
  const see = () => answerOf(node.sight(ID));
  const INCLUDED = {
    kind: "included",
    height: 990n,
    blockHash: stubLedgerHash(990),
    isFinal: true,
    fee: 12n,
  };

  it("sees a transaction nowhere, waiting, and in its ledger with the fee that it paid", async () => {
    expect(await see()).toEqual({ kind: "unknown" });
    rippled.transactions.set(ID, { hash: ID, tx_json: { Fee: "12" }, validated: false });
    expect(await see()).toEqual({ kind: "waiting" });
    rippled.transactions.set(ID, { hash: ID, tx_json: { Fee: "12" } });
    expect(await see()).toEqual({ kind: "waiting" });
    rippled.transactions.set(ID, landed());
    expect(await see()).toEqual({ ...INCLUDED, succeeded: true });
    // seconds since the first of January 2000
    const tx_json = { Fee: "12", DeliverMax: "1500000", date: 848_448_000 };
    rippled.transactions.set(ID, landed({ tx_json }));
    expect(await see()).toEqual({ ...INCLUDED, date: "2026-11-20T00:00:00.000Z", succeeded: true });
  });

  it("INV-4 does not take one for waiting whose last ledger is over: a node shows what it was handed as long as it is asked", async () => {
    const [hash, Fee] = [ID, "12"];
    const shown = (LastLedgerSequence: number) => ({ hash, tx_json: { Fee, LastLedgerSequence } });
    rippled.transactions.set(ID, shown(rippled.validated));
    expect(await see()).toEqual({ kind: "waiting" });
    rippled.transactions.set(ID, shown(rippled.validated - 1));
    expect(await see()).toEqual({ kind: "unknown" });
  });

  it("sees one that failed and cost its fee", async () => {
    rippled.transactions.set(ID, landed({ meta: { TransactionResult: "tecUNFUNDED_PAYMENT" } }));
    expect(await see()).toEqual({ ...INCLUDED, succeeded: false, reason: "tecUNFUNDED_PAYMENT" });
  });

  it("tells what was delivered where it is less than was asked for, and that nothing was", async () => {
    const meta = { TransactionResult: "tesSUCCESS" };
    rippled.transactions.set(ID, landed({ meta: { ...meta, delivered_amount: "1499999" } }));
    expect(await see()).toEqual({ ...INCLUDED, succeeded: true, arrived: 1_499_999n });
    rippled.transactions.set(ID, landed());
    const sight = (amount: string) => answerOf(node.sight(ID, { ...XRP_TRANSFER, amount }));
    expect(await sight(XRP_TRANSFER.amount)).toEqual({ ...INCLUDED, succeeded: true });
    expect(await sight("1500001")).toEqual({ ...INCLUDED, succeeded: true, arrived: 1_500_000n });
    rippled.transactions.set(ID, landed({ meta: { ...meta, delivered_amount: "0" } }));
    expect(await see()).toMatchObject({ ...INCLUDED, succeeded: false, movedNothing: true });
  });

  it.each(["1500001", undefined])(
    "does not believe that it succeeded when %s drops arrived of those that were sent",
    async (delivered_amount) => {
      rippled.transactions.set(ID, landed({ meta: { TransactionResult: "tesSUCCESS", delivered_amount } }));
      expect(await codeOf(node.sight(ID))).toBe("ServiceUnavailable");
    },
  );

  it("takes nothing for an id that is none", () => {
    for (const id of ["", "ab".repeat(32), `${ID}AB`]) expect(() => node.sight(id)).toThrow(TypeError);
  });
});

describe("INV-4 whether a transaction is dead", () => {
  const fate = async (...transactions: readonly OwnTransaction[]) => {
    const found = await node.fateOf(XRPL_SENDER, transactions);
    return found.ok ? found.value.kind : found.problem.code;
  };
  const past = (sequence: number): void => {
    rippled.accounts.set(XRPL_SENDER, { balance: 100_000_000n, sequence });
  };
  const other = (sequence: number, account = XRPL_SENDER) => ({
    hash: ID,
    account,
    sequence,
    signature: "AB".repeat(64),
  });

  it("is open until a ledger past its last one is validated, and dead then if its place is free", async () => {
    const own = await made();
    expect(await fate(own)).toBe("open");
    rippled.validated = own.lastLedger;
    expect(await fate(own)).toBe("open");
    rippled.validated = own.lastLedger + 1;
    expect(await fate(own)).toBe("dead");
  });

  it("looks at what is validated, and not at the open ledger", async () => {
    const own = await made();
    rippled.validated = own.lastLedger + 1;
    rippled.accounts.set(XRPL_SENDER, { balance: 1n, sequence: 501, validatedSequence: 500 });
    expect(await fate(own)).toBe("dead");
  });

  it("is open for good when it has landed, whatever signature it landed with", async () => {
    const own = await made();
    rippled.validated = own.lastLedger + 1_000;
    past(501);
    rippled.landed = [{ hash: own.id, account: XRPL_SENDER, sequence: 500, signature: own.signature }];
    expect(await fate(own)).toBe("open");
    // signers were asked twice, and what they made the first time was hidden from everybody
    const signature = new Uint8Array(71).fill(5);
    rippled.landed = [
      {
        hash: xrplId(signedXrpl(own.unsigned, signature)),
        account: XRPL_SENDER,
        sequence: 500,
        signature: bytesToHex(signature),
      },
    ];
    expect(await fate(own)).toBe("open");
  });

  it("is dead when another transaction has its place, before its ledgers are over", async () => {
    const own = await made();
    past(502);
    rippled.landed = [other(501), other(500)];
    expect(await fate(own)).toBe("dead");
    rippled.landed = [{ hash: ID, account: XRPL_SENDER, sequence: 500 }];
    expect(await fate(own)).toBe("dead");
  });

  it("looks for what took its place among all that concerns the account, page by page", async () => {
    const own = await made();
    past(502);
    rippled.landed = [
      other(500, XRPL_RECIPIENT),
      other(501),
      other(0),
      other(499, XRPL_RECIPIENT),
      other(500),
    ];
    expect(await fate(own)).toBe("dead");
    expect(rippled.asked.filter(({ method }) => method === "account_tx")).toHaveLength(3);
  });

  it("has no verdict from a node that does not show what took its place, or shows it not validated", async () => {
    const own = await made();
    past(501);
    expect(await fate(own)).toBe("ServiceUnavailable");
    rippled.landed = [other(501), other(499), other(500, XRPL_RECIPIENT)];
    expect(await fate(own)).toBe("ServiceUnavailable");
    rippled.landed = [{ ...other(500), isValidated: false }];
    expect(await fate(own)).toBe("ServiceUnavailable");
  });

  it("has no verdict from a node without the account, or of another chain", async () => {
    const own = await made();
    rippled.validated = own.lastLedger + 1;
    rippled.networkId = 0;
    expect(await fate(own)).toBe("ServiceUnavailable");
    rippled.networkId = 1;
    rippled.accounts.delete(XRPL_SENDER);
    expect(await fate(own)).toBe("ServiceUnavailable");
  });

  it("is dead only when all of a request's transactions are", async () => {
    const first = await made();
    rippled.validated = 1_020;
    const second = await made();
    rippled.validated = first.lastLedger + 1;
    expect([await fate(first), await fate(first, second), await fate(second)]).toEqual([
      "dead",
      "open",
      "open",
    ]);
    rippled.validated = second.lastLedger + 1;
    expect(await fate(first, second)).toBe("dead");
    await expect(node.fateOf(XRPL_SENDER, [])).rejects.toThrow(TypeError);
  });
});

describe("reading accounts on a node of the XRP Ledger", () => {
  it("tells what is validated, and nothing of an account that nobody has paid to", async () => {
    expect(await answerOf(node.balance(XRPL_SENDER))).toBe(100_000_000n);
    expect(await node.balance(XRPL_EDWARDS_SENDER)).toEqual({ ok: true, value: 0n });
    expect(await node.nextSequence(XRPL_EDWARDS_SENDER)).toEqual({ ok: true, value: undefined });
    await expect(async () => node.balance("x")).rejects.toThrow(TypeError);
  });

  it("has no tokens, and one fee for all", async () => {
    expect(await node.describeToken("x")).toEqual({ ok: true, value: {} });
    expect(await node.tokenBalance(XRPL_SENDER, "x")).toEqual({ ok: true, value: undefined });
    expect(await node.tokenOwner("x", 1n)).toEqual({ ok: true, value: undefined });
    expect(await codeOf(node.feeLevels())).toBe("PriorityNotSupported");
  });
});
