import type { Result } from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import { type Anvil, CONTRACT, SEPOLIA, startAnvil, TEST_ADDRESS } from "../../testing/index.ts";
import { evmNode } from "./node.ts";

/** Runtime code that answers any call with 42, as a balance or an owner. */
const ANSWERS_42 = "0x602a5f5260205ff3";
/** Runtime code that reverts any call. */
const REVERTS = "0x5f5ffd";
const OWNER_42 = "0x000000000000000000000000000000000000002A";

let anvil: Anvil;
let chain: ChainNode;
beforeAll(async () => {
  anvil = await startAnvil(SEPOLIA.chainId);
  chain = evmNode({ ...SEPOLIA, family: "Evm", rpcUrl: anvil.rpcUrl, confirmations: 1 });
});
afterAll(() => anvil.stop());

const value = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
};
const deploy = (bytecode: `0x${string}`) => anvil.control.setCode({ address: CONTRACT, bytecode });

describe("the holdings of an account", () => {
  it("is read of the native coin", async () => {
    await anvil.control.setBalance({ address: TEST_ADDRESS, value: 7n });
    expect(value(await chain.balance(TEST_ADDRESS))).toBe(7n);
  });

  it.each([
    ["a token that answers", ANSWERS_42, 42n, OWNER_42],
    ["a contract that reverts", REVERTS, undefined, undefined],
    ["an address without a contract", "0x", undefined, undefined],
  ] as const)("is read of %s", async (_, code, balance, owner) => {
    await deploy(code);
    expect(value(await chain.tokenBalance(TEST_ADDRESS, CONTRACT))).toBe(balance);
    expect(value(await chain.tokenOwner(CONTRACT, 1n))).toBe(owner);
  });
});

describe("the cost of transactions", () => {
  it("rises with the priority, above the base fee of the next block", async () => {
    const fees = value(await chain.feeLevels());
    if (fees.kind !== "Eip1559") expect.fail("they are of another family");
    const { blockNumber, baseFeePerGas, slow, standard, fast } = fees;
    expect([blockNumber, BigInt(baseFeePerGas) > 0n]).toEqual([0, true]);
    const levels = [slow, standard, fast].map(({ maxFeePerGas }) => BigInt(maxFeePerGas));
    const caps = [BigInt(baseFeePerGas), ...levels];
    expect(caps).toEqual([...new Set(caps)].sort((a, b) => (a < b ? -1 : 1)));
  });

  it("is not known while the node is away", async () => {
    const nowhere = evmNode({
      ...SEPOLIA,
      family: "Evm",
      rpcUrl: "http://127.0.0.1:9",
      confirmations: 1,
    });
    for (const result of [await nowhere.feeLevels(), await nowhere.tokenBalance(TEST_ADDRESS, CONTRACT)]) {
      expect(result).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
    }
  });
});
