import { base58 } from "@scure/base";
import { createSolanaRpc } from "@solana/kit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import {
  openSolanaLedger,
  type ScriptedSolanaLedger,
  SOLANA_FINAL,
  solanaEntryAt,
  solanaRefusal,
} from "../../testing/ledgers/solana-ledger.ts";
import { jsonAnswer, type NodeAnswer, rpcCallOf } from "../../testing/scripted-node.ts";
import { SOLANA_TOKEN_PROGRAM } from "../message/programs.ts";
import { solanaAddress } from "../rules/address.ts";
import { solanaNode } from "./node.ts";

const SLOT = 25n;
/** a slot without a block in the ledger */
const SKIPPED = 20n;
const [GIVER, OURS, LOOKED_UP] = [1, 2, 3].map((byte) => solanaAddress(new Uint8Array(32).fill(byte)));
const IDS = Array.from({ length: 10 }, (_, at) => base58.encode(new Uint8Array(64).fill(at + 1)));
const LONG = { status: 200, text: "x".repeat(32 * 1024 * 1024 + 1) };
const PROXY = { status: 413, text: "" };
const LATE = { status: 504, text: "" };

let ledger: ScriptedSolanaLedger;
let node: ChainNode;
/** header of the slot's block, as the node shows it */
let header: object;
beforeAll(async () => {
  ledger = await openSolanaLedger();
  await ledger.mine(2 * SOLANA_FINAL);
  const rpc = createSolanaRpc(ledger.url);
  expect(await rpc.getBlocks(SKIPPED - 1n, SKIPPED + 1n).send()).toEqual([SKIPPED - 1n, SKIPPED + 1n]);
  const shown = await rpc.getBlock(SLOT, { transactionDetails: "none", rewards: false }).send();
  header = { ...shown, blockTime: 1_800_000_000 };
});
beforeEach(() => {
  ledger.node.reset();
  node = solanaNode(solanaEntryAt(ledger.node.url));
});
afterAll(() => ledger.stop());

const reported = async () =>
  node.arrivals?.(SLOT, async (asked) => new Set(asked.filter((one) => one === OURS)));
const unread = { ok: false, problem: { code: "ServiceUnavailable" } };
const tooLarge = { ok: false, problem: { code: "BlockTooLarge", details: { height: "25" } } };
const result = (value: unknown): NodeAnswer => jsonAnswer({ jsonrpc: "2.0", id: 1, result: value });
const refused = (code: number, message: string): NodeAnswer => jsonAnswer(solanaRefusal(code, message));

const asked = () => ledger.node.asked.map(rpcCallOf);
const asksOfOne = () => ledger.calls("getTransaction").length;

const meta = { err: null, fee: 5, preBalances: [105, 0, 0], postBalances: [60, 40, 0] };
const account = (pubkey: string | undefined, source = "transaction") => ({
  pubkey,
  signer: pubkey === GIVER,
  source,
  writable: true,
});
const listed = (id: string) => ({
  transaction: {
    signatures: [id],
    accountKeys: [account(GIVER), account(OURS), account(LOOKED_UP, "lookupTable")],
  },
  meta,
});
const single = (id: string) => ({
  slot: Number(SLOT),
  transaction: { signatures: [id], message: { accountKeys: [GIVER, OURS] } },
  meta: { ...meta, loadedAddresses: { writable: [], readonly: [LOOKED_UP] } },
});
const arrival = (id: string | undefined) => ({
  txHash: id,
  from: GIVER,
  moved: { kind: "Native", to: OURS, amount: "40" },
  date: "2027-01-15T08:00:00.000Z",
});

/** Makes the node give these answers to getBlock with transactions, and to each getTransaction. */
const nodeAnswers = (
  whole: NodeAnswer,
  one: (id: string) => NodeAnswer = (id) => result(single(id)),
): void => {
  ledger.node.answers = (request) => {
    const { method, params } = rpcCallOf(request);
    const [first, config] = params;
    if (method === "getTransaction") return one(String(first));
    if (method !== "getBlock" || first !== Number(SLOT)) return undefined;
    const { transactionDetails } = Object(config);
    return transactionDetails === "accounts" ? whole : result({ ...header, signatures: IDS });
  };
};

describe("K5 the block of a slot", () => {
  it("is asked for by the accounts of its transactions, those of lookup tables among them", async () => {
    nodeAnswers(result({ ...header, transactions: IDS.map(listed) }));
    expect(await reported()).toMatchObject({ ok: true, value: IDS.map(arrival) });
    const to = { ...meta, postBalances: [60, 0, 40] };
    nodeAnswers(result({ ...header, transactions: [{ ...listed(IDS[0] ?? ""), meta: to }] }));
    const found = await node.arrivals?.(SLOT, async (asked) => new Set(asked));
    expect(found).toMatchObject({ ok: true, value: [{ moved: { to: LOOKED_UP, amount: "40" } }] });
  });

  it("shows payments by a payer, of tokens into any account, if one payer alone gave as much", async () => {
    const mint = solanaAddress(new Uint8Array(32).fill(9));
    const units = (accountIndex: number, owner: string | undefined, amount: string) => ({
      accountIndex,
      mint,
      owner,
      programId: SOLANA_TOKEN_PROGRAM,
      uiTokenAmount: { amount },
    });
    const paid = {
      ...meta,
      preTokenBalances: [units(1, GIVER, "7"), units(2, OURS, "0")],
      postTokenBalances: [units(1, GIVER, "0"), units(2, OURS, "7")],
    };
    const shared = { ...meta, preBalances: [105, 100, 0], postBalances: [50, 50, 100] };
    const transactions = [paid, shared].map((each, at) => ({ ...listed(IDS[at] ?? ""), meta: each }));
    nodeAnswers(result({ ...header, transactions }));
    const nobody = async () => new Set<string>();
    const found = (payer: string | undefined) =>
      node.arrivals?.(SLOT, nobody, async (asked) => new Set(asked.filter((one) => one === payer)));
    const coin = { from: GIVER, moved: { kind: "Native", to: OURS, amount: "40" } };
    const token = { from: GIVER, moved: { kind: "Spl", mint, to: OURS, amount: "7" } };
    expect(await found(GIVER)).toMatchObject({ ok: true, value: [coin, token] });
    // two accounts gave together: neither is the payer
    expect(await found(LOOKED_UP)).toEqual({ ok: true, value: [] });
  });

  it.each([
    ["its proxy says so", PROXY],
    ["its proxy waits for it in vain", LATE],
    ["it is longer than is read", LONG],
  ])("is read transaction by transaction where %s", async (_, whole) => {
    nodeAnswers(whole);
    expect(await reported()).toMatchObject({ ok: true, value: IDS.map(arrival) });
  });

  it("is not read where a piece is of another slot, another one, missing, or in trouble", async () => {
    const last = IDS.at(-1);
    for (const odd of [
      result({ ...single(last ?? ""), slot: Number(SLOT + 1n) }),
      result(single(IDS[0] ?? "")),
      result(null),
      refused(-32_011, "Transaction history is not available from this node"),
      { status: 500, text: "" },
    ]) {
      nodeAnswers(PROXY, (id) => (id === last ? odd : result(single(id))));
      expect(await reported()).toMatchObject(unread);
    }
  });

  it("is asked for as a whole again where the node is in trouble", async () => {
    nodeAnswers({ status: 500, text: "" });
    expect(await reported()).toMatchObject(unread);
    expect(asked().map(({ method }) => method)).toEqual(["getBlock"]);
  });

  it("is read over several rounds where some of its transactions are missing at first, each asked for once", async () => {
    const fails = new Set([IDS[3], IDS[9]]);
    nodeAnswers(LATE, (id) => (fails.has(id) ? LATE : result(single(id))));
    for (const id of [IDS[3], IDS[9]]) {
      expect(await reported()).toMatchObject(unread);
      fails.delete(id);
    }
    expect(await reported()).toMatchObject({ ok: true, value: IDS.map(arrival) });
    expect(asksOfOne()).toBe(IDS.length + 2);
    const wholes = asked().filter(
      ({ method, params }) => method === "getBlock" && Object(params[1]).transactionDetails === "accounts",
    );
    // and once more in the round in which a piece was missing
    expect(wholes).toHaveLength(2);
  });

  it("keeps the transactions that came where another node behind the address lacks it, until all came", async () => {
    const absent = refused(-32_004, "Block not available for slot 25");
    const last = IDS.at(-1);
    let isLate = true;
    const one = (id: string) => (id === last && isLate ? LATE : result(single(id)));
    nodeAnswers(LATE, one);
    expect(await reported()).toMatchObject(unread);
    nodeAnswers(absent, one);
    expect(await reported()).toEqual({ ok: true, value: undefined });
    isLate = false;
    nodeAnswers(LATE, one);
    expect(await reported()).toMatchObject({ ok: true, value: IDS.map(arrival) });
    expect(asksOfOne()).toBe(IDS.length + 2);
    // read again in full, because the pieces were dropped after the block was complete
    await reported();
    expect(asksOfOne()).toBe(2 * IDS.length + 2);
  });

  it("reads balances that no JavaScript number holds, to the lamport", async () => {
    const own = {
      ...meta,
      preBalances: [9_007_199_254_740_993n, 0, 0],
      postBalances: [0, 9_007_199_254_740_988n, 0],
    };
    nodeAnswers(result({ ...header, transactions: [{ ...listed(IDS[0] ?? ""), meta: own }] }));
    expect(await reported()).toMatchObject({ ok: true, value: [{ moved: { amount: "9007199254740988" } }] });
  });

  it("is not read where a payment to us has an invalid id; invalid texts elsewhere do not matter", async () => {
    const at = (id: string, change: object = {}) => ({ ...listed(id), ...change });
    nodeAnswers(result({ ...header, transactions: [at("0".repeat(88))] }));
    expect(await reported()).toMatchObject(unread);
    const strange = {
      transaction: { signatures: ["0"], accountKeys: [account(GIVER), account("0"), account(LOOKED_UP)] },
    };
    nodeAnswers(result({ ...header, transactions: [at("0", strange), at(IDS[0] ?? "")] }));
    expect(await reported()).toMatchObject({ ok: true, value: [arrival(IDS[0])] });
  });

  it("is not read where a balance of one of its accounts is missing", async () => {
    for (const odd of [{ postBalances: [60, 40] }, { preBalances: [] }, { postBalances: [60, 40, 0, 0] }]) {
      nodeAnswers(
        result({ ...header, transactions: [{ ...listed(IDS[0] ?? ""), meta: { ...meta, ...odd } }] }),
      );
      expect(await reported()).toMatchObject(unread);
    }
  });

  it("is too large where one of its transactions is, or its list", async () => {
    nodeAnswers(PROXY, (id) => (id === IDS[7] ? PROXY : result(single(id))));
    expect(await reported()).toMatchObject(tooLarge);
    ledger.node.spoilt.set("getBlock", LONG);
    ledger.node.answers = () => undefined;
    expect(await reported()).toMatchObject(tooLarge);
  });

  it.each([
    [-32_001, "Block 25 cleaned up, does not exist on node. First available block: 30"],
    [-32_004, "Block not available for slot 25"],
    [-32_011, "Transaction history is not available from this node"],
  ])("is forgotten, or still to come, where the node says %i", async (code, message) => {
    ledger.node.spoilt.set("getBlock", refused(code, message));
    const absent = { ok: true, value: undefined };
    expect([await reported(), await node.block(SLOT, new Set())]).toEqual([absent, absent]);
  });

  it.each([
    [-32_007, "Slot 25 was skipped, or missing due to ledger jump to recent snapshot"],
    [-32_009, "Slot 25 was skipped, or missing in long-term storage"],
  ])("is empty where the node says %i and its neighbours prove it, else forgotten", async (code, message) => {
    const refuses = (slot: bigint): void => {
      ledger.node.answers = (request) => {
        const { method, params } = rpcCallOf(request);
        return method === "getBlock" && params[0] === Number(slot) ? refused(code, message) : undefined;
      };
    };
    refuses(SLOT);
    expect(await reported()).toEqual({ ok: true, value: undefined });
    refuses(SKIPPED);
    expect(await node.arrivals?.(SKIPPED, async () => new Set())).toEqual({ ok: true, value: [] });
  });

  it.each([
    [-32_005, "Node is behind by 42 slots"],
    [-32_014, "Block status not yet available for slot 25"],
    [-32_015, "Transaction version (1) is not supported"],
    [-32_016, "Minimum context slot has not been reached"],
    [-32_019, "Failed to query long-term storage; please try again"],
    [-32_603, "Internal error"],
  ])("is read again later where the node says %i", async (code, message) => {
    ledger.node.spoilt.set("getBlock", refused(code, message));
    expect(await reported()).toMatchObject(unread);
  });
});
