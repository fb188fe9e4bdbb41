import type { FamilyContent } from "@conclave/custody";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { processSurroundings } from "../../breaker/node/surroundings.ts";
import type { ChainNode, TransactionIntent } from "../../chain.ts";
import { testEdwardsKey } from "../../testing/account.ts";
import { openStellarLedger, type ScriptedStellarLedger } from "../../testing/ledgers/stellar-ledger.ts";
import {
  authorisedStellar,
  authorisedStellarBytes,
  LUMEN_TRANSFER,
  SEP41_TRANSFER,
  STELLAR_KEY,
  STELLAR_RECIPIENT,
  STELLAR_SENDER,
  STELLAR_TESTNET,
  STELLAR_TRUSTLINE,
} from "../../testing/stellar-samples.ts";
import { STELLAR_FAMILY } from "../family.ts";
import { stellarAddress, stellarContractAddress } from "../rules/address.ts";
import { encodeStellar, stellarHash } from "../transaction.ts";
import { stellarNode } from "./node.ts";

const NETWORK = { ...STELLAR_TESTNET, feeCap: "10000000" };
const RECIPIENT_KEY = testEdwardsKey("0c".repeat(32));
/** an account that does not exist */
const STRANGER = stellarAddress(testEdwardsKey("0f".repeat(32)).publicKey);

let ledger: ScriptedStellarLedger;
let node: ChainNode;
let issuer: string;

beforeEach(async () => {
  ledger = await openStellarLedger();
  node = stellarNode(
    { ...NETWORK, horizonUrl: ledger.url, rpcUrl: `${ledger.url}/rpc` },
    { ...processSurroundings, monotonicMs: () => ledger.clock.now() },
  );
  issuer = String((await ledger.admin("hold"))["issuer"]);
});
afterEach(() => ledger.stop());

const intent = (act: TransactionIntent["act"], sender = STELLAR_SENDER): TransactionIntent => ({
  sender,
  keys: [STELLAR_KEY.publicKey],
  act,
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
});

const TO_STRANGER = authorisedStellar({ ...LUMEN_TRANSFER, to: STRANGER });
const made = async (act: TransactionIntent["act"] = TO_STRANGER, key = STELLAR_KEY) => {
  const built = await node.build(intent(act, stellarAddress(key.publicKey)));
  if (!built.ok) expect.fail(built.problem.message);
  const { unsigned, sequence } = built.value;
  const signature = key.sign(stellarHash(NETWORK.passphrase, unsigned));
  const attached = STELLAR_FAMILY.attach(unsigned, [signature], [key.publicKey], NETWORK);
  if (!attached.ok) expect.fail(attached.problem.message);
  return { unsigned, sequence, ...attached.value };
};

const sightOf = async (txHash: string, expected?: FamilyContent) => {
  const sight = await node.sight(txHash, expected);
  return sight.ok ? sight.value : expect.fail(sight.problem.message);
};
const fateOf = async (own: Awaited<ReturnType<typeof made>>) => {
  const fate = await node.fateOf(STELLAR_SENDER, [own]);
  return fate.ok ? fate.value.kind : fate.problem.message;
};
const balanceOf = async (owner: string) => {
  const balance = await node.balance(owner);
  return balance.ok ? balance.value : expect.fail(balance.problem.message);
};

/** Opens a trustline to the ledger's own issuer. */
const trust = async (key = STELLAR_KEY): Promise<void> => {
  const from = stellarAddress(key.publicKey);
  const next = await node.nextSequence(from);
  if (!next.ok || next.value === undefined) expect.fail("there is no such account");
  const unsigned = encodeStellar({
    ...STELLAR_TRUSTLINE,
    from,
    sequence: next.value,
    maxTime: BigInt(ledger.clock.now()) / 1_000n + 200n,
    operation: { kind: "changeTrust", token: { code: "USDC", issuer }, limit: 1_000_000_000n },
  });
  const own = await made(authorisedStellarBytes(unsigned, { from }), key);
  expect(await node.broadcast(own.signed)).toEqual({ kind: "accepted" });
  await ledger.mine();
  expect(await sightOf(own.txHash)).toMatchObject({ kind: "included", succeeded: true });
};

describe("a ledger that checks as stellar-core does", () => {
  it("makes the account of a recipient that is not there, and takes a payment afterwards", async () => {
    const first = await made();
    expect(await node.broadcast(first.signed)).toEqual({ kind: "accepted" });
    expect(await node.broadcast(first.signed)).toEqual({ kind: "accepted" });
    expect(await sightOf(first.txHash)).toEqual({ kind: "waiting" });
    await ledger.mine();
    expect(await sightOf(first.txHash)).toMatchObject({
      kind: "included",
      isFinal: true,
      fee: 100n,
      succeeded: true,
    });
    const second = await made();
    expect(second.sequence).toBe((first.sequence ?? 0n) + 1n);
    await node.broadcast(second.signed);
    await ledger.mine();
    expect((await sightOf(second.txHash)).kind).toBe("included");
    expect([await balanceOf(STRANGER), await balanceOf(STELLAR_SENDER)]).toEqual([
      30_000_000n,
      1_000_000_000n - 30_000_000n - 200n,
    ]);
  });

  it("moves an asset once both trust in it, and not before", async () => {
    const transfer = authorisedStellar({ ...SEP41_TRANSFER, issuer });
    const whyNot = async () => {
      const built = await node.build(intent(transfer));
      return built.ok ? "ok" : built.problem.message;
    };
    expect(await whyNot()).toContain("insufficient funds");
    await trust();
    await ledger.admin("issue", { address: STELLAR_SENDER, code: "USDC", amount: 50_000_000 });
    await ledger.mine();
    expect(await whyNot()).toContain("the recipient has no trustline for USDC");
    await trust(RECIPIENT_KEY);
    const own = await made(transfer);
    await node.broadcast(own.signed);
    await ledger.mine();
    // the whole amount arrived, by the ledger's effects; for an expected larger amount they show the smaller one
    const sight = await sightOf(own.txHash, transfer.transfer);
    expect(sight).toMatchObject({ kind: "included", succeeded: true });
    expect(sight).not.toHaveProperty("arrived");
    const more = await sightOf(own.txHash, { ...transfer.transfer, amount: "25000001" });
    expect(more).toMatchObject({ kind: "included", arrived: 25_000_000n });
    const held = async (owner: string) => {
      const balance = await node.tokenBalance(owner, `USDC:${issuer}`);
      return balance.ok ? balance.value : expect.fail(balance.problem.message);
    };
    expect([await held(STELLAR_SENDER), await held(STELLAR_RECIPIENT)]).toEqual([25_000_000n, 25_000_000n]);
  });

  it("moves lumens and an asset to a contract, for what the call really took", async () => {
    const contract = stellarContractAddress(new Uint8Array(32).fill(5));
    const { memo: _, ...native } = LUMEN_TRANSFER;
    await trust();
    await ledger.admin("issue", { address: STELLAR_SENDER, code: "USDC", amount: 50_000_000 });
    await ledger.mine();
    for (const transfer of [
      { ...native, to: contract },
      { ...SEP41_TRANSFER, issuer, to: contract },
    ]) {
      const before = await balanceOf(STELLAR_SENDER);
      const act = authorisedStellar(transfer);
      const own = await made(act);
      const read = STELLAR_FAMILY.read(NETWORK, own.unsigned, act);
      if (!read.ok) expect.fail(read.problem.message);
      expect(await node.broadcast(own.signed)).toEqual({ kind: "accepted" });
      await ledger.mine();
      const sight = await sightOf(own.txHash, transfer);
      if (sight.kind !== "included") expect.fail("it did not land");
      expect(sight).not.toHaveProperty("arrived");
      const more = await sightOf(own.txHash, { ...transfer, amount: "90000000" });
      expect(more).toMatchObject({ arrived: BigInt(transfer.amount) });
      expect([sight.succeeded, sight.fee > 100n, sight.fee <= read.value.fee]).toEqual([true, true, true]);
      const moved = transfer.kind === "Native" ? 15_000_000n : 0n;
      expect(before - (await balanceOf(STELLAR_SENDER))).toBe(moved + sight.fee);
    }
    const held = await node.tokenBalance(STELLAR_SENDER, `USDC:${issuer}`);
    expect(held.ok && held.value).toBe(25_000_000n);
    const poor = await node.build(
      intent(authorisedStellar({ ...SEP41_TRANSFER, issuer, to: contract, amount: "25000001" })),
    );
    expect(!poor.ok && poor.problem.code).toBe("ExecutionReverted");
  });

  it("has blocks that hold ours, in a chain of hashes", async () => {
    const own = await made();
    await node.broadcast(own.signed);
    await ledger.mine();
    const head = await node.head();
    if (!head.ok) expect.fail(head.problem.message);
    const block = await node.block(head.value.height, new Set([own.txHash]));
    const before = await node.block(head.value.height - 1n, new Set());
    expect(block.ok && block.value).toMatchObject({ hash: head.value.hash, holds: [own.txHash] });
    expect(block.ok && before.ok && block.value?.parentHash === before.value?.hash).toBe(true);
    expect(await node.block(head.value.height + 1n, new Set())).toEqual({ ok: true, value: undefined });
  });

  it("takes no second one of an account while one waits, and it stays ours to send again", async () => {
    const first = await made();
    const second = await made(authorisedStellar({ ...LUMEN_TRANSFER, amount: "20000000" }));
    expect(second.sequence).toBe(first.sequence);
    await node.broadcast(first.signed);
    expect(await node.broadcast(second.signed)).toMatchObject({ kind: "refused" });
    await ledger.mine();
    expect(await node.broadcast(second.signed)).toMatchObject({ kind: "outdated" });
    expect([await fateOf(first), await fateOf(second)]).toEqual(["open", "dead"]);
  });

  it("INV-4 a transaction that was dropped can land until its time is over, and is dead then", async () => {
    const own = await made();
    await node.broadcast(own.signed);
    await ledger.admin("drop");
    await ledger.mine();
    expect([(await sightOf(own.txHash)).kind, await fateOf(own)]).toEqual(["waiting", "open"]);
    ledger.clock.pass(290_000);
    await ledger.mine();
    expect([(await sightOf(own.txHash)).kind, await fateOf(own)]).toEqual(["unknown", "open"]);
    await ledger.mine();
    expect(await fateOf(own)).toBe("dead");
    expect(await node.broadcast(own.signed)).toMatchObject({ kind: "outdated" });
    expect(await balanceOf(STELLAR_SENDER)).toBe(1_000_000_000n);
  });

  it("INV-4 a lost reply is no failure: the same bytes go out again, and land once", async () => {
    const own = await made();
    await ledger.admin("lose-replies");
    expect(await node.broadcast(own.signed)).toMatchObject({ kind: "refused" });
    expect(await node.broadcast(own.signed)).toEqual({ kind: "accepted" });
    await ledger.mine();
    expect((await sightOf(own.txHash)).kind).toBe("included");
    expect([await fateOf(own), await balanceOf(STRANGER)]).toEqual(["open", 15_000_000n]);
  });

  it("INV-4 a transaction that landed behind a lost reply is known at once, though the node takes it no more for ten ledgers", async () => {
    const own = await made();
    await ledger.admin("lose-replies");
    expect(await node.broadcast(own.signed)).toMatchObject({ kind: "refused" });
    await ledger.mine();
    expect(await node.broadcast(own.signed)).toEqual({ kind: "accepted" });
    expect((await sightOf(own.txHash)).kind).toBe("included");
  });

  it("refuses what is altered, or signed for another chain", async () => {
    const own = await made();
    expect(await node.broadcast(own.signed.with(60, (own.signed[60] ?? 0) ^ 1))).toMatchObject({
      kind: "unacceptable",
    });
    const elsewhere = STELLAR_KEY.sign(stellarHash("Another Network", own.unsigned));
    const attached = STELLAR_FAMILY.attach(own.unsigned, [elsewhere], [STELLAR_KEY.publicKey], {
      ...NETWORK,
      passphrase: "Another Network",
    });
    if (!attached.ok) expect.fail(attached.problem.message);
    expect(await node.broadcast(attached.value.signed)).toMatchObject({
      kind: "unacceptable",
      reason: expect.stringContaining("tx_bad_auth"),
    });
  });

  it("has transactions that wait while it asks for more than they offer", async () => {
    const cheap = await made();
    await ledger.admin("set-fees", { surge: 5_000 });
    await node.broadcast(cheap.signed);
    await ledger.mine();
    expect((await sightOf(cheap.txHash)).kind).toBe("waiting");
    await ledger.admin("set-fees", { surge: 0 });
    await ledger.mine();
    expect(await sightOf(cheap.txHash)).toMatchObject({ kind: "included", fee: 100n });
  });
});
