import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode, Sighting } from "../../chain.ts";
import { StubTron, type StubTronLanding } from "../../testing/stub-tron.ts";
import {
  TRC10_TRANSFER,
  TRC20_TRANSFER,
  TRC721_TRANSFER,
  TRON_NILE,
  TRON_RECIPIENT,
  TRON_SENDER,
  TRON_TOKEN,
  TRX_TRANSFER,
} from "../../testing/tron-samples.ts";
import type { TronTransfer } from "../rules/act.ts";
import { tronAccount, tronAddress } from "../rules/address.ts";
import { tronNode } from "./node.ts";

let tron: StubTron;
let node: ChainNode;
beforeEach(async () => {
  tron = await StubTron.start();
  node = tronNode({ ...TRON_NILE, fullNodeUrl: tron.url });
});
afterEach(() => tron.stop());

const ID = "5a".repeat(32);
const EVENT = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const SOMEBODY = tronAddress(hexToBytes("0b".repeat(20)));
const word = (value: bigint): string => value.toString(16).padStart(64, "0");
const account = (address: string): string => bytesToHex(tronAccount(address));
const topic = (address: string): string => account(address).padStart(64, "0");
const [TRUE, FALSE] = [word(1n), word(0n)];

const moved = (to: string, amount: bigint, from = TRON_SENDER, contract = TRON_TOKEN) => ({
  address: account(contract),
  topics: [EVENT, topic(from), topic(to)],
  data: word(amount),
});
const given = (to: string, tokenId: bigint, contract = TRON_TOKEN) => ({
  address: account(contract),
  topics: [EVENT, topic(TRON_SENDER), topic(to), word(tokenId)],
});

/** The view of a transfer that landed so. */
const seen = async (
  transfer: TronTransfer | undefined,
  landing: Partial<StubTronLanding>,
): Promise<Sighting> => {
  tron.landed.set(ID, { height: 900n, fee: 6_500_000n, result: "SUCCESS", ...landing });
  const sighting = await node.sight(ID, transfer);
  return sighting.ok ? sighting.value : expect.fail(sighting.problem.message);
};

const MOVED = { kind: "included", succeeded: true, fee: 6_500_000n, isFinal: true };
const NOTHING = { kind: "included", succeeded: false, movedNothing: true, fee: 6_500_000n, isFinal: true };

describe("K3 a transfer of a TRC-20 token that the chain carried out", () => {
  it.each<[string, string]>([
    ["true", TRUE],
    ["false, as USDT of the main network does", FALSE],
    ["nothing", ""],
    ["no boolean at all", word(2_500_000n)],
  ])("moved when its event says so, whatever it returned: %s", async (_, returned) => {
    const sighting = await seen(TRC20_TRANSFER, { logs: [moved(TRON_RECIPIENT, 2_500_000n)], returned });
    expect(sighting).toMatchObject(MOVED);
    expect("arrived" in sighting || "movedNothing" in sighting).toBe(false);
  });

  it.each<[string, Partial<StubTronLanding>]>([
    ["nothing was written and it returned false", { returned: FALSE }],
    ["nothing was written and it returned nothing", { returned: "" }],
    ["nothing was written and it returned no boolean", { returned: word(2n) }],
    [
      "the event is of another token",
      { returned: FALSE, logs: [moved(TRON_RECIPIENT, 5n, TRON_SENDER, SOMEBODY)] },
    ],
    ["the event is of somebody else's", { returned: FALSE, logs: [moved(SOMEBODY, 2_500_000n)] }],
    ["the event is of nothing", { returned: FALSE, logs: [moved(TRON_RECIPIENT, 0n)] }],
    [
      "the log is another event of the token",
      {
        returned: FALSE,
        logs: [
          {
            ...moved(TRON_RECIPIENT, 5n),
            topics: ["ab".repeat(32), topic(TRON_SENDER), topic(TRON_RECIPIENT)],
          },
        ],
      },
    ],
    ["the event is one of a kind's", { returned: FALSE, logs: [given(TRON_RECIPIENT, 2_500_000n)] }],
  ])("moved nothing when %s", async (_, landing) => {
    expect(await seen(TRC20_TRANSFER, landing)).toMatchObject({
      ...NOTHING,
      reason: "the token wrote no event of a transfer to the recipient, and did not return true",
    });
  });

  it("is believed that it moved when it wrote nothing and returned true: there is no other word of it", async () => {
    expect(await seen(TRC20_TRANSFER, { returned: TRUE })).toMatchObject(MOVED);
  });

  it("tells what arrived where the token takes a fee, in one event or in several", async () => {
    const fee = moved(SOMEBODY, 25_000n);
    expect(await seen(TRC20_TRANSFER, { logs: [moved(TRON_RECIPIENT, 2_475_000n), fee] })).toMatchObject({
      ...MOVED,
      arrived: 2_475_000n,
    });
    const parts = [moved(TRON_RECIPIENT, 2_000_000n), fee, moved(TRON_RECIPIENT, 400_000n, SOMEBODY)];
    expect(await seen(TRC20_TRANSFER, { logs: parts })).toMatchObject({ ...MOVED, arrived: 2_400_000n });
  });

  it("is judged by the chain alone where nothing is expected of it, and keeps its reason when it was undone", async () => {
    expect(await seen(undefined, { returned: FALSE })).toMatchObject(MOVED);
    const undone = await seen(TRC20_TRANSFER, { result: "REVERT", words: "REVERT opcode executed" });
    expect(undone).toMatchObject({ succeeded: false, reason: "REVERT: REVERT opcode executed" });
    expect(undone).not.toHaveProperty("movedNothing");
  });
});

describe("K3 a transfer of a TRC-721 token that the chain carried out", () => {
  const owner = (address: string): void =>
    tron.returns(TRON_TOKEN, "ownerOf(uint256)", [BigInt(`0x${account(address)}`)]);

  it("moved when its event says so, and nobody is asked", async () => {
    owner(TRON_SENDER);
    expect(await seen(TRC721_TRANSFER, { logs: [given(TRON_RECIPIENT, 7n)] })).toMatchObject(MOVED);
    expect(tron.asked.some(({ path }) => path.includes("constant"))).toBe(false);
  });

  it.each<[string, readonly object[]]>([
    ["nothing was written", []],
    ["another token was given", [given(TRON_RECIPIENT, 8n)]],
    ["it was given to another", [given(SOMEBODY, 7n)]],
    ["another collection wrote it", [given(TRON_RECIPIENT, 7n, SOMEBODY)]],
  ])("is the owner's word when %s", async (_, logs) => {
    owner(TRON_SENDER);
    expect(await seen(TRC721_TRANSFER, { logs })).toMatchObject({
      ...NOTHING,
      reason: "the wallet still owns the token",
    });
    owner(TRON_RECIPIENT);
    expect(await seen(TRC721_TRANSFER, { logs })).toMatchObject(MOVED);
    // it was given on since
    owner(SOMEBODY);
    expect(await seen(TRC721_TRANSFER, { logs })).toMatchObject(MOVED);
  });

  it("is not judged while the node is busy", async () => {
    tron.calls.set(`${TRON_TOKEN}.ownerOf(uint256)`, { result: { code: "SERVER_BUSY", message: "" } });
    tron.landed.set(ID, { height: 900n, result: "SUCCESS" });
    const sighting = await node.sight(ID, TRC721_TRANSFER);
    expect(!sighting.ok && sighting.problem.code).toBe("ServiceUnavailable");
  });
});

it("K3 payments of the ledger's own coins are undone or move what they say", async () => {
  tron.landed.set(ID, { height: 900n, fee: 1_100_000n });
  for (const transfer of [TRX_TRANSFER, TRC10_TRANSFER]) {
    const sighting = await node.sight(ID, transfer);
    expect(sighting).toMatchObject({ ok: true, value: { succeeded: true, fee: 1_100_000n } });
  }
});

describe("K2 a recipient, by what the chain shows of it", () => {
  const judged = async (transfer: TronTransfer): Promise<string> => {
    const answer = await node.judgeRecipient?.(transfer);
    if (answer === undefined || answer.ok) return "ok";
    return `${answer.problem.code}: ${String(answer.problem.details["why"] ?? answer.problem.message)}`;
  };
  const ALL = [TRX_TRANSFER, TRC10_TRANSFER, TRC20_TRANSFER, TRC721_TRANSFER];

  it("may be an account, and one that is not there yet", async () => {
    for (const transfer of ALL) expect(await judged(transfer)).toBe("ok");
    tron.accounts.set(TRON_RECIPIENT, { balance: 1n });
    for (const transfer of ALL) expect(await judged(transfer)).toBe("ok");
  });

  it("is no contract for TRX and TRC-10 tokens, and no token's for any", async () => {
    tron.accounts.set(TRON_RECIPIENT, { balance: 1n, isContract: true });
    const contract =
      "RecipientUnsuitable: a contract, which takes TRX and TRC-10 tokens by a call of its own alone";
    expect(await Promise.all(ALL.map(judged))).toEqual([contract, contract, "ok", "ok"]);
    // shares, tokens of a kind and others tell how many there are
    tron.returns(TRON_RECIPIENT, "totalSupply()", [1_000_000n]);
    expect(await Promise.all(ALL.map(judged))).toEqual([contract, contract, "ok", "ok"]);
    tron.returns(TRON_RECIPIENT, "balanceOf(address)", [0n]);
    const token = "RecipientUnsuitable: the contract of a token, which gives none back";
    expect(await Promise.all(ALL.map(judged))).toEqual([contract, contract, token, token]);
  });

  it("is not judged while the node is away", async () => {
    tron.spoilt.set("/wallet/getaccount", { status: 503, text: "" });
    expect(await judged(TRX_TRANSFER)).toContain("ServiceUnavailable");
    tron.spoilt.clear();
    tron.accounts.set(TRON_RECIPIENT, { balance: 1n, isContract: true });
    tron.calls.set(`${TRON_RECIPIENT}.supportsInterface(bytes4)`, {
      result: { code: "SERVER_BUSY", message: "" },
    });
    expect(await judged(TRC20_TRANSFER)).toContain("ServiceUnavailable");
    expect(await judged(TRC721_TRANSFER)).toBe("ok");
  });
});
