import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Arrival, ChainNode } from "../../chain.ts";
import { openTronLedger, type ScriptedTronLedger, tronEntryAt } from "../../testing/ledgers/tron-ledger.ts";
import { bodyOf, jsonAnswer, type NodeAnswer } from "../../testing/scripted-node.ts";
import { TRC10_ID, TRON_RECIPIENT, TRON_SENDER, TRON_TOKEN } from "../../testing/tron-samples.ts";
import { tronAccount } from "../rules/address.ts";
import { tronHexAddress } from "./hex-address.ts";
import { tronNode } from "./node.ts";

const HEIGHT = 5n;
const BLOCK = "/walletsolidity/getblock";
const BY_BLOCK = "/walletsolidity/gettransactioninfobyblocknum";
const BY_ID = "/walletsolidity/gettransactioninfobyid";
const [ONE, TWO] = ["1a".repeat(32), "2b".repeat(32)];
const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

let ledger: ScriptedTronLedger;
let node: ChainNode;
beforeAll(async () => {
  ledger = await openTronLedger();
  await ledger.mine(10);
});
beforeEach(() => {
  ledger.node.reset();
  node = tronNode(tronEntryAt(ledger.node.url));
});
afterAll(() => ledger.stop());

/** Makes the node show the block with these transactions. */
const shows = (...transactions: readonly object[]): void =>
  ledger.node.changes(BLOCK, ({ block_header, ...block }, request) => {
    const { raw_data } = Object(block_header);
    const header = { raw_data: { ...raw_data, txTrieRoot: "7e".repeat(32) } };
    return bodyOf(request)["id_or_num"] === String(HEIGHT)
      ? { ...block, block_header: header, transactions }
      : undefined;
  });
/** Makes the node give these records of the block's calls. */
const tells = (...infos: readonly object[]): void => ledger.node.says(BY_BLOCK, () => infos);

const hex20 = (address: string): string => Buffer.from(tronAccount(address)).toString("hex");
const topicOf = (address: string): string => hex20(address).padStart(64, "0");
const word = (value: bigint): string => value.toString(16).padStart(64, "0");
const hexOf = (text: string): string => Buffer.from(text).toString("hex");

const transaction = (txID: string, type: string, value: object, contractRet = "SUCCESS") => ({
  txID,
  ret: [{ contractRet }],
  raw_data: { contract: [{ type, parameter: { value } }] },
});
const payment = (change: object = {}, contractRet?: string) =>
  transaction(
    ONE,
    "TransferContract",
    {
      owner_address: tronHexAddress(TRON_SENDER),
      to_address: tronHexAddress(TRON_RECIPIENT),
      amount: 5n,
      ...change,
    },
    contractRet,
  );
const call = (txID: string) =>
  transaction(txID, "TriggerSmartContract", { owner_address: tronHexAddress(TRON_SENDER), data: "00" });
const log = (change: object = {}) => ({
  address: hex20(TRON_TOKEN),
  topics: [TRANSFER, topicOf(TRON_SENDER), topicOf(TRON_RECIPIENT)],
  data: word(7n),
  ...change,
});

const arrivalsOf = async (...transactions: object[]): Promise<readonly Arrival[] | undefined> => {
  shows(...transactions);
  const found = await node.arrivals?.(HEIGHT, async (addresses) => new Set(addresses));
  return found?.ok
    ? found.value
    : expect.fail(found?.ok === false ? found.problem.message : "it detects none");
};

describe("the arrivals of a solid block", () => {
  it("is payments that were carried out, of TRX and of TRC-10 tokens", async () => {
    const token = {
      owner_address: tronHexAddress(TRON_SENDER),
      to_address: tronHexAddress(TRON_RECIPIENT),
      amount: 2n ** 63n - 1n,
      asset_name: hexOf(TRC10_ID),
    };
    expect(await arrivalsOf(payment(), transaction(TWO, "TransferAssetContract", token))).toMatchObject([
      {
        txHash: ONE,
        place: "contract",
        from: TRON_SENDER,
        moved: { kind: "Native", to: TRON_RECIPIENT, amount: "5" },
      },
      {
        txHash: TWO,
        place: "contract",
        from: TRON_SENDER,
        moved: { kind: "Trc10", tokenId: TRC10_ID, to: TRON_RECIPIENT, amount: "9223372036854775807" },
      },
    ]);
    for (const change of [{ amount: 0n }, { amount: undefined }]) {
      expect(await arrivalsOf(payment(change))).toEqual([]);
    }
    expect(await arrivalsOf(payment({}, "OUT_OF_TIME"))).toEqual([]);
    for (const name of ["BTT", "0", "1e9", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"]) {
      const named = transaction(TWO, "TransferAssetContract", { ...token, asset_name: hexOf(name) });
      expect(await arrivalsOf(named)).toEqual([]);
    }
  });

  it("K5 is read from logs that a contract's constructor wrote, too", async () => {
    const made = transaction(ONE, "CreateSmartContract", { owner_address: tronHexAddress(TRON_SENDER) });
    tells({ id: ONE, log: [log()] });
    expect(await arrivalsOf(made)).toMatchObject([
      { txHash: ONE, moved: { kind: "Trc20", contract: TRON_TOKEN, to: TRON_RECIPIENT, amount: "7" } },
    ]);
  });

  it("is read from tokens' logs, and is the same however often a block is read", async () => {
    const collectible = log({ topics: [...log().topics, word(9n)], data: "" });
    tells({ id: ONE, log: [log({ topics: ["00".repeat(32)] }), log(), collectible] });
    const common = { txHash: ONE, from: TRON_SENDER };
    const arrived = [
      {
        ...common,
        place: "log 1",
        moved: { kind: "Trc20", contract: TRON_TOKEN, to: TRON_RECIPIENT, amount: "7" },
      },
      {
        ...common,
        place: "log 2",
        moved: { kind: "Trc721", contract: TRON_TOKEN, to: TRON_RECIPIENT, tokenId: "9" },
      },
    ];
    for (let times = 0; times < 2; times += 1) expect(await arrivalsOf(call(ONE))).toMatchObject(arrived);
  });

  it.each([
    ["of another event", { topics: ["00".repeat(32), topicOf(TRON_SENDER), topicOf(TRON_RECIPIENT)] }],
    ["of no event", { topics: undefined }],
    ["that moves nothing", { data: word(0n) }],
    ["without an amount", { data: undefined }],
    ["with more than an amount", { data: `${word(7n)}00` }],
    ["to more than an account", { topics: [TRANSFER, topicOf(TRON_SENDER), "ff".repeat(32)] }],
    ["of a collectible with an amount", { topics: [...log().topics, word(9n)] }],
    ["of a collectible with a short id", { topics: [...log().topics, "09"], data: "" }],
  ])("is nothing by a log %s", async (_, change) => {
    tells({ id: ONE, log: [log(change)] });
    expect(await arrivalsOf(call(ONE))).toEqual([]);
  });

  it("is nothing by a call that was undone, and by one without logs", async () => {
    tells({ id: ONE, result: "FAILED", log: [log()] }, { id: TWO });
    expect(await arrivalsOf(call(ONE), call(TWO))).toEqual([]);
  });

  it("is of our wallets alone", async () => {
    shows(payment());
    const asked: string[] = [];
    const found = await node.arrivals?.(HEIGHT, async (addresses) => {
      asked.push(...addresses);
      return new Set();
    });
    expect([found, asked]).toEqual([{ ok: true, value: [] }, [TRON_RECIPIENT]]);
  });

  it("is unknown at a node that has the block and not the logs of its calls", async () => {
    shows(call(ONE), call(TWO));
    tells({ id: ONE, log: [log()] });
    const found = await node.arrivals?.(HEIGHT, async (addresses) => new Set(addresses));
    expect(found?.ok === false && found.problem.code).toBe("ServiceUnavailable");
  });

  it("K5 is not known where a payment is spelled otherwise, unless it failed", async () => {
    shows(payment({ to_address: TRON_RECIPIENT }));
    const found = await node.arrivals?.(HEIGHT, async (addresses) => new Set(addresses));
    expect(found?.ok === false && found.problem.code).toBe("ServiceUnavailable");
    expect(await arrivalsOf(payment({ to_address: TRON_RECIPIENT }, "REVERT"))).toEqual([]);
  });

  it("is not there yet of a block that is not solid", async () => {
    const { height } = await ledger.last("walletsolidity");
    const found = await node.arrivals?.(BigInt(height) + 1n, async () => new Set());
    expect(found).toEqual({ ok: true, value: undefined });
  });
});

describe("a node that shows another block, or a block without what it holds", () => {
  it("is asked again: what came is not passed over", async () => {
    shows(payment());
    const reported = async () => {
      const found = await node.arrivals?.(HEIGHT, async (addresses) => new Set(addresses));
      return found?.ok === true ? found.value?.length : found?.problem.code;
    };
    const { answers } = ledger.node;
    expect(await reported()).toBe(1);
    shows();
    expect(await reported()).toBe("ServiceUnavailable");
    ledger.node.answers = answers;
    ledger.node.changes(BLOCK, ({ block_header, ...block }) => ({
      ...block,
      block_header: { raw_data: { ...Object(block_header).raw_data, number: Number(HEIGHT) - 1 } },
    }));
    expect(await reported()).toBe("ServiceUnavailable");
    ledger.node.answers = answers;
    expect(await reported()).toBe(1);
  });
});

describe("K5 logs that a node does not give, or not in one answer", () => {
  const CLOSED = "this API is closed because this node is a lite fullnode";
  const reported = async () => node.arrivals?.(HEIGHT, async (addresses) => new Set(addresses));
  const unread = { ok: false, problem: { code: "ServiceUnavailable" } };
  const tooLarge = { ok: false, problem: { code: "BlockTooLarge", details: { height: "5" } } };
  /** Makes the node give each call's logs separately. @param late its answer about the second call; undefined for the logs */
  const tellsEach = (late: () => NodeAnswer | undefined): void => {
    const { answers } = ledger.node;
    ledger.node.answers = (request) => {
      if (request.path !== BY_ID) return answers(request);
      const { value } = bodyOf(request);
      return (value === TWO ? late() : undefined) ?? jsonAnswer({ id: value, log: [log()] });
    };
  };
  const askedById = () => ledger.calls(BY_ID).map(({ value }) => value);
  const LONG = { status: 200, text: "x".repeat(16 * 1024 * 1024 + 1) };

  it("are forgotten where it has the block and none of them, and not where some are missing", async () => {
    shows(payment(), call(TWO));
    expect(await reported()).toEqual({ ok: true, value: undefined });
    tells({ id: ONE });
    expect(await reported()).toMatchObject(unread);
    tells({ id: ONE }, { id: TWO, log: [log()] });
    expect(await reported()).toMatchObject({ ok: true, value: [{ txHash: ONE }, { txHash: TWO }] });
  });

  it("of a lite full node with its history closed are missing for every block, and no block is forgotten", async () => {
    shows(call(ONE));
    for (const text of [CLOSED, `${CLOSED}\n`]) {
      ledger.node.spoilt.set(BY_BLOCK, { status: 200, text });
      const found = await reported();
      expect(found).toMatchObject(unread);
      expect(found?.ok === false && found.problem.message).toContain("openHistoryQueryWhenLiteFN");
    }
    // without calls no logs are asked for
    shows(payment());
    expect(await reported()).toMatchObject({ ok: true, value: [{ txHash: ONE }] });
  });

  it.each([
    ["its proxy says so", { status: 413, text: "" }],
    ["its proxy waits for them in vain", { status: 504, text: "" }],
    ["they are longer than is read", LONG],
  ])("are read call by call where %s", async (_, whole) => {
    shows(payment(), call(TWO));
    ledger.node.spoilt.set(BY_BLOCK, whole);
    const info = { id: TWO, log: [log(), log({ address: "00" })] };
    ledger.node.spoilt.set(BY_ID, { status: 200, text: JSON.stringify({ ...info, log: [log()] }) });
    expect(await reported()).toMatchObject({
      ok: true,
      value: [{ txHash: ONE }, { txHash: TWO, place: "log 0" }],
    });
    expect(ledger.calls(BY_ID)).toEqual([{ value: TWO }]);
    for (const text of [JSON.stringify({ ...info, id: ONE, log: [log()] }), "{}", JSON.stringify(info)]) {
      ledger.node.spoilt.set(BY_ID, { status: 200, text });
      expect(await reported()).toMatchObject(unread);
    }
  });

  it("are read over several rounds where a call's are late, the other calls' once", async () => {
    const late = { status: 504, text: "" };
    shows(call(ONE), call(TWO));
    ledger.node.spoilt.set(BY_BLOCK, late);
    let isLate = true;
    tellsEach(() => (isLate ? late : undefined));
    for (let times = 0; times < 2; times += 1) expect(await reported()).toMatchObject(unread);
    isLate = false;
    expect(await reported()).toMatchObject({ ok: true, value: [{ txHash: ONE }, { txHash: TWO }] });
    expect(askedById()).toEqual([ONE, TWO, TWO, TWO]);
    // and once more in each round in which a call was missing
    expect(ledger.calls(BY_BLOCK)).toHaveLength(2);
  });

  it("that came call by call are kept where another node behind the address has none, until all came", async () => {
    shows(call(ONE), call(TWO));
    const whole = (answer: NodeAnswer): void => void ledger.node.spoilt.set(BY_BLOCK, answer);
    let isLate = true;
    tellsEach(() => (isLate ? { status: 500, text: "" } : undefined));
    whole({ status: 413, text: "" });
    expect(await reported()).toMatchObject(unread);
    const others = JSON.stringify([{ id: ONE }]);
    for (const text of ["[]", others]) {
      whole({ status: 200, text });
      expect((await reported())?.ok).toBe(text === "[]");
    }
    isLate = false;
    whole({ status: 413, text: "" });
    for (let times = 0; times < 2; times += 1) {
      expect(await reported()).toMatchObject({ ok: true, value: [{ txHash: ONE }, { txHash: TWO }] });
    }
    // read again in full, because they were dropped after the block was complete
    expect(askedById()).toEqual([ONE, TWO, TWO, TWO, TWO, ONE, TWO]);
  });

  it("of one call may be as long as what it may burn buys", async () => {
    shows(call(TWO));
    ledger.node.spoilt.set(BY_BLOCK, { status: 413, text: "" });
    const returned = "00".repeat(3_000_000);
    const log19 = { address: hex20(TRON_TOKEN), topics: [], data: "00".repeat(18_750_000) };
    const text = JSON.stringify({ id: TWO, contractResult: [returned], log: [log19, log()] });
    ledger.node.spoilt.set(BY_ID, { status: 200, text });
    expect(await reported()).toMatchObject({ ok: true, value: [{ txHash: TWO, place: "log 1" }] });
  });

  it("are too large where those of one call are, and so is a block", async () => {
    shows(call(TWO));
    ledger.node.spoilt.set(BY_BLOCK, { status: 413, text: "" }).set(BY_ID, { status: 413, text: "" });
    expect(await reported()).toMatchObject(tooLarge);
    ledger.node.spoilt.clear();
    for (const whole of [LONG, { status: 413, text: "" }]) {
      ledger.node.spoilt.set(BLOCK, whole);
      expect(await reported()).toMatchObject(tooLarge);
    }
    ledger.node.spoilt.set(BLOCK, { status: 502, text: "" });
    expect(await reported()).toMatchObject(unread);
  });
});
