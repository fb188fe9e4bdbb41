import { parseEther } from "viem";
import { beforeEach, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import { EVM_FAMILY } from "../../evm/family.ts";
import { testAccount } from "../account.ts";
import { describeChainNode } from "../conformance/chain-conformance.ts";
import { type HandWorld, openHandWorld } from "../conformance/hand-world.ts";
import { openTriedMemoryChain } from "../conformance/memory-tried-chain.ts";
import { authorised, NATIVE, RECIPIENT, SEPOLIA, TEST_ADDRESS, TEST_SECRET_KEY } from "../samples.ts";
import { type MemoryChain, openMemoryChain } from "./chain.ts";

describeChainNode("EVM in memory", openTriedMemoryChain);

const ENTRY = EVM_FAMILY.entrySchema.parse({ ...SEPOLIA, rpcUrl: "http://memory.invalid", confirmations: 1 });
const KEY = testAccount(TEST_SECRET_KEY);
const BLOCK_MS = 12_000;

let world: HandWorld;
let chain: MemoryChain;
let node: ChainNode;
beforeEach(() => {
  world = openHandWorld();
  chain = openMemoryChain({ world, chainId: SEPOLIA.chainId, blockMs: BLOCK_MS });
  chain.fund(TEST_ADDRESS, parseEther("10"));
  node = chain.connect(ENTRY);
});

const made = async (earlier?: Uint8Array) => {
  const built = await node.build({
    sender: KEY.address,
    keys: [KEY.publicKey],
    act: authorised(NATIVE),
    priority: undefined,
    sequencing:
      earlier === undefined ? { kind: "next", lowest: 0n } : { kind: "replacing", sequence: 0n, earlier },
  });
  if (!built.ok) expect.fail(built.problem.message);
  const { unsigned } = built.value;
  const read = EVM_FAMILY.read(ENTRY, unsigned, authorised(NATIVE));
  const [signable] = read.ok ? read.value.signables : [];
  if (signable === undefined) expect.fail("a signer does not read it");
  const attached = EVM_FAMILY.attach(unsigned, [KEY.sign(signable.bytes)], [KEY.publicKey]);
  return attached.ok ? { unsigned, ...attached.value } : expect.fail(attached.problem.message);
};
const seen = async (hash: string): Promise<string> => {
  const sighting = await node.sight(hash);
  return sighting.ok ? sighting.value.kind : sighting.problem.code;
};
const sent = async () => {
  const own = await made();
  return { ...own, outcome: (await node.broadcast(own.signed)).kind };
};

describe("a node that is behind", () => {
  it("shows the chain of some time ago, and passes submissions on at once", async () => {
    const behind = chain.connectBehind(ENTRY, BLOCK_MS);
    const heights = async () => {
      const [newest, older] = [await node.head(), await behind.head()];
      return [newest, older].map((head) => (head.ok ? head.value.height : head.problem.code));
    };
    const { signed, txHash } = await made();
    expect((await behind.broadcast(signed)).kind).toBe("accepted");
    expect(chain.waiting()).toEqual([txHash]);
    expect(await behind.sight(txHash)).toMatchObject({ ok: true, value: { kind: "unknown" } });
    world.pass(BLOCK_MS);
    expect(await heights()).toEqual([1n, 0n]);
    expect(await behind.sight(txHash)).toMatchObject({ ok: true, value: { kind: "waiting" } });
    world.pass(1_000);
    chain.reorganise(1, false);
    world.pass(BLOCK_MS - 1);
    expect(await heights()).toEqual([3n, 1n]);
    expect(await behind.sight(txHash)).toMatchObject({ ok: true, value: { kind: "included" } });
    world.pass(1);
    expect(await heights()).toEqual([3n, 2n]);
    expect(await behind.sight(txHash)).toMatchObject({ ok: true, value: { kind: "unknown" } });
  });
});

describe("a chain in memory", () => {
  it("makes its blocks by its world's timer, and none by itself or once it is stopped", async () => {
    const { txHash } = await sent();
    world.pass(BLOCK_MS - 1);
    expect([chain.height(), await seen(txHash)]).toEqual([0n, "waiting"]);
    world.pass(1);
    expect([chain.height(), await seen(txHash)]).toEqual([1n, "included"]);
    chain.stop();
    world.pass(10 * BLOCK_MS);
    expect(chain.height()).toBe(1n);
  });

  it("is the same chain for the same calls, hash by hash", async () => {
    const twin = openMemoryChain({ world: openHandWorld(), chainId: SEPOLIA.chainId });
    chain.mine(2);
    twin.mine(2);
    expect(await twin.connect(ENTRY).head()).toEqual(await node.head());
    twin.reorganise(1);
    chain.mine(1);
    const [one, other] = [await node.head(), await twin.connect(ENTRY).head()];
    expect(one).not.toEqual(other);
    expect(one.ok && other.ok && one.value.height === other.value.height).toBe(true);
  });

  it("forgets what is dropped, and takes it again", async () => {
    const { signed, txHash } = await sent();
    expect(chain.waiting()).toEqual([txHash]);
    chain.drop(txHash);
    expect(await seen(txHash)).toBe("unknown");
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
  });

  it("has no block made by the clock while it holds transactions", () => {
    chain.hold(true);
    world.pass(2 * BLOCK_MS);
    expect(chain.height()).toBe(0n);
    chain.hold(false);
    world.pass(BLOCK_MS);
    expect(chain.height()).toBe(1n);
  });

  it("refuses, swallows or leaves unanswered a given number of submissions, and takes later ones", async () => {
    const { signed, txHash } = await made();
    const outcome = async () => [(await node.broadcast(signed)).kind, await seen(txHash)];
    chain.refuse(1, "txpool is full");
    chain.swallow(1);
    expect(await outcome()).toEqual(["refused", "unknown"]);
    expect(await outcome()).toEqual(["accepted", "unknown"]);
    chain.loseReplies(1);
    expect(await outcome()).toEqual(["refused", "waiting"]);
    expect(await outcome()).toEqual(["accepted", "waiting"]);
  });

  it("leaves what bids too little waiting, and takes a higher bid for its place", async () => {
    const { unsigned, txHash } = await sent();
    chain.setBaseFee(5_000_000_000n);
    chain.mine();
    expect(await seen(txHash)).toBe("waiting");
    const higher = await made(unsigned);
    expect(await node.broadcast(higher.signed)).toEqual({ kind: "accepted" });
    expect(await seen(txHash)).toBe("unknown");
    chain.mine();
    expect(await seen(higher.txHash)).toBe("included");
  });

  it("reverts a named transaction, which pays its fee and moves nothing", async () => {
    const { txHash } = await sent();
    chain.undo(txHash);
    chain.mine();
    expect(await node.sight(txHash)).toMatchObject({ value: { kind: "included", succeeded: false } });
    expect(await node.balance(RECIPIENT)).toEqual({ ok: true, value: 0n });
    const sender = await node.balance(TEST_ADDRESS);
    expect(sender.ok && sender.value < parseEther("10") && sender.value > parseEther("9.9")).toBe(true);
  });

  it("puts back what a reorganisation took, or forgets it, and undoes nothing final", async () => {
    const { txHash } = await sent();
    chain.mine();
    chain.reorganise(1);
    expect([await seen(txHash), chain.height()]).toEqual(["waiting", 2n]);
    chain.mine();
    chain.reorganise(1, false);
    expect(await seen(txHash)).toBe("unknown");
    expect(await node.balance(TEST_ADDRESS)).toEqual({ ok: true, value: parseEther("10") });
    expect(() => chain.reorganise(3)).toThrow(RangeError);
  });

  it("is away or silent for one line alone, until it is mended", async () => {
    const line = chain.openLine();
    const cut = chain.connect(ENTRY, line);
    line.hang();
    let isOver = false;
    const asked = cut.head().finally(() => {
      isOver = true;
    });
    await Promise.resolve();
    expect([isOver, (await node.head()).ok]).toEqual([false, true]);
    world.pass(BLOCK_MS);
    expect((await asked).ok).toBe(false);
    line.mend();
    expect((await cut.head()).ok).toBe(true);
    chain.line.leave();
    expect([(await cut.head()).ok, (await node.head()).ok]).toEqual([true, false]);
  });
});
