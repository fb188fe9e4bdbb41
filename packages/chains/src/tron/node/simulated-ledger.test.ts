import { TRC20_TEST_TOKEN, TRC721_TEST_COLLECTION } from "@conclave/ledgers/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode, TransactionIntent } from "../../chain.ts";
import { openTronLedger, type ScriptedTronLedger, tronEntryAt } from "../../testing/ledgers/tron-ledger.ts";
import {
  authorisedTron,
  authorisedTronBytes,
  TRC10_TRANSFER,
  TRC20_TRANSFER,
  TRC721_TRANSFER,
  TRON_DRAFT,
  TRON_NILE,
  TRON_RECIPIENT,
  TRON_SENDER,
  TRX_TRANSFER,
  tronIntent,
  withTronSignature,
} from "../../testing/tron-samples.ts";
import { decodeTron, encodeTron } from "../transaction.ts";
import { tronNode } from "./node.ts";

const TRX = 1_000_000;

let ledger: ScriptedTronLedger;
let node: ChainNode;

beforeEach(async () => {
  ledger = await openTronLedger();
  node = tronNode(tronEntryAt(ledger.url));
});
afterEach(() => ledger.stop());

const made = async (act?: TransactionIntent["act"]) => {
  const built = await node.build(tronIntent(act));
  if (!built.ok) expect.fail(built.problem.message);
  const { unsigned, details } = built.value;
  return { details, ...withTronSignature(unsigned) };
};
const refusalOf = async (act: TransactionIntent["act"]): Promise<string> => {
  const built = await node.build(tronIntent(act));
  return built.ok ? "built" : `${built.problem.code}: ${built.problem.message}`;
};
const answerOf = async <T>(
  asked: Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: object }>,
): Promise<T> => {
  const answer = await asked;
  return answer.ok ? answer.value : expect.fail(JSON.stringify(answer.problem));
};
const passUntil = (timeMs: number): void => ledger.clock.pass(timeMs - ledger.clock.now());
const balanceOf = (owner: string) => answerOf(node.balance(owner));
const everyone = async (addresses: readonly string[]) => new Set(addresses);

describe("a payment of TRX", () => {
  it("makes its recipient's account, and costs what was foretold", async () => {
    const before = await balanceOf(TRON_SENDER);
    const { signed, txHash, details } = await made();
    expect(details["fee"]).toBe("1100000");
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    expect(await answerOf(node.sight(txHash))).toEqual({ kind: "waiting" });
    await ledger.mine();
    expect(await answerOf(node.sight(txHash))).toMatchObject({
      kind: "included",
      isFinal: false,
      fee: 1_100_000n,
      succeeded: true,
    });
    expect([await balanceOf(TRON_RECIPIENT), await balanceOf(TRON_SENDER)]).toEqual([
      1_500_000n,
      before - 2_600_000n,
    ]);
  });

  it("is free to an account that is there, and is final once its block is solid", async () => {
    await ledger.admin("fund", { address: TRON_RECIPIENT, amount: 5 * TRX });
    await ledger.mine();
    const { signed, txHash, details } = await made();
    expect(details["fee"]).toBe("0");
    await node.broadcast(signed);
    const { height } = await answerOf(node.head());
    await ledger.mine(1);
    const block = await answerOf(node.block(height + 1n, new Set([txHash])));
    expect(block).toMatchObject({ height: height + 1n, holds: [txHash] });
    await ledger.mine(30);
    const { finalHeight } = await answerOf(node.head());
    expect(finalHeight > height).toBe(true);
    expect(await answerOf(node.sight(txHash))).toEqual({
      kind: "included",
      height: height + 1n,
      blockHash: block?.hash,
      isFinal: true,
      fee: 0n,
      date: expect.any(String),
      succeeded: true,
    });
  });

  it("costs what was foretold by the byte, once the day's free bandwidth is used", async () => {
    await ledger.admin("fund", { address: TRON_RECIPIENT, amount: 5 * TRX });
    await ledger.mine();
    const fees: string[] = [];
    for (const nth of ["c", "d", "f"]) {
      const requestId = `xfr-aaaaa-bbbbb-cccccccccccccc${nth}`;
      const { signed, txHash, details } = await made(authorisedTron(TRX_TRANSFER, { requestId }));
      expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
      await ledger.mine();
      const sight = await answerOf(node.sight(txHash));
      expect(sight.kind === "included" && sight.fee.toString()).toBe(details["fee"]);
      fees.push(String(details["fee"]));
    }
    expect(fees).toEqual(["0", "0", expect.stringMatching(/^2[67][0-9]000$/)]);
  });

  it("may leave nothing at all behind, and is not built for one sun more", async () => {
    const balance = await balanceOf(TRON_SENDER);
    const most = (balance - 1_100_000n).toString();
    const tooMuch = authorisedTron({ ...TRX_TRANSFER, amount: (BigInt(most) + 1n).toString() });
    expect(await refusalOf(tooMuch)).toContain("InsufficientFunds");
    const { signed } = await made(authorisedTron({ ...TRX_TRANSFER, amount: most }));
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    await ledger.mine();
    expect([await balanceOf(TRON_SENDER), await balanceOf(TRON_RECIPIENT)]).toEqual([0n, BigInt(most)]);
  });

  it("goes to no contract, nor does a TRC-10 token: the chain would refuse it", async () => {
    const contract = await ledger.deploy(TRC20_TEST_TOKEN, [1]);
    const tokenId = await ledger.issue();
    for (const transfer of [TRX_TRANSFER, { ...TRC10_TRANSFER, tokenId }]) {
      expect(await refusalOf(authorisedTron({ ...transfer, to: contract }))).toContain(
        "RecipientCannotReceive",
      );
    }
  });

  it("INV-4 is sent any number of times, and lands once", async () => {
    const { signed } = await made();
    for (let times = 0; times < 3; times += 1) {
      expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    }
    await ledger.mine();
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    await ledger.mine();
    expect(await balanceOf(TRON_RECIPIENT)).toBe(1_500_000n);
  });

  it("is not final before its block is solid: a reorganisation undoes it, and the same bytes land again", async () => {
    const { signed, txHash } = await made();
    await node.broadcast(signed);
    await ledger.mine();
    const first = await answerOf(node.sight(txHash));
    expect(first).toMatchObject({ kind: "included", isFinal: false });
    await ledger.admin("reorg", { depth: 1 });
    await ledger.admin("drop");
    const { height } = await answerOf(node.head());
    expect(await answerOf(node.sight(txHash))).toEqual({ kind: "unknown" });
    expect(await balanceOf(TRON_RECIPIENT)).toBe(0n);
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    await ledger.mine();
    const second = await answerOf(node.sight(txHash));
    if (first.kind !== "included" || second.kind !== "included") expect.fail("it is in a block");
    expect(second.blockHash).not.toBe(first.blockHash);
    const block = await answerOf(node.block(first.height, new Set([txHash])));
    expect(block?.hash).not.toBe(first.blockHash);
    expect(second.height > height).toBe(true);
    await ledger.mine(10);
    expect(await answerOf(node.sight(txHash))).toMatchObject({ isFinal: true, blockHash: second.blockHash });
    expect(await balanceOf(TRON_RECIPIENT)).toBe(1_500_000n);
  });

  it("INV-4 lands beside an equal one of another request", async () => {
    const other = authorisedTron(TRX_TRANSFER, { requestId: "xfr-aaaaa-bbbbb-cccccccccccccccd" });
    const [first, second] = [await made(), await made(other)];
    expect(first.txHash).not.toBe(second.txHash);
    await node.broadcast(first.signed);
    await node.broadcast(second.signed);
    await ledger.mine();
    expect(await balanceOf(TRON_RECIPIENT)).toBe(3_000_000n);
  });

  it("is refused by the chain when it is altered, or its time is over", async () => {
    const { signed, unsigned } = await made();
    const altered = signed.with(signed.length - 40, (signed[signed.length - 40] ?? 0) ^ 1);
    expect(await node.broadcast(altered)).toMatchObject({ kind: "unacceptable" });
    const decoded = decodeTron(unsigned);
    passUntil(Number(decoded.ok ? decoded.value.expirationMs : 0n));
    await ledger.mine();
    expect(await node.broadcast(signed)).toMatchObject({
      kind: "outdated",
      reason: expect.stringContaining("TRANSACTION_EXPIRATION_ERROR"),
    });
  });
});

describe("INV-4 whether a transaction can still land", () => {
  const fateOf = (...own: Awaited<ReturnType<typeof made>>[]) => answerOf(node.fateOf(TRON_SENDER, own));
  const untilSolidAt = async (timeMs: number) => {
    passUntil(timeMs);
    await ledger.mine(30);
  };

  it("stays open until a solid block is later than its expiration, and then it is dead", async () => {
    const lost = await made();
    expect(await fateOf(lost)).toEqual({ kind: "open" });
    const expiration = Number(lost.details["expiration"]);
    passUntil(expiration);
    await ledger.mine();
    // the head is past the expiration, but the solid block is not
    expect(await fateOf(lost)).toEqual({ kind: "open" });
    await untilSolidAt(expiration);
    expect(await fateOf(lost)).toMatchObject({ kind: "dead", reason: expect.stringContaining("is past") });
    expect(await fateOf(lost)).toMatchObject({ kind: "dead" });
  });

  it("is open for good once one of them has landed", async () => {
    const [landed, lost] = [
      await made(),
      await made(authorisedTron(TRX_TRANSFER, { requestId: "xfr-aaaaa-bbbbb-cccccccccccccccd" })),
    ];
    await node.broadcast(landed.signed);
    await ledger.mine();
    await untilSolidAt(Math.max(Number(landed.details["expiration"]), Number(lost.details["expiration"])));
    expect(await fateOf(landed)).toEqual({ kind: "open" });
    expect(await fateOf(lost, landed)).toEqual({ kind: "open" });
    expect(await fateOf(lost)).toMatchObject({ kind: "dead" });
  });

  it("gets no verdict from a node of another chain", async () => {
    const lost = await made();
    await untilSolidAt(Number(lost.details["expiration"]));
    const other = tronNode({ ...TRON_NILE, fullNodeUrl: ledger.url });
    const fate = await other.fateOf(TRON_SENDER, [lost]);
    expect(!fate.ok && fate.problem.code).toBe("ServiceUnavailable");
  });
});

describe("tokens of contracts", () => {
  it("TRC-20 moves, for the energy that it took when it was tried", async () => {
    const contract = await ledger.deploy(TRC20_TEST_TOKEN, [5_000_000]);
    const act = authorisedTron({ ...TRC20_TRANSFER, contract });
    const { signed, txHash, details } = await made(act);
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    await ledger.mine();
    const sight = await answerOf(node.sight(txHash));
    expect(sight).toMatchObject({ kind: "included", succeeded: true });
    expect(sight.kind === "included" && sight.fee.toString()).toBe(details["fee"]);
    expect(await answerOf(node.tokenBalance(TRON_RECIPIENT, contract))).toBe(2_500_000n);
    expect(await answerOf(node.describeToken(contract))).toMatchObject({ decimals: 6, verified: false });
    expect(await refusalOf(authorisedTron({ ...TRC20_TRANSFER, contract, amount: "2500001" }))).toContain(
      "InsufficientFunds: insufficient funds: 2500001 units",
    );
  });

  it("TRC-20 is not moved by what is no contract, nor without TRX for its energy", async () => {
    expect(await refusalOf(authorisedTron({ ...TRC20_TRANSFER, contract: TRON_RECIPIENT }))).toContain(
      "ExecutionReverted: there is no contract",
    );
    expect(await answerOf(node.tokenBalance(TRON_SENDER, TRON_RECIPIENT))).toBeUndefined();
    expect(await answerOf(node.describeToken(TRON_RECIPIENT))).toEqual({});
  });

  it("a call that runs out of what it may spend has failed for good, and its fee is paid", async () => {
    const contract = await ledger.deploy(TRC20_TEST_TOKEN, [5_000_000]);
    const act = authorisedTron({ ...TRC20_TRANSFER, contract });
    const { unsigned } = await made(act);
    const decoded = decodeTron(unsigned);
    if (!decoded.ok) expect.fail(decoded.problem.message);
    const cheap = encodeTron({ ...decoded.value, feeLimit: 100_000n });
    const { signed, txHash } = withTronSignature(cheap);
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    await ledger.mine(30);
    expect(await answerOf(node.sight(txHash))).toMatchObject({
      kind: "included",
      isFinal: true,
      succeeded: false,
      fee: 100_000n,
      reason: expect.stringContaining("OUT_OF_ENERGY"),
    });
  });

  it("TRC-721 moves, by its owner alone", async () => {
    const contract = await ledger.deploy(TRC721_TEST_COLLECTION, [3]);
    const act = authorisedTron({ ...TRC721_TRANSFER, contract, tokenId: "1" });
    const { signed, txHash } = await made(act);
    await node.broadcast(signed);
    await ledger.mine();
    expect(await answerOf(node.sight(txHash))).toMatchObject({ kind: "included", succeeded: true });
    expect(await answerOf(node.tokenOwner(contract, 1n))).toBe(TRON_RECIPIENT);
    expect(await answerOf(node.tokenOwner(contract, 99n))).toBeUndefined();
    expect(await refusalOf(act)).toContain("the wallet does not own the token 1");
  });
});

describe("a TRC-10 token", () => {
  it("moves, and is what it says of itself", async () => {
    const tokenId = await ledger.issue();
    const { signed, txHash } = await made(authorisedTron({ ...TRC10_TRANSFER, tokenId }));
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    await ledger.mine();
    expect(await answerOf(node.sight(txHash))).toMatchObject({
      kind: "included",
      succeeded: true,
      fee: 1_100_000n,
    });
    expect(await answerOf(node.tokenBalance(TRON_RECIPIENT, tokenId))).toBe(2_500_000n);
    expect(await answerOf(node.tokenBalance(TRON_RECIPIENT, "1000009"))).toBeUndefined();
    expect(await answerOf(node.describeToken(tokenId))).toEqual({
      symbol: "DEV",
      decimals: 2,
      verified: false,
    });
    expect(await answerOf(node.describeToken("1000009"))).toEqual({});
    expect(await refusalOf(authorisedTron({ ...TRC10_TRANSFER, tokenId: "1000009" }))).toContain(
      "InsufficientFunds",
    );
  });
});

describe("a caller's own bytes", () => {
  it("land as they are, once, and refer to a block of this chain", async () => {
    const { contract } = TRON_DRAFT;
    if (contract.type !== "TransferContract") expect.fail("the sample is a payment");
    const built = await ledger.sdk.transactionBuilder.sendTrx(
      contract.to,
      Number(contract.amount),
      TRON_SENDER,
    );
    const unsigned = Buffer.from(built.raw_data_hex, "hex");
    const { signed, txHash } = await made(authorisedTronBytes(unsigned));
    expect(txHash).toBe(built.txID);
    await node.broadcast(signed);
    await ledger.mine();
    expect(await answerOf(node.sight(txHash))).toMatchObject({ kind: "included", succeeded: true });
    expect(await refusalOf(authorisedTronBytes(unsigned))).toContain("this very transaction already");
    expect(await refusalOf(authorisedTronBytes(encodeTron(TRON_DRAFT)))).toContain(
      "refers to a block that the chain does not have",
    );
  });
});

describe("an arrival from outside", () => {
  it("is read from payments and tokens' logs of a solid block", async () => {
    const trc20 = await ledger.deploy(TRC20_TEST_TOKEN, [5_000_000]);
    const trc721 = await ledger.deploy(TRC721_TEST_COLLECTION, [3]);
    const tokenId = await ledger.issue();
    const hashes: string[] = [];
    for (const transfer of [
      TRX_TRANSFER,
      { ...TRC10_TRANSFER, tokenId },
      { ...TRC20_TRANSFER, contract: trc20 },
      { ...TRC721_TRANSFER, contract: trc721, tokenId: "1" },
    ]) {
      const { signed, txHash } = await made(authorisedTron(transfer));
      await node.broadcast(signed);
      hashes.push(txHash);
    }
    await ledger.mine();
    const { height } = await answerOf(node.head());
    expect(await answerOf(node.arrivals?.(height, everyone) ?? expect.fail())).toBeUndefined();
    await ledger.mine(30);
    const arrived = await answerOf(node.arrivals?.(height, everyone) ?? expect.fail());
    const common = { from: TRON_SENDER };
    expect(arrived).toMatchObject([
      {
        ...common,
        txHash: hashes[0],
        place: "contract",
        moved: { kind: "Native", to: TRON_RECIPIENT, amount: "1500000" },
      },
      {
        ...common,
        txHash: hashes[1],
        place: "contract",
        moved: { kind: "Trc10", tokenId, to: TRON_RECIPIENT, amount: "2500000" },
      },
      {
        ...common,
        txHash: hashes[2],
        place: "log 0",
        moved: { kind: "Trc20", contract: trc20, to: TRON_RECIPIENT, amount: "2500000" },
      },
      {
        ...common,
        txHash: hashes[3],
        place: "log 0",
        moved: { kind: "Trc721", contract: trc721, to: TRON_RECIPIENT, tokenId: "1" },
      },
    ]);
    expect(await answerOf(node.arrivals?.(height, async () => new Set()) ?? expect.fail())).toEqual([]);
  });
});
