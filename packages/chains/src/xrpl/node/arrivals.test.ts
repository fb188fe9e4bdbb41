import { type RunningLedger, startXrpLedger } from "@conclave/ledgers";
import { commandLedger, HandClock } from "@conclave/ledgers/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AccountSet, Client, type Payment, Wallet } from "xrpl";
import { z } from "zod";
import type { Arrival, ChainNode } from "../../chain.ts";
import { type NodeAnswer, rpcCallOf, ScriptedNode } from "../../testing/scripted-node.ts";
import { XRPL_TESTNET } from "../../testing/xrpl-samples.ts";
import { xrplNode } from "./node.ts";

const NETWORK_ID = 20_261;
const [ALICE, BOB, CAROL] = [Wallet.generate(), Wallet.generate(), Wallet.generate()];
/** A made-up hash of a ledger or transaction. */
const hashOf = (index: number): string => index.toString(16).toUpperCase().padStart(64, "0");
const FUNDS = 100_000_000;
/** Fields of a ledger entry, such as an escrow, that holds XRP of Carol for Bob. */
const PROMISED = { Account: CAROL.address, Destination: BOB.address, DestinationTag: 4711 };

const arrivalsOf = async (
  node: ChainNode,
  height: number,
  ours: string,
): Promise<readonly Arrival[] | undefined> => {
  const found = await node.arrivals?.(
    BigInt(height),
    async (asked) => new Set(asked.filter((address) => address === ours)),
  );
  if (found?.ok !== true) throw new Error("the node does not tell");
  return found.value;
};

describe("of a ledger that checks what it takes", () => {
  let ledger: RunningLedger;
  let client: Client;
  let node: ChainNode;

  const admin = (action: string, input: object = {}) => commandLedger(ledger, action, input);
  /** Closes a ledger. @returns its index */
  const mine = async (): Promise<number> => z.object({ index: z.int() }).parse(await admin("mine")).index;

  /** Sends a transaction of Alice, and closes a ledger with it. */
  const land = async (transaction: Payment | AccountSet) => {
    const { tx_blob, hash } = ALICE.sign(await client.autofill(transaction));
    const { result } = await client.request({ command: "submit", tx_blob });
    return { hash, result: result.engine_result, height: await mine() };
  };
  const pay = (Amount: string, besides: Partial<Payment> = {}): Payment => ({
    TransactionType: "Payment",
    Account: ALICE.address,
    Destination: BOB.address,
    Amount,
    ...besides,
  });

  beforeAll(async () => {
    ledger = await startXrpLedger({
      clock: new HandClock(1_795_132_800_000),
      chain: String(NETWORK_ID),
      seed: "tests",
      blockMs: 0,
      listen: { host: "127.0.0.1", port: 0 },
      adminPort: 0,
      token: undefined,
    });
    client = new Client(ledger.url.replace("http:", "ws:"));
    await client.connect();
    node = xrplNode({ ...XRPL_TESTNET, networkId: NETWORK_ID, rippledUrl: ledger.url });
    await admin("fund", { address: ALICE.address, amount: FUNDS });
    await mine();
  });
  afterAll(async () => {
    await client.disconnect();
    await ledger.stop();
  });

  it("a payment arrives, at a wallet of ours alone, with its tag; the one that makes the account too", async () => {
    const first = await land(pay("2500000"));
    expect(await arrivalsOf(node, first.height, BOB.address)).toMatchObject([
      {
        txHash: first.hash,
        place: "XRP",
        from: ALICE.address,
        moved: { kind: "Native", to: BOB.address, amount: "2500000" },
      },
    ]);
    expect(await arrivalsOf(node, first.height, ALICE.address)).toEqual([]);
    const second = await land(pay("1", { DestinationTag: 0 }));
    expect(await arrivalsOf(node, second.height, BOB.address)).toMatchObject([
      { txHash: second.hash, moved: { to: BOB.address, amount: "1", memo: "0" } },
    ]);
  });

  it("a payment that failed and cost its fee brings nothing, nor does what moves nothing", async () => {
    const failed = await land(pay("500000", { Destination: CAROL.address }));
    expect(failed.result).toBe("tecNO_DST_INSUF_XRP");
    expect(await arrivalsOf(node, failed.height, CAROL.address)).toEqual([]);
    const { height } = await land({
      TransactionType: "AccountSet",
      Account: ALICE.address,
      Domain: "C0FFEE",
    });
    expect(await arrivalsOf(node, height, ALICE.address)).toEqual([]);
  });

  it("the arrivals of a ledger that is not there are unknown", async () => {
    expect(await arrivalsOf(node, 1_000_000, BOB.address)).toBeUndefined();
  });
});

describe("metadata as the real network writes them", () => {
  let rippled: ScriptedNode;
  let node: ChainNode;
  beforeAll(async () => {
    rippled = new ScriptedNode(async () => ({ status: 404, text: "" }));
    await rippled.start();
  });
  beforeEach(() => {
    node = xrplNode({ ...XRPL_TESTNET, rippledUrl: rippled.url });
  });
  afterAll(() => rippled.stop());
  const answers = (answer: (method: string, params: Record<string, unknown>) => NodeAnswer | undefined) => {
    rippled.answers = (request) => {
      const { method, params } = rpcCallOf(request);
      return answer(method, Object(params[0]));
    };
  };
  const asked = (method: string) => rippled.asked.filter((request) => rpcCallOf(request).method === method);

  const HASH = hashOf(0xabc);
  const grown = (address: string, before: string, after: string) => ({
    ModifiedNode: {
      LedgerEntryType: "AccountRoot",
      FinalFields: { Account: address, Balance: after, Flags: 0, OwnerCount: 0, Sequence: 5 },
      PreviousFields: { Balance: before },
    },
  });
  const transactionOf = (sent: object, nodes: readonly object[], meta: object = {}) => ({
    hash: HASH,
    tx_json: { Account: ALICE.address, Fee: "10", ...sent },
    meta: { AffectedNodes: nodes, TransactionIndex: 0, TransactionResult: "tesSUCCESS", ...meta },
  });
  /** @param listed the hashes in the list, if they differ from those of the transactions */
  const answerLedger = (
    ledger: { readonly transactions?: readonly { readonly hash: string }[] | undefined },
    validated = true,
    listed = ledger.transactions?.map(({ hash }) => hash),
  ): void => {
    answers((method, { expand }) => {
      if (method !== "ledger") return undefined;
      const transactions = expand === true ? ledger.transactions : listed;
      const reported = { parent_hash: HASH, transaction_hash: HASH, ...ledger, transactions };
      const result = { status: "success", validated, ledger: reported };
      return { status: 200, text: JSON.stringify({ result }) };
    });
  };
  const ledgerOf = (sent: object, nodes: readonly object[], validated = true): void =>
    answerLedger({ transactions: [transactionOf(sent, nodes)] }, validated);
  const arrived = () => arrivalsOf(node, 7, BOB.address);

  it("of a partial payment what was delivered arrives, not what it names", async () => {
    const sent = { TransactionType: "Payment", Destination: BOB.address, DeliverMax: "9000000" };
    ledgerOf(sent, [grown(ALICE.address, "500", "400"), grown(BOB.address, "1000", "1090")]);
    expect(await arrived()).toMatchObject([{ from: ALICE.address, moved: { amount: "90" } }]);
  });

  it("a payment out of an escrow arrives, of a sender who is not named", async () => {
    ledgerOf({ TransactionType: "EscrowFinish" }, [
      grown(ALICE.address, "500", "490"),
      { DeletedNode: { LedgerEntryType: "Escrow", FinalFields: { Account: CAROL.address, Amount: "70" } } },
      grown(BOB.address, "1000", "1070"),
    ]);
    expect(await arrived()).toMatchObject([
      {
        txHash: HASH,
        place: "XRP",
        from: undefined,
        moved: { kind: "Native", to: BOB.address, amount: "70" },
      },
    ]);
  });

  it.each<readonly [string, object, object]>([
    [
      "a finished escrow",
      { TransactionType: "EscrowFinish" },
      { DeletedNode: { LedgerEntryType: "Escrow", FinalFields: PROMISED } },
    ],
    [
      "a cashed check",
      { TransactionType: "CheckCash", Account: BOB.address, Fee: "0" },
      { DeletedNode: { LedgerEntryType: "Check", FinalFields: PROMISED } },
    ],
    [
      "a channel that goes on",
      { TransactionType: "PaymentChannelClaim" },
      { ModifiedNode: { LedgerEntryType: "PayChannel", FinalFields: PROMISED } },
    ],
  ])("the destination tag in %s is reported with its payment", async (_, sent, promise) => {
    ledgerOf(sent, [promise, grown(BOB.address, "1000", "1070"), grown(CAROL.address, "5", "6")]);
    expect(await arrived()).toMatchObject([{ moved: { amount: "70", memo: "4711" } }]);
    const [toAnother] = (await arrivalsOf(node, 7, CAROL.address)) ?? [];
    expect(toAnother?.moved).toEqual({ kind: "Native", to: CAROL.address, amount: "1" });
  });

  it("a tag in any other entry is ignored, and a deleted account has none", async () => {
    ledgerOf({ TransactionType: "AccountDelete", Destination: BOB.address }, [
      { DeletedNode: { LedgerEntryType: "AccountRoot", FinalFields: { Account: ALICE.address } } },
      { DeletedNode: { LedgerEntryType: "Ticket", FinalFields: PROMISED } },
      grown(BOB.address, "1000", "1070"),
    ]);
    expect((await arrived())?.[0]?.moved).toEqual({ kind: "Native", to: BOB.address, amount: "70" });
    ledgerOf({ TransactionType: "EscrowFinish" }, [
      { DeletedNode: { LedgerEntryType: "Ticket", FinalFields: PROMISED } },
      grown(BOB.address, "1000", "1070"),
    ]);
    expect((await arrived())?.[0]?.moved).toEqual({ kind: "Native", to: BOB.address, amount: "70" });
  });

  it("a payment that the wallet collected itself is reported without the fee that it paid", async () => {
    ledgerOf({ TransactionType: "CheckCash", Account: BOB.address }, [grown(BOB.address, "1000", "1060")]);
    expect(await arrived()).toMatchObject([{ moved: { amount: "70" } }]);
    const delegated = { TransactionType: "CheckCash", Account: BOB.address, Delegate: CAROL.address };
    ledgerOf(delegated, [grown(BOB.address, "1000", "1060"), grown(CAROL.address, "1000", "990")]);
    expect(await arrived()).toMatchObject([{ moved: { amount: "60" } }]);
    ledgerOf({ TransactionType: "AccountSet", Account: BOB.address }, [grown(BOB.address, "1000", "990")]);
    expect(await arrived()).toEqual([]);
  });

  it("K5 a failed transaction brings nothing, even if it cost less than the fee that it names", async () => {
    const sent = { TransactionType: "Payment", Account: BOB.address, Fee: "200000" };
    const failed = transactionOf(sent, [grown(BOB.address, "100", "0")], {
      TransactionResult: "tecINSUFF_FEE",
    });
    answerLedger({ transactions: [failed] });
    expect(await arrived()).toEqual([]);
  });

  it("K5 a ledger whose transactions come in part, or not at all, is read again", async () => {
    const paid = (index: number) => ({
      ...transactionOf({ TransactionType: "Payment" }, [grown(BOB.address, "1000", "1090")], {
        TransactionIndex: index,
      }),
      hash: hashOf(index),
    });
    for (const transactions of [undefined, [], [paid(0), paid(2)], [paid(1)]]) {
      answerLedger({ transactions });
      await expect(arrived()).rejects.toThrow("the node does not tell");
    }
    answerLedger({ transactions: [paid(1), paid(0)] });
    expect(await arrived()).toHaveLength(2);
    // the list of transactions ends too early
    answerLedger(
      { transactions: [paid(0), paid(1)] },
      true,
      [0, 1, 2].map((index) => hashOf(index)),
    );
    await expect(arrived()).rejects.toThrow("the node does not tell");
    // the list of hashes names another transaction
    answerLedger(
      { transactions: [paid(0), paid(1)] },
      true,
      [0, 2].map((index) => hashOf(index)),
    );
    await expect(arrived()).rejects.toThrow("the node does not tell");
    const none = { transactions: undefined, transaction_hash: "0".repeat(64) };
    answerLedger(none);
    expect(await arrived()).toEqual([]);
  });

  it("tokens, and accounts that were only touched, bring no XRP", async () => {
    const balance = { currency: "USD", issuer: BOB.address, value: "1" };
    ledgerOf({ TransactionType: "Payment", Destination: BOB.address, DeliverMax: balance }, [
      {
        ModifiedNode: {
          LedgerEntryType: "RippleState",
          FinalFields: { Balance: balance },
          PreviousFields: {},
        },
      },
      { CreatedNode: { LedgerEntryType: "DirectoryNode", NewFields: { Owner: BOB.address } } },
      { ModifiedNode: { LedgerEntryType: "AccountRoot", LedgerIndex: HASH, PreviousTxnID: HASH } },
    ]);
    expect(await arrived()).toEqual([]);
  });

  it("INV-9 an account that cannot be read makes the whole ledger one that is read again", async () => {
    ledgerOf({ TransactionType: "Payment", Destination: BOB.address }, [grown(BOB.address, "1e3", "1090")]);
    await expect(arrived()).rejects.toThrow("the node does not tell");
  });

  it("a ledger that is not validated brings nothing that is known", async () => {
    ledgerOf({ TransactionType: "Payment" }, [grown(BOB.address, "1000", "1090")], false);
    expect(await arrived()).toBeUndefined();
  });

  const reported = async () => node.arrivals?.(7n, async () => new Set([BOB.address]));
  const tooLarge = { ok: false, problem: { code: "BlockTooLarge", details: { height: "7" } } };
  const IDS = [1, 2, 3, 4, 5, 6].map(hashOf);
  const payment = {
    tx_json: { TransactionType: "Payment", Account: ALICE.address, Destination: BOB.address, Fee: "10" },
    meta: {
      AffectedNodes: [grown(ALICE.address, "500", "400"), grown(BOB.address, "1000", "1090")],
      TransactionResult: "tesSUCCESS",
    },
  };
  /** A ledger that is too large for one answer, with each transaction changed by `change`. */
  const inPieces = (
    listed: object,
    change: (id: string) => object | "too large" = () => ({}),
    whole: NodeAnswer = { status: 413, text: "" },
  ): void => {
    answers((method, params) => {
      const result = (reported: object): NodeAnswer => ({
        status: 200,
        text: JSON.stringify({ result: reported }),
      });
      if (method === "ledger" && params["expand"] === true) return whole;
      if (method === "ledger") return result(listed);
      if (method !== "tx") return undefined;
      const id = String(params["transaction"]);
      const changed = change(id);
      if (changed === "too large") return { status: 200, text: "x".repeat(8 * 1024 * 1024 + 1) };
      const meta = { ...payment.meta, TransactionIndex: IDS.indexOf(id) };
      return result({ hash: id, ledger_index: 7, validated: true, ...payment, meta, ...changed });
    });
  };
  const LISTED = {
    validated: true,
    ledger: { close_time: 700_000_000, transaction_hash: HASH, transactions: IDS },
  };
  afterEach(() => {
    rippled.answers = () => undefined;
  });

  it("K5 a ledger that is too large is read transaction by transaction", async () => {
    for (const whole of [
      { status: 413, text: "" },
      { status: 504, text: "" },
      { status: 200, text: "x".repeat(8 * 1024 * 1024 + 1) },
    ]) {
      inPieces(LISTED, undefined, whole);
      const found = await arrived();
      expect(found?.map(({ txHash }) => txHash)).toEqual(IDS);
      expect(new Set(found?.map(({ date }) => date))).toEqual(new Set(["2022-03-07T20:26:40.000Z"]));
    }
  });

  it("K5 a ledger is read over several rounds where one of its transactions is missing at first", async () => {
    let isLate = true;
    inPieces(LISTED, (id) => (id === IDS[4] && isLate ? { status: "error", error: "txnNotFound" } : {}));
    rippled.asked.length = 0;
    expect(await reported()).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
    isLate = false;
    expect((await arrived())?.map(({ txHash }) => txHash)).toEqual(IDS);
    expect(asked("tx")).toHaveLength(IDS.length + 1);
  });

  it("K5 transactions that came are kept where another node behind the address lacks the ledger, or tells some of it", async () => {
    let isLate = true;
    const pieces = (listed: object, whole?: object) =>
      inPieces(
        listed,
        (id) => (id === IDS[4] && isLate ? { status: "error", error: "txnNotFound" } : {}),
        whole && { status: 200, text: JSON.stringify({ result: { status: "success", ...whole } }) },
      );
    rippled.asked.length = 0;
    pieces(LISTED);
    expect(await reported()).toMatchObject({ ok: false });
    pieces(LISTED, { status: "error", error: "lgrNotFound" });
    expect(await reported()).toEqual({ ok: true, value: undefined });
    pieces({ status: "error", error: "lgrNotFound" });
    expect(await reported()).toEqual({ ok: true, value: undefined });
    pieces({ ...LISTED, validated: false });
    expect(await reported()).toEqual({ ok: true, value: undefined });
    const some = { ...LISTED.ledger, transactions: [IDS[4]] };
    const second = { hash: IDS[4], ...payment, meta: { ...payment.meta, TransactionIndex: 1 } };
    pieces({ ...LISTED, ledger: some }, { ...LISTED, ledger: { ...some, transactions: [second] } });
    expect(await reported()).toMatchObject({ ok: false });
    isLate = false;
    pieces(LISTED);
    expect((await arrived())?.map(({ txHash }) => txHash)).toEqual(IDS);
    expect(asked("tx")).toHaveLength(IDS.length + 3);
    // read again in full, because they were dropped after the ledger was complete
    await arrived();
    expect(asked("tx")).toHaveLength(2 * IDS.length + 3);
  });

  it("K5 a ledger is too large where one of its transactions is", async () => {
    inPieces(LISTED, (id) => (id === IDS[4] ? "too large" : {}));
    expect(await reported()).toMatchObject(tooLarge);
  });

  it.each<readonly [string, object, object]>([
    ["of another ledger", LISTED, { ledger_index: 8 }],
    ["that is not validated", LISTED, { validated: false }],
    ["that is another one", LISTED, { hash: hashOf(99) }],
    ["that the node lacks", LISTED, { status: "error", error: "txnNotFound" }],
    ["without metadata", LISTED, { meta: undefined }],
  ])("K5 a piece %s is none: the ledger is read again later", async (_, listed, change) => {
    inPieces(listed, () => change);
    expect(await reported()).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
  });

  it("K5 a ledger that is not validated brings nothing that is known, in pieces as well", async () => {
    inPieces({ ...LISTED, validated: false });
    expect(await reported()).toEqual({ ok: true, value: undefined });
    inPieces({ status: "error", error: "lgrNotFound" });
    expect(await reported()).toEqual({ ok: true, value: undefined });
  });

  it("K5 a ledger is asked for as a whole again where the node is in trouble", async () => {
    inPieces(LISTED, undefined, { status: 500, text: "" });
    expect(await reported()).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
  });
});
