import { createWalletClient, type Hex, http, publicActions } from "viem";
import { concatHex, getAddress, keccak256, numberToHex, padHex, toHex } from "viem/utils";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Arrival, ChainNode } from "../../../chain.ts";
import {
  type Anvil,
  RECIPIENT as PAYEE,
  SEPOLIA,
  startAnvil,
  TEST_ADDRESS,
  CONTRACT as TOKEN,
} from "../../../testing/index.ts";
import { evmNode } from "../node.ts";

const [CONTRACT, RECIPIENT] = [getAddress(TOKEN), getAddress(PAYEE)];
const TRANSFER = keccak256(toHex("Transfer(address,address,uint256)"));
const STRANGER = "0x00000000000000000000000000000000C0FfeE00";
/** Runtime code that writes a log: the first word of the call data becomes its data, the next three its topics. */
const LOGS_3 = "0x5f355f5260603560403560203560205fa300";
/** As LOGS_3, with four topics and no data. */
const LOGS_4 = "0x6080356060356040356020355f5fa400";
const POLL_MS = 10;
const REVERTS = "0x5f5ffd";

let anvil: Anvil;
let chain: ChainNode;
beforeAll(async () => {
  anvil = await startAnvil(SEPOLIA.chainId);
  chain = evmNode({ ...SEPOLIA, family: "Evm", rpcUrl: anvil.rpcUrl, confirmations: 1, finality: "depth" });
});
afterAll(() => anvil.stop());
beforeEach(() => anvil.control.setCode({ address: CONTRACT, bytecode: "0x" }));

/** Sends a transaction, and waits until it is in a block. */
const send = async (to: Hex, value: bigint, data: Hex = "0x"): Promise<Hex> => {
  const client = createWalletClient({ transport: http(anvil.rpcUrl) }).extend(publicActions);
  const hash = await client.sendTransaction({
    account: TEST_ADDRESS,
    chain: null,
    to,
    value,
    data,
    gas: 100_000n,
  });
  await client.waitForTransactionReceipt({ hash, pollingInterval: POLL_MS });
  return hash;
};

const word = (value: Hex | bigint): Hex =>
  typeof value === "bigint" ? numberToHex(value, { size: 32 }) : padHex(value, { size: 32 });
const logOf = (...words: readonly (Hex | bigint)[]): Promise<Hex> =>
  send(CONTRACT, 0n, concatHex(words.map(word)));

const latest = async (): Promise<bigint> => {
  const head = await chain.head();
  if (!head.ok) throw new Error(head.problem.message);
  return head.value.height;
};

const arrivalsAt = async (
  height: bigint,
  ours: readonly string[] = [RECIPIENT],
): Promise<readonly Arrival[] | undefined> => {
  const found = await chain.arrivals?.(
    height,
    async (asked) => new Set(asked.filter((address) => ours.includes(address))),
  );
  if (found?.ok !== true) throw new Error("the node does not tell");
  return found.value;
};

describe("the arrivals of a block", () => {
  it("is the value of a transaction, to a wallet of ours alone", async () => {
    const txHash = await send(RECIPIENT, 5n);
    expect(await arrivalsAt(await latest())).toMatchObject([
      { txHash, place: "value", from: TEST_ADDRESS, moved: { kind: "Native", to: RECIPIENT, amount: "5" } },
    ]);
    expect(await arrivalsAt(await latest(), [STRANGER])).toEqual([]);
    await send(RECIPIENT, 0n);
    expect(await arrivalsAt(await latest())).toEqual([]);
  });

  it("is what a payer paid to anybody, coins and tokens, where payers are asked for", async () => {
    const paidBy = async (payer: string) => {
      const nobody = async () => new Set<string>();
      const payers = async (asked: readonly string[]) => new Set(asked.filter((one) => one === payer));
      const found = await chain.arrivals?.(await latest(), nobody, payers);
      return found?.ok === true ? found.value : expect.fail("the node does not tell");
    };
    const coin = await send(STRANGER, 5n);
    expect(await paidBy(TEST_ADDRESS)).toMatchObject([
      { txHash: coin, from: TEST_ADDRESS, moved: { kind: "Native", to: STRANGER } },
    ]);
    expect(await paidBy(RECIPIENT)).toEqual([]);
    await anvil.control.setCode({ address: CONTRACT, bytecode: LOGS_3 });
    const token = await logOf(7n, TRANSFER, RECIPIENT, STRANGER);
    expect(await paidBy(RECIPIENT)).toMatchObject([
      { txHash: token, from: RECIPIENT, moved: { kind: "Erc20", to: STRANGER, amount: "7" } },
    ]);
    await anvil.control.setCode({ address: CONTRACT, bytecode: REVERTS });
    await send(CONTRACT, 5n);
    expect(await paidBy(TEST_ADDRESS)).toEqual([]);
  });

  it("is nothing of a transaction that was undone", async () => {
    await anvil.control.setCode({ address: CONTRACT, bytecode: REVERTS });
    await send(CONTRACT, 5n);
    expect(await arrivalsAt(await latest(), [CONTRACT])).toEqual([]);
    await anvil.control.setCode({ address: CONTRACT, bytecode: "0x" });
    await send(CONTRACT, 5n);
    expect(await arrivalsAt(await latest(), [CONTRACT])).toHaveLength(1);
  });

  it("is what a token's log tells: an amount, or one of a kind", async () => {
    await anvil.control.setCode({ address: CONTRACT, bytecode: LOGS_3 });
    const txHash = await logOf(7n, TRANSFER, STRANGER, RECIPIENT);
    expect(await arrivalsAt(await latest())).toMatchObject([
      {
        txHash,
        place: "log 0",
        from: STRANGER,
        moved: { kind: "Erc20", contract: CONTRACT, to: RECIPIENT, amount: "7" },
      },
    ]);
    await anvil.control.setCode({ address: CONTRACT, bytecode: LOGS_4 });
    const unique = await logOf(0n, TRANSFER, STRANGER, RECIPIENT, 2n ** 255n);
    expect(await arrivalsAt(await latest())).toMatchObject([
      { txHash: unique, moved: { kind: "Erc721", tokenId: String(2n ** 255n) } },
    ]);
  });

  it.each([
    ["EIP-7708", "0xfffffffffffffffffffffffffffffffffffffffe"],
    ["zkSync Era", "0x000000000000000000000000000000000000800a"],
  ] as const)(
    "K5 is reported once where the chain logs its own coin's movements, too (%s)",
    async (_, system) => {
      await anvil.control.setCode({ address: system, bytecode: LOGS_3 });
      const words: readonly (Hex | bigint)[] = [5n, TRANSFER, STRANGER, RECIPIENT];
      const txHash = await send(system, 0n, concatHex(words.map(word)));
      const client = createWalletClient({ transport: http(anvil.rpcUrl) }).extend(publicActions);
      expect((await client.getTransactionReceipt({ hash: txHash })).logs).toMatchObject([
        { address: system, topics: [TRANSFER, word(STRANGER).toLowerCase(), word(RECIPIENT).toLowerCase()] },
      ]);
      expect(await arrivalsAt(await latest())).toEqual([]);
      await anvil.control.setCode({ address: system, bytecode: "0x" });
    },
  );

  it("is nothing of a log that moves nothing, or of another event", async () => {
    await anvil.control.setCode({ address: CONTRACT, bytecode: LOGS_3 });
    await logOf(0n, TRANSFER, STRANGER, RECIPIENT);
    expect(await arrivalsAt(await latest())).toEqual([]);
    await logOf(7n, keccak256(toHex("Approval(address,address,uint256)")), STRANGER, RECIPIENT);
    expect(await arrivalsAt(await latest())).toEqual([]);
  });

  it("is not known of a block that is not there, nor while the node is away", async () => {
    const none = async () => new Set<string>();
    expect(await chain.arrivals?.((await latest()) + 1n, none)).toMatchObject({
      ok: false,
      problem: { code: "ServiceUnavailable", message: expect.stringContaining("final yet") },
    });
    const nowhere = evmNode({ ...SEPOLIA, family: "Evm", rpcUrl: "http://127.0.0.1:9", confirmations: 1 });
    expect(await nowhere.arrivals?.(1n, async () => new Set())).toMatchObject({
      ok: false,
      problem: { code: "ServiceUnavailable" },
    });
  });
});
