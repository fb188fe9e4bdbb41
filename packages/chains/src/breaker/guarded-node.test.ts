import { type AbiFunctionBody, fail, ok, type Result } from "@conclave/custody";
import { beforeEach, describe, expect, it } from "vitest";
import type { ChainNode, TransactionIntent } from "../chain.ts";
import { EVM_FAMILY } from "../evm/family.ts";
import { describeChainNode } from "../testing/conformance/chain-conformance.ts";
import { type HandWorld, openHandWorld } from "../testing/conformance/hand-world.ts";
import { openTriedMemoryChain } from "../testing/conformance/memory-tried-chain.ts";
import { openMemoryChain } from "../testing/memory-chain/chain.ts";
import { authorised, ERC20, SEPOLIA, TEST_ADDRESS } from "../testing/samples.ts";
import { type GuardedNode, guardNode } from "./guarded-node.ts";

describeChainNode("EVM in memory, behind a circuit breaker", async (which) => {
  const chain = await openTriedMemoryChain(which);
  const guarded = openHandWorld();
  return { ...chain, connect: (entry) => guardNode(chain.connect(entry), guarded).node };
});

const ENTRY = EVM_FAMILY.entrySchema.parse({ ...SEPOLIA, rpcUrl: "http://memory.invalid", confirmations: 1 });
const AWAY = fail("ServiceUnavailable");

let world: HandWorld;
let reported: boolean[];
let asked: number;
let probes: number;
/** how the node answers */
let answer: "at once" | "not in its time" | "away" | "by a fault of its client";
/** whether a token's contract takes its time */
let isWorkSlow: boolean;
let guarded: GuardedNode;

const answered = async (): Promise<Result<bigint>> => {
  // not within the timer that asks: time would pass within the passing of time
  await Promise.resolve();
  if (answer === "by a fault of its client") throw new Error(answer);
  if (answer === "at once") return ok(1n);
  if (answer === "not in its time") world.pass(5_000);
  return AWAY;
};

/** A contract that the caller named takes its time. */
const slowly = async (): Promise<Result<never>> => {
  await Promise.resolve();
  if (isWorkSlow) world.pass(5_000);
  return AWAY;
};

beforeEach(() => {
  world = openHandWorld();
  [reported, asked, probes, answer, isWorkSlow] = [[], 0, 0, "at once", false];
  const node: ChainNode = {
    ...openMemoryChain({ world, chainId: SEPOLIA.chainId }).connect(ENTRY),
    head: async () => {
      probes += 1;
      const said = await answered();
      return said.ok ? ok({ height: 1n, hash: "0x01", confirmedHeight: 1n, finalHeight: 1n }) : said;
    },
    balance: () => {
      asked += 1;
      return answered();
    },
    gathering: {
      isCheap: async () => ok(true),
      coinsOf: async () => {
        asked += 1;
        const said = await answered();
        return said.ok ? ok({ coins: 1, body: { kind: "Consolidate" } }) : said;
      },
    },
    build: slowly,
    sight: slowly,
    judgeRecipient: slowly,
    describeToken: slowly,
    tokenBalance: slowly,
    tokenOwner: slowly,
    callContract: slowly,
    callFunction: slowly,
    broadcast: async () => {
      asked += 1;
      return (await answered()).ok ? { kind: "accepted" } : { kind: "refused", reason: "silence" };
    },
  };
  guarded = guardNode(node, { ...world, onSilence: (isSilent) => reported.push(isSilent) });
});
const balance = async (): Promise<string> => {
  const said = await guarded.node.balance("0x00");
  return said.ok ? "ok" : said.problem.message;
};
const LEFT_ALONE = "The chain node of EthereumSepolia does not answer, and is left alone for some seconds.";
const fallSilent = async (): Promise<void> => {
  answer = "not in its time";
  for (let time = 0; time < 3; time += 1) await balance();
};

describe("a node that does not answer", () => {
  it("is asked three times, and then by nobody: callers hear at once that it is left alone", async () => {
    await fallSilent();
    expect([asked, reported]).toEqual([3, [true]]);
    expect(await balance()).toBe(LEFT_ALONE);
    expect(await guarded.node.feeLevels()).toMatchObject({ ok: false, problem: { message: LEFT_ALONE } });
    expect(asked).toBe(3);
  });

  it("takes no transaction meanwhile, which passes", async () => {
    await fallSilent();
    const outcome = await guarded.node.broadcast(new Uint8Array(1));
    expect(outcome).toEqual({ kind: "refused", reason: LEFT_ALONE });
    expect(asked).toBe(3);
  });

  it("is probed after each pause, one probe at a time, without a caller", async () => {
    await fallSilent();
    world.pass(999);
    expect(probes).toBe(0);
    world.pass(1);
    await expect.poll(() => probes).toBe(1);
    // the next pause begins when that probe has ended
    const pass = () => {
      world.pass(500);
      return probes;
    };
    await expect.poll(pass).toBe(2);
    expect([asked, reported]).toEqual([3, [true]]);
  });

  it("is asked by all once a probe is answered, and the log says so", async () => {
    await fallSilent();
    answer = "at once";
    world.pass(1_000);
    await expect.poll(() => reported).toEqual([true, false]);
    expect([await balance(), await balance()]).toEqual(["ok", "ok"]);
    world.pass(60_000);
    expect(probes).toBe(1);
  });

  it("is probed no more once its guard is stopped", async () => {
    await fallSilent();
    guarded.stop();
    world.pass(60_000);
    expect(probes).toBe(0);
    expect(await balance()).toBe(LEFT_ALONE);
  });
});

describe("a node that counts coins", () => {
  it("is asked through its guard", async () => {
    const { gathering = expect.fail("the guard leaves it out") } = guarded.node;
    expect(await gathering.coinsOf("x")).toMatchObject({ ok: true, value: { coins: 1 } });
    await fallSilent();
    for (const question of [gathering.coinsOf("x"), gathering.isCheap()]) {
      expect(await question).toMatchObject({ ok: false, problem: { message: LEFT_ALONE } });
    }
    expect(asked).toBe(4);
  });
});

describe("a node that answers, whatever it says", () => {
  it.each(["away", "by a fault of its client"] as const)("is asked each time: %s", async (how) => {
    answer = how;
    for (let time = 0; time < 8; time += 1) await balance().catch(() => undefined);
    expect([asked, reported]).toEqual([8, []]);
  });
});

const TOKEN = ERC20.contract;
const ABI: AbiFunctionBody = {
  type: "function",
  name: "f",
  inputs: [],
  outputs: [],
  stateMutability: "view",
};
const INTENT: TransactionIntent = {
  sender: TEST_ADDRESS,
  keys: [],
  act: authorised(ERC20),
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
};

describe.each<[string, (node: ChainNode) => Promise<Result<unknown>> | undefined]>([
  ["a build", (node) => node.build(INTENT)],
  ["what a transaction moved", (node) => node.sight("0x01", ERC20)],
  ["what can be paid to a recipient", (node) => node.judgeRecipient?.(ERC20)],
  ["what a token says of itself", (node) => node.describeToken(TOKEN)],
  ["what somebody has of a token", (node) => node.tokenBalance(TOKEN, TOKEN)],
  ["who has a token", (node) => node.tokenOwner(TOKEN, 1n)],
  ["a call of a contract", (node) => node.callContract?.(TOKEN, "0x")],
  ["a call of a function", (node) => node.callFunction?.(TOKEN, ABI, [])],
])("K8 work whose cost a caller chooses: %s", (_, ask) => {
  const work = async (): Promise<string> => {
    const said = await ask(guarded.node);
    return said?.ok === false ? said.problem.code : "ok";
  };

  it("may be slow for ever while the node's head is known: nobody is turned away", async () => {
    isWorkSlow = true;
    for (let time = 0; time < 8; time += 1) {
      expect(await work()).toBe("ServiceUnavailable");
      await expect.poll(() => probes).toBe(time + 1);
    }
    expect(await balance()).toBe("ok");
    expect(reported).toEqual([]);
  });

  it("shows at once that a node is away whose head is unknown too", async () => {
    answer = "not in its time";
    isWorkSlow = true;
    await work();
    await expect.poll(() => reported).toEqual([true]);
    expect(await balance()).toBe(LEFT_ALONE);
    answer = "at once";
    world.pass(1_000);
    await expect.poll(() => reported).toEqual([true, false]);
  });

  it("asks for the head once for all that is slow at a time", async () => {
    isWorkSlow = true;
    await Promise.all([work(), work(), work(), work()]);
    await expect.poll(() => probes).toBe(1);
    expect(reported).toEqual([]);
  });

  it("does not hide silences of other calls", async () => {
    isWorkSlow = true;
    answer = "not in its time";
    await balance();
    await balance();
    await balance();
    expect(reported).toEqual([true]);
  });
});
