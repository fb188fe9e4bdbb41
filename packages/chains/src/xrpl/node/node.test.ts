import type { FamilyContent } from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decode } from "xrpl";
import type { ChainNode, OwnTransaction, Sequencing, TransactionIntent } from "../../chain.ts";
import { answerOf, codeOf } from "../../testing/answers.ts";
import { openAgedXrpLedger, type ScriptedXrpLedger } from "../../testing/ledgers/xrp-ledger.ts";
import {
  authorisedXrpl,
  withXrplSignature,
  XRP_TRANSFER,
  XRPL_EDWARDS_SENDER,
  XRPL_KEY,
  XRPL_RECIPIENT,
  XRPL_SENDER,
  XRPL_TESTNET,
} from "../../testing/xrpl-samples.ts";
import { decodeXrpl, signedXrpl, xrplId } from "../transaction.ts";
import { xrplNode } from "./node.ts";

const NEXT: Sequencing = { kind: "next", lowest: 0n };
const ID = "AB".repeat(32);

let rippled: ScriptedXrpLedger;
let node: ChainNode;
beforeEach(async () => {
  rippled = await openAgedXrpLedger();
  node = xrplNode({ ...XRPL_TESTNET, rippledUrl: rippled.node.url });
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

/** Builds and signs a transaction. */
const made = async (change: object = {}): Promise<Made> => {
  const built = await node.build(intent(NEXT, authorisedXrpl({ ...XRP_TRANSFER, ...change })));
  if (!built.ok) expect.fail(built.problem.message);
  const { unsigned } = built.value;
  const decoded = decodeXrpl(unsigned);
  if (!decoded.ok) expect.fail(decoded.problem.message);
  const { signed, txHash: id } = withXrplSignature(unsigned);
  const signature = String(decode(bytesToHex(signed))["TxnSignature"]);
  return { ...decoded.value, unsigned, signed, id, signature };
};

/** Sends a transaction to the node. */
const pass = async ({ signed }: OwnTransaction): Promise<void> =>
  expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });

/** Closes ledgers until this one is validated. */
const mineTo = async (validated: number): Promise<void> => {
  const head = await answerOf(node.head());
  await rippled.mine(validated - Number(head?.height));
};

/** @returns a ledger, as the node shows it */
const ledgerOf = async (index: number) => {
  const { ledger_hash: hash, ledger } = await rippled.rpc("ledger", {
    ledger_index: index,
    transactions: true,
  });
  return { hash, ...Object(ledger) };
};

/** Makes the node report another network id, or none. */
const ofAnotherChain = (network_id: number | undefined): void =>
  rippled.changes("server_state", (_, result) => ({
    ...result,
    state: { ...Object(result["state"]), network_id },
  }));

describe("building on a node of the XRP Ledger", () => {
  it("looks at the chain as it is at this moment", async () => {
    await rippled.admin("set-fees", { openLedger: 100 });
    const { sequence, lastLedger, unsigned } = await made();
    const decoded = decodeXrpl(unsigned);
    expect([sequence, lastLedger, decoded.ok && decoded.value.fee]).toEqual([500, 1_050, 120n]);
    expect(
      rippled
        .calls()
        .map(({ method }) => method)
        .sort(),
    ).toEqual(["account_info", "account_info", "fee", "server_state", "simulate"]);
    expect(rippled.calls().every(({ params }) => params["api_version"] === 2)).toBe(true);
  });

  it("takes the place after those in the open ledger and in the queue, up to the first empty one", async () => {
    const places = [{ seq: 503 }, { ticket: 5 }, { seq: 502 }, { seq: 505 }];
    rippled.shows(
      XRPL_SENDER,
      { Sequence: 502 },
      { queue_data: { txn_count: places.length, transactions: places } },
    );
    expect(await answerOf(node.nextSequence(XRPL_SENDER))).toBe(504n);
    expect((await made()).sequence).toBe(504);
  });

  it("waits for a place of ours that is empty, and takes it when it stays so for some ledgers", async () => {
    const ahead = intent({ kind: "next", lowest: 502n });
    expect(await codeOf(node.build(ahead))).toBe("ServiceUnavailable");
    await rippled.mine(3);
    expect(await codeOf(node.build(ahead))).toBe("ServiceUnavailable");
    await rippled.mine();
    expect((await answerOf(node.build(ahead)))?.sequence).toBe(500n);
    // a later empty place is waited for again
    await pass(await made());
    expect(await codeOf(node.build(ahead))).toBe("ServiceUnavailable");
  });

  it("says in words what is missing", async () => {
    const { tag: _, ...untagged } = XRP_TRANSFER;
    rippled.shows(XRPL_RECIPIENT, { Flags: 0x0002_0000 });
    expect(await codeOf(node.build(intent(NEXT, authorisedXrpl(untagged))))).toBe("RecipientCannotReceive");
    rippled.shows(XRPL_RECIPIENT, { Balance: "5000000", Flags: 0x0100_0000 });
    rippled.says("deposit_authorized", { deposit_authorized: false });
    expect(await codeOf(node.build(intent()))).toBe("RecipientCannotReceive");
    rippled.says("deposit_authorized", { deposit_authorized: true });
    expect(await codeOf(node.build(intent()))).toBe("ok");
    const small = authorisedXrpl({ ...XRP_TRANSFER, to: XRPL_EDWARDS_SENDER, amount: "999999" });
    expect(await codeOf(node.build(intent(NEXT, small)))).toBe("RecipientCannotReceive");
    rippled.shows(XRPL_SENDER, { Flags: 0x0010_0000 });
    expect(await codeOf(node.build(intent()))).toBe("TransactionInvalid");
    rippled.says("account_info", { status: "error", error: "actNotFound" });
    expect(await codeOf(node.build(intent()))).toBe("InsufficientFunds");
  });

  it("waits while the node is of another chain", async () => {
    ofAnotherChain(undefined);
    expect(await codeOf(node.build(intent()))).toBe("ServiceUnavailable");
    ofAnotherChain(21_337);
    expect(await codeOf(node.build(intent()))).toBe("ServiceUnavailable");
  });
});

describe("broadcasting on a node of the XRP Ledger", () => {
  it("hands over the very bytes, as often as it is asked", async () => {
    const own = await made();
    await pass(own);
    await pass(own);
    const blob = bytesToHex(own.signed).toUpperCase();
    expect(rippled.calls("submit").map(({ params }) => params["tx_blob"])).toEqual([blob, blob]);
  });

  it("believes no node that names another transaction", async () => {
    const { signed } = await made();
    rippled.says("submit", {
      engine_result: "tesSUCCESS",
      validated_ledger_index: 1_000,
      tx_json: { hash: ID },
    });
    expect(await node.broadcast(signed)).toMatchObject({ kind: "refused" });
    rippled.node.reset();
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
  });

  it("sends nothing that the family did not write", () => {
    expect(() => node.broadcast(Uint8Array.of(1))).toThrow(TypeError);
  });
});

describe("following on a node of the XRP Ledger", () => {
  it("has a head that nothing undoes", async () => {
    expect(await answerOf(node.head())).toEqual({
      height: 1_000n,
      hash: (await ledgerOf(1_000)).hash,
      confirmedHeight: 1_000n,
      finalHeight: 1_000n,
    });
  });

  it("finds our transactions in a validated ledger, in its order", async () => {
    const sent: Made[] = [];
    for (let count = 0; count < 3; count += 1) {
      const own = await made();
      await pass(own);
      sent.push(own);
    }
    await rippled.mine();
    const [first, , third] = sent;
    const ours = new Set([third?.id ?? "", first?.id ?? "", "DD".repeat(32)]);
    const { hash, parent_hash: parentHash, transactions } = await ledgerOf(1_001);
    expect(await answerOf(node.block(1_001n, ours))).toMatchObject({
      height: 1_001n,
      hash,
      parentHash,
      holds: transactions.filter((id: string) => ours.has(id)),
    });
    expect((await answerOf(node.block(1_001n, ours)))?.holds).toHaveLength(2);
    expect(await node.block(1_002n, ours)).toEqual({ ok: true, value: undefined });
    expect(await node.block(1_003n, ours)).toEqual({ ok: true, value: undefined });
  });

  /** A payment in the next ledger, with its sender's data and the expected sighting. */
  const landed = async () => {
    const own = await made();
    await pass(own);
    await rippled.mine();
    const { hash, close_time } = await ledgerOf(1_001);
    const included = {
      kind: "included",
      height: 1_001n,
      blockHash: hash,
      isFinal: true,
      fee: 12n,
      date: new Date((close_time + 946_684_800) * 1_000).toISOString(),
    };
    return { ...own, included };
  };
  const see = ({ id }: Made, content?: FamilyContent) => answerOf(node.sight(id, content));
  /** Changes the metadata that the node shows for a transaction. */
  const meta = (change: object): void =>
    rippled.changes("tx", (_, result) => ({ ...result, meta: { ...Object(result["meta"]), ...change } }));

  it("sees a transaction nowhere, waiting, and in its ledger with the fee that it paid", async () => {
    const own = await made();
    expect(await see(own)).toEqual({ kind: "unknown" });
    await pass(own);
    expect(await see(own)).toEqual({ kind: "waiting" });
    rippled.changes("tx", (_, result) => ({ ...result, validated: undefined }));
    expect(await see(own)).toEqual({ kind: "waiting" });
    rippled.node.reset();
    await rippled.mine();
    const { hash, close_time } = await ledgerOf(1_001);
    const included = { kind: "included", height: 1_001n, blockHash: hash, isFinal: true, fee: 12n };
    // the ledger's epoch is 2000-01-01
    const date = new Date((close_time + 946_684_800) * 1_000).toISOString();
    expect(await see(own)).toEqual({ ...included, date, succeeded: true });
    rippled.changes("tx", (_, result) => {
      const { date: _date, ...tx_json } = Object(result["tx_json"]);
      return { ...result, tx_json };
    });
    expect(await see(own)).toEqual({ ...included, succeeded: true });
  });

  it("INV-4 counts no transaction as waiting after its last ledger, although a node shows it while it is asked", async () => {
    const own = await made();
    await pass(own);
    await rippled.admin("delay", { blocks: 100 });
    rippled.says("tx", await rippled.rpc("tx", { transaction: own.id }));
    await mineTo(own.lastLedger);
    expect(await see(own)).toEqual({ kind: "waiting" });
    await rippled.mine();
    expect(await see(own)).toEqual({ kind: "unknown" });
  });

  it("sees one that failed and cost its fee", async () => {
    const own = await landed();
    meta({ TransactionResult: "tecUNFUNDED_PAYMENT" });
    expect(await see(own)).toEqual({ ...own.included, succeeded: false, reason: "tecUNFUNDED_PAYMENT" });
  });

  it("tells what was delivered where it is less than was asked for, and that nothing was", async () => {
    const own = await landed();
    const { included } = own;
    expect(await see(own, XRP_TRANSFER)).toEqual({ ...included, succeeded: true });
    const more = { ...XRP_TRANSFER, amount: "1500001" };
    expect(await see(own, more)).toEqual({ ...included, succeeded: true, arrived: 1_500_000n });
    meta({ delivered_amount: "1499999" });
    expect(await see(own)).toEqual({ ...included, succeeded: true, arrived: 1_499_999n });
    meta({ delivered_amount: "0" });
    expect(await see(own)).toMatchObject({ ...included, succeeded: false, movedNothing: true });
  });

  it.each(["1500001", undefined])(
    "does not believe that it succeeded when %s drops arrived of those that were sent",
    async (delivered_amount) => {
      const { id } = await landed();
      meta({ delivered_amount });
      expect(await codeOf(node.sight(id))).toBe("ServiceUnavailable");
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
  /** Lands another transaction of the account with its next sequence. */
  const pastBy = async (amount: string): Promise<Made> => {
    const taker = await made({ amount });
    await pass(taker);
    await rippled.mine();
    return taker;
  };
  interface Landed {
    readonly hash: string;
    readonly account: string;
    readonly sequence: number;
    readonly signature?: string;
    readonly isValidated?: boolean;
  }
  const other = (sequence: number, account = XRPL_SENDER): Landed => ({
    hash: ID,
    account,
    sequence,
    signature: "AB".repeat(64),
  });
  /** Makes the node list these transactions of the account, two at a time. */
  const nodeLists = (all: readonly Landed[]): void =>
    rippled.changes("account_tx", ({ marker = 0 }) => {
      const next = Number(marker) + 2;
      const transactions = all.slice(Number(marker), next).map(({ isValidated = true, ...each }) => ({
        hash: each.hash,
        validated: isValidated,
        ledger_index: 1,
        tx_json: { Account: each.account, Sequence: each.sequence, TxnSignature: each.signature },
      }));
      const more = next < all.length ? { marker: next } : {};
      return { status: "success", ledger_index_min: 1, transactions, ...more };
    });

  it("is open until a ledger past its last one is validated, and dead then if its place is free", async () => {
    const own = await made();
    expect(await fate(own)).toBe("open");
    await mineTo(own.lastLedger);
    expect(await fate(own)).toBe("open");
    await mineTo(own.lastLedger + 1);
    expect(await fate(own)).toBe("dead");
  });

  it("looks at what is validated, and not at the open ledger", async () => {
    const own = await made();
    await mineTo(own.lastLedger + 1);
    await pass(await made());
    expect(await fate(own)).toBe("dead");
  });

  it("is open for good when it has landed, whatever signature it landed with", async () => {
    const own = await made();
    await pass(own);
    await mineTo(own.lastLedger + 1_000);
    expect(await fate(own)).toBe("open");
    // landed with an earlier signature, from a session whose result was lost
    const signature = new Uint8Array(71).fill(5);
    const hash = xrplId(signedXrpl(own.unsigned, signature));
    nodeLists([
      { hash, account: XRPL_SENDER, sequence: 500, signature: bytesToHex(signature).toUpperCase() },
    ]);
    expect(await fate(own)).toBe("open");
  });

  it("is dead when another transaction has its place, before its ledgers are over", async () => {
    const own = await made();
    await pastBy("1500001");
    await pastBy("1500002");
    expect(await fate(own)).toBe("dead");
    nodeLists([{ hash: ID, account: XRPL_SENDER, sequence: 500 }]);
    expect(await fate(own)).toBe("dead");
  });

  it("looks for what took its place among all that concerns the account, page by page", async () => {
    const own = await made();
    await pastBy("1500001");
    nodeLists([other(500, XRPL_RECIPIENT), other(501), other(0), other(499, XRPL_RECIPIENT), other(500)]);
    expect(await fate(own)).toBe("dead");
    expect(rippled.calls("account_tx")).toHaveLength(3);
  });

  it("has no verdict from a node that does not show what took its place, or shows it not validated", async () => {
    const own = await made();
    await pastBy("1500001");
    nodeLists([]);
    expect(await fate(own)).toBe("ServiceUnavailable");
    nodeLists([other(501), other(499), other(500, XRPL_RECIPIENT)]);
    expect(await fate(own)).toBe("ServiceUnavailable");
    nodeLists([{ ...other(500), isValidated: false }]);
    expect(await fate(own)).toBe("ServiceUnavailable");
  });

  it("has no verdict from a node without the account, or of another chain", async () => {
    const own = await made();
    await mineTo(own.lastLedger + 1);
    ofAnotherChain(0);
    expect(await fate(own)).toBe("ServiceUnavailable");
    rippled.node.reset();
    expect(await fate(own)).toBe("dead");
    rippled.says("account_info", { status: "error", error: "actNotFound" });
    expect(await fate(own)).toBe("ServiceUnavailable");
  });

  it("is dead only when all of a request's transactions are", async () => {
    const first = await made();
    await mineTo(1_020);
    const second = await made();
    await mineTo(first.lastLedger + 1);
    expect([await fate(first), await fate(first, second), await fate(second)]).toEqual([
      "dead",
      "open",
      "open",
    ]);
    await mineTo(second.lastLedger + 1);
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
