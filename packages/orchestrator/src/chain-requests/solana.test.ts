import { NODES } from "@conclave/chains/node";
import {
  SOLANA_DEVNET,
  SOLANA_KEY,
  SOLANA_RECIPIENT,
  SOLANA_SENDER,
  StubSolana,
  solanaBytes,
  stubBlockhash,
} from "@conclave/chains/testing";
import { isPlainText } from "@conclave/custody";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followOnce } from "../testing/follow-once.ts";
import { startWalletWorld, type WalletWorld } from "../testing/wallet-world.ts";

const payment = { from: SOLANA_SENDER, to: SOLANA_RECIPIENT };
const lamports = { kind: "Native", ...payment, amount: "1500000000" };

let world: WalletWorld;
let stub: StubSolana;

beforeEach(async () => {
  stub = await StubSolana.start();
  stub.accounts.set(SOLANA_SENDER, { lamports: 10_000_000_000n });
  world = await startWalletWorld(
    SOLANA_DEVNET,
    NODES.connect(Object.assign({}, SOLANA_DEVNET, { solanaUrl: stub.url })),
    "FROST-Ed25519",
    SOLANA_KEY,
  );
});
afterEach(async () => {
  await Promise.all([world.close(), stub.stop()]);
});

const landsIn = (transaction: Uint8Array | undefined, slot: bigint): void => {
  if (transaction === undefined) expect.fail("it is not signed");
  stub.landings.push({ slot, transaction, of: SOLANA_SENDER });
};

describe("a transfer on Solana", () => {
  it("is signed, handed over and confirmed with the fee that it paid", async () => {
    const { id } = await world.enter(lamports);
    expect(await world.carry(id)).toEqual({ kind: "Done" });
    expect(world.asked[0]?.signables.map(({ scheme }) => scheme)).toEqual(["FROST-Ed25519"]);
    const { signedTransaction } = await world.read(id);
    expect(Buffer.from(stub.posted.at(-1) ?? [])).toEqual(signedTransaction);
    landsIn(signedTransaction, 5_001n);
    stub.slot = 5_010n;
    await followOnce(world.handler);
    expect((await world.read(id)).status).toBe("Broadcasted");
    stub.slot = 5_033n;
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({ status: "Confirmed", fee: "5000", blockNumber: 5_001n });
  });

  it("that the chain executed and undid has failed, in its words, with its fee", async () => {
    const { id } = await world.enter(lamports);
    await world.carry(id);
    const { signedTransaction = new Uint8Array(0) } = await world.read(id);
    const err = { InstructionError: [2, { Custom: 1 }] };
    stub.landings.push({ slot: 5_001n, transaction: signedTransaction, of: SOLANA_SENDER, err });
    stub.slot = 5_033n;
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({
      status: "Failed",
      fee: "5000",
      reason: 'the chain executed it and reverted it: {"InstructionError":[2,{"Custom":1}]}',
    });
  });

  it("INV-4 does not wait for others of its wallet: the very same payment twice is two transactions", async () => {
    const [first, second] = [await world.enter(lamports), await world.enter(lamports)];
    await world.carry(second.id);
    await world.carry(first.id);
    const [one, other] = [await world.read(first.id), await world.read(second.id)];
    expect([one.status, other.status]).toEqual(["Broadcasted", "Broadcasted"]);
    expect(one.unsignedTransaction).not.toEqual(other.unsignedTransaction);
  });

  it("that is impossible has failed in words, and nothing was signed", async () => {
    const { id } = await world.enter({ ...lamports, amount: "890879" });
    expect(await world.carry(id)).toEqual({ kind: "Done" });
    expect(await world.read(id)).toMatchObject({
      status: "Failed",
      reason: expect.stringContaining("send at least 890880"),
    });
    expect(world.asked).toEqual([]);
  });

  it("waits for a node that is away, and says so", async () => {
    stub.spoilt.set("", { status: 503, text: "" });
    const { id } = await world.enter(lamports);
    expect(await world.carry(id)).toMatchObject({ kind: "Again" });
    expect(await world.read(id)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("does not answer"),
    });
    stub.spoilt.clear();
    await world.carry(id);
    expect((await world.read(id)).status).toBe("Broadcasted");
  });

  it("INV-4 sends the very same bytes again when the node's answer was lost", async () => {
    const { id } = await world.enter(lamports);
    stub.spoilt.set("sendTransaction", { status: 502, text: "" });
    expect(await world.carry(id)).toMatchObject({ kind: "Again" });
    stub.spoilt.clear();
    stub.refusal = "AlreadyProcessed";
    expect(await world.carry(id)).toEqual({ kind: "Done" });
    expect([
      world.asked.length,
      new Set(stub.posted.map((bytes) => Buffer.from(bytes).toString("hex"))).size,
    ]).toEqual([1, 1]);
    expect(Buffer.from(stub.posted.at(-1) ?? [])).toEqual((await world.read(id)).signedTransaction);
  });

  it("INV-4 is built again only when its blockhash is over and nothing of it landed, and the authority says so", async () => {
    const { id } = await world.enter(lamports);
    await world.carry(id);
    const first = await world.read(id);
    stub.refusal = "BlockhashNotFound";
    stub.slot = 5_151n;
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    stub.slot = 5_152n;
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([{ requestId: id, transactions: 1 }]);
    expect((await world.read(id)).txHash).toBe(first.txHash);
    await world.speak();
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({
      status: "Executing",
      deadTransactions: 1,
      txHash: undefined,
    });
    stub.refusal = undefined;
    await world.carry(id);
    const second = await world.read(id);
    expect([second.status, second.txHash === first.txHash, world.asked.length]).toEqual([
      "Broadcasted",
      false,
      2,
    ]);
    expect(world.asked[1]?.dead).toBeDefined();
  });

  it("INV-4 is confirmed, and not built again, when its message landed with another signature", async () => {
    const { id } = await world.enter(lamports);
    await world.carry(id);
    const { txHash, signedTransaction = new Uint8Array(0) } = await world.read(id);
    // the count of signatures, another one, and the very same message
    const other = signedTransaction.map((byte, at) => (at > 0 && at < 65 ? byte ^ 3 : byte));
    landsIn(other, 5_020n);
    stub.refusal = "BlockhashNotFound";
    stub.slot = 5_200n;
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    await followOnce(world.handler);
    const confirmed = await world.read(id);
    expect(confirmed).toMatchObject({ status: "Confirmed", blockNumber: 5_020n, fee: "5000" });
    expect(confirmed.txHash).not.toBe(txHash);
    expect(confirmed.signedTransaction).toEqual(other);
  });

  it("INV-5 ends, and lets others end, whatever words a node has for it", async () => {
    const [first, second] = [await world.enter(lamports), await world.enter(lamports)];
    await world.carry(first.id);
    await world.carry(second.id);
    const signed = (await world.read(first.id)).signedTransaction ?? expect.fail("it is not signed");
    const err = `\0${"\u{1f600}".repeat(300)}`;
    stub.landings.push({ slot: 5_001n, transaction: signed, of: SOLANA_SENDER, err });
    landsIn((await world.read(second.id)).signedTransaction, 5_001n);
    stub.slot = 5_033n;
    await followOnce(world.handler);
    const [undone, other] = [await world.read(first.id), await world.read(second.id)];
    expect([undone.status, other.status]).toEqual(["Failed", "Confirmed"]);
    expect(isPlainText(undone.reason ?? "")).toBe(true);
  });

  it("INV-5 waits, and says so, while a node is away with words that nobody can store", async () => {
    const { id } = await world.enter(lamports);
    const error = { code: -32_005, message: `\0x${"\u{1f600}".repeat(300)}` };
    stub.spoilt.set("", { status: 200, text: JSON.stringify({ jsonrpc: "2.0", id: 1, error }) });
    expect(await world.carry(id)).toMatchObject({ kind: "Again" });
    expect(isPlainText((await world.read(id)).reason ?? "\0")).toBe(true);
  });
});

describe("a caller's own bytes on Solana", () => {
  it("INV-4 that two requests hold are one transaction, of the first request alone", async () => {
    const bytes = solanaBytes({ blockhash: stubBlockhash(4_960n) });
    const [first, second] = [await world.enterBytes(bytes), await world.enterBytes(bytes)];
    expect(await world.carry(first)).toEqual({ kind: "Done" });
    await world.carry(second);
    expect(await world.read(second)).toMatchObject({
      status: "Failed",
      reason: "another request of the wallet has this very transaction",
    });
    landsIn((await world.read(first)).signedTransaction, 5_001n);
    stub.slot = 5_033n;
    await followOnce(world.handler);
    const third = await world.enterBytes(bytes);
    await world.carry(third);
    expect([(await world.read(first)).status, await world.read(third)]).toMatchObject([
      "Confirmed",
      { status: "Failed", reason: expect.stringContaining("the chain has this very transaction already") },
    ]);
    expect(world.asked.length).toBe(1);
  });
});
