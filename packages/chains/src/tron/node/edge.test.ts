import { TRC20_TEST_TOKEN, TRC721_TEST_COLLECTION, type TronTestContract } from "@conclave/ledgers/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import { CODE, contractOf } from "../../testing/evm/contract-code.ts";
import {
  openTronLedger,
  type ScriptedTronLedger,
  tronContract,
  tronEntryAt,
} from "../../testing/ledgers/tron-ledger.ts";
import {
  authorisedTron,
  TRC10_TRANSFER,
  TRC20_TRANSFER,
  TRC721_TRANSFER,
  TRON_RECIPIENT,
  TRON_SENDER,
  TRX_TRANSFER,
  tronIntent,
  withTronSignature,
} from "../../testing/tron-samples.ts";
import type { TronTransfer } from "../rules/act.ts";
import { tronNode } from "./node.ts";

const TRX = 1_000_000;
/** The result of each contract below, except for `transfer`: the balance of any address. */
const HELD = "6300989680";

/**
 * A hand-written contract that returns ten million to every call, stores nothing and logs nothing. So its `transfer`
 * returns no boolean and moves nothing.
 */
const IDLE = `${HELD}60005260206000f3`;
/**
 * As IDLE, but `transfer(address,uint256)` logs that the recipient got 1 % less than the amount, and returns false, as
 * USDT of the main network does when it takes a fee.
 */
const TAKING_FEE = [
  "60003560e01c63a9059cbb14601c57",
  IDLE,
  "5b6024358060649004900360005260043533",
  "7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
  "60206000a3600060005260206000f3",
].join("");
/** `transfer` returns false and logs nothing, as tokens from before the standard do if they move nothing. */
const FALSE_AND_NOTHING = `60003560e01c63a9059cbb14601c57${IDLE}5b600060005260206000f3`;

/**
 * ERC-165, whose interface ids TRON's collections use too: TRC-721, TRC-1155, and the interface for receiving
 * collectibles.
 */
const SUPPORTS = "supportsInterface(bytes4)";
const [TRC721, TRC1155, TAKES_COLLECTIBLES] = ["80ac58cd", "d9b67a26", "150b7a02"] as const;
/** A contract that supports ERC-165 and this interface: PUSH, CALLDATALOAD, SHR, EQ, OR, MSTORE, RETURN. */
const speaking = (id: string): TronTestContract =>
  tronContract(contractOf({ [SUPPORTS]: `60043560e01c8063${id}14906301ffc9a714175f5260205ff3` }).slice(2));

let ledger: ScriptedTronLedger;
let node: ChainNode;
let token: string;
let collection: string;
let requests = 0;

beforeAll(async () => {
  ledger = await openTronLedger();
  await ledger.fund(TRON_SENDER, 90_000 * TRX);
  node = tronNode(tronEntryAt(ledger.url));
  token = await ledger.deploy(TRC20_TEST_TOKEN, [50_000_000]);
  collection = await ledger.deploy(TRC721_TEST_COLLECTION, [3]);
});
afterAll(() => ledger.stop());

const build = (transfer: TronTransfer) => {
  requests += 1;
  const requestId = `xfr-aaaaa-bbbbb-${String(requests).padStart(15, "c")}`;
  return node.build(tronIntent(authorisedTron(transfer, { requestId })));
};

const judged = async (transfer: TronTransfer): Promise<string> => {
  const answer = await node.judgeRecipient?.(transfer);
  return answer === undefined || answer.ok ? "ok" : String(answer.problem.details["why"]);
};

const sunOf = async (address: string): Promise<bigint> =>
  BigInt(await ledger.sdk.trx.getUnconfirmedBalance(address));

/** Signs and sends a transfer, and waits for the block. @returns the estimate, the sighting, and the chain's record */
const carryOut = async (transfer: TronTransfer) => {
  const before = await sunOf(TRON_SENDER);
  const built = await build(transfer);
  const { unsigned, details } = built.ok ? built.value : expect.fail(built.problem.message);
  const { signed, txHash } = withTronSignature(unsigned);
  expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
  await ledger.mine();
  const sighting = await node.sight(txHash, transfer);
  if (!sighting.ok || sighting.value.kind !== "included") expect.fail("it has landed");
  const record = await ledger.sdk.trx.getUnconfirmedTransactionInfo(txHash);
  const spent = before - (await sunOf(TRON_SENDER));
  return { estimated: String(details["fee"]), sighting: sighting.value, record, spent };
};

describe("K3, K4 the report of a transfer is the chain's own record", () => {
  it("of TRX: a new account's price, and nothing where bandwidth is free", async () => {
    const first = await carryOut(TRX_TRANSFER);
    expect(first).toMatchObject({ estimated: "1100000", spent: 2_600_000n });
    expect(first.sighting).toMatchObject({ succeeded: true, fee: 1_100_000n });
    expect(first.record).toMatchObject({ fee: 1_100_000, receipt: { net_fee: 100_000 } });
    const second = await carryOut(TRX_TRANSFER);
    expect(second.sighting.fee).toBe(BigInt(second.record.fee ?? 0));
    expect(second.spent).toBe(1_500_000n + second.sighting.fee);
  });

  it("of TRX, by the byte: bandwidth that is burnt", async () => {
    for (let used = 0; used < 3; used += 1) await carryOut(TRX_TRANSFER);
    const { estimated, sighting, record, spent } = await carryOut(TRX_TRANSFER);
    expect(sighting.fee > 200_000n).toBe(true);
    expect([estimated, BigInt(record.fee ?? 0), spent]).toEqual([
      sighting.fee.toString(),
      sighting.fee,
      1_500_000n + sighting.fee,
    ]);
    expect(record.receipt).toMatchObject({ net_fee: Number(sighting.fee) });
  });

  it("of a TRC-20 token: energy and bandwidth that are burnt", async () => {
    const { estimated, sighting, record, spent } = await carryOut({ ...TRC20_TRANSFER, contract: token });
    const { energy_fee = 0, net_fee = 0 } = record.receipt;
    expect(sighting).toMatchObject({ succeeded: true, fee: BigInt(energy_fee + net_fee) });
    expect([estimated, BigInt(record.fee ?? 0), spent]).toEqual([
      sighting.fee.toString(),
      sighting.fee,
      sighting.fee,
    ]);
    expect("arrived" in sighting).toBe(false);
  });

  it("of a TRC-721 token", async () => {
    const { sighting, record, spent } = await carryOut({
      ...TRC721_TRANSFER,
      contract: collection,
      tokenId: "1",
    });
    expect(sighting).toMatchObject({ succeeded: true, fee: BigInt(record.fee ?? 0) });
    expect(spent).toBe(sighting.fee);
  });

  it("of a token that takes a fee and returns false: the arrived amount is reported", async () => {
    const contract = await ledger.deploy(tronContract(TAKING_FEE));
    const { sighting } = await carryOut({ ...TRC20_TRANSFER, contract });
    expect(sighting).toMatchObject({ succeeded: true, arrived: 2_475_000n });
  });

  it.each([
    ["returns false", FALSE_AND_NOTHING],
    ["returns no boolean", IDLE],
  ])("of a token that %s and moves nothing: it has failed, and its fee is paid", async (_, code) => {
    const contract = await ledger.deploy(tronContract(code));
    const { sighting, record, spent } = await carryOut({ ...TRC20_TRANSFER, contract });
    expect(sighting).toMatchObject({ succeeded: false, movedNothing: true });
    expect([BigInt(record.fee ?? 0), spent]).toEqual([sighting.fee, sighting.fee]);
    expect(sighting.fee > 0n).toBe(true);
  });
});

describe("K2 a recipient on a ledger of TRON", () => {
  it("is no contract for TRX and TRC-10 tokens, and no token's contract for tokens", async () => {
    for (const to of [token, collection]) {
      expect(await judged({ ...TRX_TRANSFER, to })).toContain("a contract");
      expect(await judged({ ...TRC10_TRANSFER, to })).toContain("a contract");
    }
    expect(await judged({ ...TRC20_TRANSFER, contract: collection, to: token })).toContain("of a token");
    const plain = await ledger.deploy(tronContract("00"));
    expect(await judged({ ...TRC20_TRANSFER, contract: token, to: plain })).toBe("ok");
    expect(await judged({ ...TRX_TRANSFER, to: TRON_RECIPIENT })).toBe("ok");
    expect(await judged({ ...TRC20_TRANSFER, contract: token, to: TRON_RECIPIENT })).toBe("ok");
  });

  it("is no collection for TRC-20 tokens, by what it says of its interfaces", async () => {
    const why = "a collection of collectibles, which gives no token back";
    for (const to of [
      collection,
      await ledger.deploy(speaking(TRC721)),
      await ledger.deploy(speaking(TRC1155)),
    ]) {
      expect(await judged({ ...TRC20_TRANSFER, contract: token, to })).toBe(why);
    }
    const takers = [
      speaking(TAKES_COLLECTIBLES),
      tronContract(contractOf({ [SUPPORTS]: CODE.answers(1n) }).slice(2)),
    ];
    for (const taker of takers) {
      expect(await judged({ ...TRC20_TRANSFER, contract: token, to: await ledger.deploy(taker) })).toBe("ok");
    }
  });

  it("is asked by a collectible itself: a collection that does not take it refuses the trial", async () => {
    const other = await ledger.deploy(TRC721_TEST_COLLECTION, [1]);
    const transfer = { ...TRC721_TRANSFER, contract: collection, to: other, tokenId: "2" };
    expect(await judged(transfer)).toBe("ok");
    const built = await build(transfer);
    expect(!built.ok && built.problem.code).toBe("ExecutionReverted");
  });

  it("is refused by the chain where a caller insists on paying a contract, before anything is signed", async () => {
    const built = await build({ ...TRX_TRANSFER, to: token });
    expect(!built.ok && [built.problem.code, built.problem.message]).toEqual([
      "RecipientCannotReceive",
      "the recipient is a contract, and the chain takes no payment of TRX or of a TRC-10 token to one: send to an account of its owner",
    ]);
  });

  it("is the token's own contract where a caller insists, and the chain carries it out", async () => {
    const { sighting } = await carryOut({ ...TRC20_TRANSFER, contract: token, to: token });
    expect(sighting.succeeded).toBe(true);
  });
});
