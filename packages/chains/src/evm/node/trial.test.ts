import type { Result } from "@conclave/custody";
import { bytesToHex, parseEther, parseTransaction } from "viem";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BuiltTransaction, TransactionIntent } from "../../chain.ts";
import {
  type Anvil,
  authorised,
  authorisedCall,
  CODE,
  CONTRACT,
  contractOf,
  ERC20,
  type EvmAnswer,
  NATIVE,
  openStubEvm,
  RECIPIENT,
  SEPOLIA,
  type StubEvm,
  startAnvil,
  TEST_ADDRESS,
  TEST_SECRET_KEY,
  testAccount,
} from "../../testing/index.ts";
import { EVM_FAMILY } from "../family.ts";
import type { EvmNetwork } from "../network.ts";
import type { EvmCall, EvmTransaction, EvmTransfer } from "../rules/act.ts";
import { evmNode } from "./node.ts";

const BLOCK_GAS = 30_000_000n;
const ORACLE = "0x420000000000000000000000000000000000000F";
const GWEI = 1_000_000_000n;
const account = testAccount(TEST_SECRET_KEY);
const PAY: EvmCall = { kind: "Call", to: RECIPIENT, value: "1", data: "" };
const CALL: EvmCall = { kind: "Call", to: CONTRACT, value: "0", data: "a9059cbb" };

let anvil: Anvil;
let stub: StubEvm | undefined;
beforeEach(async () => {
  anvil = await startAnvil(SEPOLIA.chainId, ["--gas-limit", BLOCK_GAS.toString()]);
});
afterEach(async () => {
  await stub?.close();
  stub = undefined;
  await anvil.stop();
});

const network = (more: Partial<EvmNetwork> = {}): EvmNetwork => ({
  ...SEPOLIA,
  rpcUrl: anvil.rpcUrl,
  confirmations: 1,
  feeCap: "10000000000000000000",
  ...more,
});

type Priority = TransactionIntent["priority"];
const intended = (act: TransactionIntent["act"], priority: Priority = undefined): TransactionIntent => ({
  sender: account.address,
  keys: [account.publicKey],
  act,
  priority,
  sequencing: { kind: "next", lowest: 0n },
});
const build = (transaction: EvmTransaction, entry = network()) =>
  evmNode(entry).build(intended(authorisedCall(transaction)));
const transfer = (wanted: EvmTransfer, entry = network()) =>
  evmNode(entry).build(intended(authorised(wanted)));

const bytesOf = (built: Result<BuiltTransaction>) =>
  built.ok ? parseTransaction(bytesToHex(built.value.unsigned)) : expect.fail(built.problem.message);
const problemOf = (built: Result<unknown>) => (built.ok ? expect.fail("it was built") : built.problem);

/** A node with scripted answers to some methods, in front of anvil. */
const networkAnswering = async (
  answers: Readonly<Record<string, EvmAnswer>>,
  more: Partial<EvmNetwork> = {},
) => {
  stub = await openStubEvm(({ method }) => answers[method], anvil.rpcUrl);
  return network({ rpcUrl: stub.rpcUrl, ...more });
};
const hex = (value: bigint): `0x${string}` => `0x${value.toString(16)}`;

describe("a gas limit", () => {
  it.each([
    ["what a block holds", "50000000", {}, BLOCK_GAS],
    ["what the entry says", "20000000", { transactionGasLimit: 16_777_216 }, 16_777_216n],
  ])("above %s is refused before it is signed", async (_, gasLimit, more, most) => {
    const fees = { kind: "Eip1559", maxFeePerGas: "3000000000", maxPriorityFeePerGas: "1" } as const;
    const { code, details, message } = problemOf(await build({ ...PAY, gasLimit, fees }, network(more)));
    expect([code, details]).toEqual([
      "TransactionInvalid",
      { field: "gasLimit", given: gasLimit, most: most.toString() },
    ]);
    expect(message).toContain(`${most} gas`);
  });

  it("above 2^24 is refused where the node's own estimates show the rule", async () => {
    const said = { code: -32_000, message: "gas required exceeds allowance (16777216)" };
    const entry = await networkAnswering({ eth_estimateGas: { error: said } });
    const { code, details } = problemOf(await build({ ...PAY, gasLimit: "20000000" }, entry));
    expect([code, details]).toMatchObject(["TransactionInvalid", { field: "gasLimit", most: "16777216" }]);
    expect(bytesOf(await build({ ...PAY, gasLimit: "16777216" }, entry)).gas).toBe(16_777_216n);
  });

  it("above 2^24 is taken where nothing says that there is such a rule", async () => {
    expect(bytesOf(await build({ ...PAY, gasLimit: "20000000" })).gas).toBe(20_000_000n);
    const said = { code: -32_000, message: "gas required exceeds allowance (25000000)" };
    const entry = await networkAnswering({ eth_estimateGas: { error: said } });
    expect(bytesOf(await build({ ...PAY, gasLimit: "20000000" }, entry)).gas).toBe(20_000_000n);
  });

  it("of a call whose estimate leaves no room for the margin is what a block holds at the most", async () => {
    const entry = await networkAnswering({ eth_estimateGas: { result: hex(27_300_000n) } });
    await anvil.control.setCode({ address: CONTRACT, bytecode: contractOf({}, CODE.stops) });
    const { gas = 0n } = bytesOf(await build(CALL, entry));
    expect(gas).toBeGreaterThanOrEqual(27_300_000n);
    expect(gas).toBeLessThanOrEqual(BLOCK_GAS);
  });

  it("of a call whose estimate no block holds is refused", async () => {
    const entry = await networkAnswering({ eth_estimateGas: { result: hex(BLOCK_GAS + 1n) } });
    expect(problemOf(await build(CALL, entry))).toMatchObject({
      code: "TransactionInvalid",
      details: { field: "gasLimit", most: BLOCK_GAS.toString() },
    });
  });

  it("that is enough is taken, whatever an estimate says", async () => {
    await anvil.control.setCode({ address: CONTRACT, bytecode: contractOf({}, CODE.stops) });
    // geth's search ends within 1.5 % of the need; Hardhat adds one
    const entry = await networkAnswering({ eth_estimateGas: { result: hex(268_317n) } });
    expect(bytesOf(await build({ ...CALL, gasLimit: "265496" }, entry)).gas).toBe(265_496n);
    expect(bytesOf(await build({ ...PAY, gasLimit: "21000" }, entry)).gas).toBe(21_000n);
    expect(stub?.asked.some(({ method }) => method === "eth_estimateGas")).toBe(false);
  });

  it.each(["0", "20999"])("of %s is below what any transaction needs", async (gasLimit) => {
    const { code, details, message } = problemOf(await build({ ...PAY, gasLimit }));
    expect([code, details]).toMatchObject(["TransactionInvalid", { field: "gasLimit", needed: "21000" }]);
    expect(message).toContain("21000 gas");
  });

  it("with which the call runs out of gas is refused with what is enough", async () => {
    await anvil.control.setCode({ address: CONTRACT, bytecode: contractOf({}, `${CODE.moves()}00`) });
    const data = `a9059cbb${"00".repeat(31)}07${"00".repeat(32)}`;
    const { code, details } = problemOf(await build({ ...CALL, data, gasLimit: "24000" }));
    expect([code, details]).toMatchObject(["TransactionInvalid", { field: "gasLimit", given: "24000" }]);
    const needed = String(details?.["needed"]);
    expect(bytesOf(await build({ ...CALL, data, gasLimit: needed })).gas).toBe(BigInt(needed));
  });

  it("is not what is wrong with a call that reverts with any", async () => {
    await anvil.control.setCode({ address: CONTRACT, bytecode: contractOf({}, CODE.revertsWith("paused")) });
    expect(problemOf(await build({ ...CALL, gasLimit: "100000" }))).toMatchObject({
      code: "ExecutionReverted",
      details: { reason: "paused" },
    });
  });

  it("that covers data by the old rule and not by EIP-7623 is refused", async () => {
    const data = "11".repeat(1_000);
    // 37000 = 21000 + 16 per byte; EIP-7623's floor has 40 per byte
    expect(problemOf(await build({ ...PAY, data, gasLimit: "37000" }))).toMatchObject({
      code: "TransactionInvalid",
      details: { field: "gasLimit" },
    });
    expect(bytesOf(await build({ ...PAY, data, gasLimit: "61000" })).gas).toBe(61_000n);
  });
});

describe("the transaction that is tried", () => {
  it("is exactly what will be signed, on the latest block", async () => {
    const entry = await networkAnswering({});
    const fees = { kind: "Eip1559", maxFeePerGas: "9000000000", maxPriorityFeePerGas: "2000000000" } as const;
    await build({ ...PAY, gasLimit: "30000", fees }, entry);
    const calls = stub?.asked.filter(({ method, params }) => method === "eth_call" && params.length === 2);
    expect(calls?.at(-1)?.params).toEqual([
      {
        from: TEST_ADDRESS,
        to: RECIPIENT,
        value: "0x1",
        data: "0x",
        gas: hex(30_000n),
        maxFeePerGas: hex(9n * GWEI),
        maxPriorityFeePerGas: hex(2n * GWEI),
      },
      "latest",
    ]);
  });

  it("is tried without its price where that is below the block's: what waits for a lower one may be signed", async () => {
    const fees = { kind: "Eip1559", maxFeePerGas: "1", maxPriorityFeePerGas: "1" } as const;
    stub = await openStubEvm(({ method, params }) => {
      const isPriced = JSON.stringify(params).includes("maxFeePerGas");
      return method === "eth_call" && isPriced
        ? { error: { code: -32_000, message: "max fee per gas less than block base fee: address 0x1" } }
        : undefined;
    }, anvil.rpcUrl);
    const built = await build({ ...PAY, gasLimit: "21000", fees }, network({ rpcUrl: stub.rpcUrl }));
    expect(bytesOf(built).maxFeePerGas).toBe(1n);
  });

  it("is waited for while the node does not carry calls out", async () => {
    const entry = await networkAnswering({
      eth_call: { error: { code: -32_005, message: "rate limit exceeded" } },
    });
    expect(problemOf(await build({ ...PAY, gasLimit: "21000" }, entry)).code).toBe("ServiceUnavailable");
  });
});

describe("a token whose transfer", () => {
  const rich = { "balanceOf(address)": CODE.answers(10n ** 18n) };
  const tried = async (body: string) => {
    await anvil.control.setCode({
      address: CONTRACT,
      bytecode: contractOf({ ...rich, "transfer(address,uint256)": body }),
    });
    return transfer(ERC20);
  };

  it("returns false is not sent", async () => {
    const { code, details, message } = problemOf(await tried(CODE.answers(0n)));
    expect([code, details]).toMatchObject([
      "ExecutionReverted",
      { reason: expect.stringContaining("false") },
    ]);
    expect(message).toMatch(/token 0x[0-9a-fA-F]{40} returns false.*sendAnyway/);
    const insisting = { ...intended(authorised(ERC20)), insists: true };
    expect((await evmNode(network()).build(insisting)).ok).toBe(true);
  });

  it("reverts is not sent, though its caller insists", async () => {
    expect((await tried(CODE.revertsWith("paused"))).ok).toBe(false);
    const insisting = { ...intended(authorised(ERC20)), insists: true };
    expect(problemOf(await evmNode(network()).build(insisting)).code).toBe("ExecutionReverted");
  });

  it.each([
    ["returns nothing, as USDT", CODE.stops],
    ["returns true", CODE.answers(1n)],
    ["returns another word that is not zero", CODE.answers(7n)],
  ])("%s is sent", async (_, body) => {
    expect((await tried(body)).ok).toBe(true);
  });

  it("returns less than a word is not sent", async () => {
    expect(problemOf(await tried("60016000f3")).code).toBe("ExecutionReverted");
  });

  it("reverts fails with the contract's reason", async () => {
    expect(problemOf(await tried(CODE.revertsWith("account is blocked")))).toMatchObject({
      code: "ExecutionReverted",
      details: { reason: "account is blocked" },
    });
  });
});

describe("a tip", () => {
  const QUIET = {
    eth_maxPriorityFeePerGas: { result: hex(25n * GWEI) },
    eth_feeHistory: {
      result: {
        oldestBlock: "0x0",
        baseFeePerGas: ["0x7", "0x7"],
        gasUsedRatio: [0],
        reward: [["0x0", "0x0", "0x0"]],
      },
    },
  } as const;

  it.each(["Slow", "Standard", "Fast", undefined] as const)(
    "of priority %s is what the node suggests on quiet blocks, as /networks/fees tells",
    async (priority) => {
      const node = evmNode(await networkAnswering(QUIET));
      const built = await node.build(intended(authorised(NATIVE), priority));
      expect(bytesOf(built).maxPriorityFeePerGas).toBe(25n * GWEI);
      const levels = await node.feeLevels?.();
      if (levels?.ok !== true || levels.value.kind !== "Eip1559") return expect.fail("no levels");
      for (const level of [levels.value.slow, levels.value.standard, levels.value.fast]) {
        expect(level.maxPriorityFeePerGas).toBe((25n * GWEI).toString());
      }
    },
  );

  it("is no lower than the entry asks, and a caller's below it is refused", async () => {
    const entry = EVM_FAMILY.entrySchema.parse(network({ leastTip: (25n * GWEI).toString() }));
    const built = await evmNode(entry).build(intended(authorised(NATIVE), "Slow"));
    expect(bytesOf(built).maxPriorityFeePerGas).toBe(25n * GWEI);
    const fees = { kind: "Eip1559", maxPriorityFeePerGas: "10000000" } as const;
    expect(problemOf(await build({ ...PAY, fees }, entry))).toMatchObject({
      code: "TransactionInvalid",
      details: { field: "maxPriorityFeePerGas", least: "25000000000" },
    });
    const legacy = { kind: "Legacy", gasPrice: "24999999999" } as const;
    expect(problemOf(await build({ ...PAY, fees: legacy }, entry)).details).toMatchObject({
      field: "gasPrice",
    });
  });

  it("is the node's gas price where there is no base fee, at every priority", async () => {
    const old = await startAnvil(SEPOLIA.chainId, ["--hardfork", "berlin"]);
    stub = await openStubEvm(
      ({ method }) => (method === "eth_gasPrice" ? { result: hex(2n * GWEI) } : undefined),
      old.rpcUrl,
    );
    const node = evmNode(network({ rpcUrl: stub.rpcUrl }));
    try {
      for (const priority of ["Slow", "Standard", "Fast", undefined] as const) {
        const built = await node.build(intended(authorised(NATIVE), priority));
        expect(bytesOf(built)).toMatchObject({ type: "legacy", gasPrice: 2n * GWEI });
      }
      const level = { maxFeePerGas: (2n * GWEI).toString(), maxPriorityFeePerGas: (2n * GWEI).toString() };
      expect(await node.feeLevels?.()).toMatchObject({
        ok: true,
        value: { baseFeePerGas: "0", slow: level, standard: level, fast: level },
      });
    } finally {
      await old.stop();
    }
  });
});

describe("a rollup of the OP stack", () => {
  const L1_FEE = 5n * 10n ** 13n;
  /** the oracle answers each fee with this word */
  const asRollup = () =>
    anvil.control.setCode({ address: ORACLE, bytecode: contractOf({}, CODE.answers(L1_FEE / 2n)) });

  const gasFee = async (): Promise<bigint> => {
    const { gas = 0n, maxFeePerGas = 0n } = bytesOf(await transfer(NATIVE));
    return gas * maxFeePerGas;
  };

  it("takes a fee for layer 1, for which the balance must be enough beside amount and gas", async () => {
    const fee = await gasFee();
    const balance = parseEther("1") + fee;
    await anvil.control.setBalance({ address: TEST_ADDRESS, value: balance });
    expect((await transfer(NATIVE)).ok).toBe(true);
    await asRollup();
    const { code, details, message } = problemOf(await transfer(NATIVE));
    expect(code).toBe("InsufficientFunds");
    expect(details).toEqual({
      needed: (balance + (L1_FEE * 150n) / 100n).toString(),
      held: balance.toString(),
    });
    expect(message).toContain("layer 1");
    await anvil.control.setBalance({ address: TEST_ADDRESS, value: balance + (L1_FEE * 150n) / 100n });
    expect((await transfer(NATIVE)).ok).toBe(true);
  });

  it("counts that fee to the network's cap", async () => {
    await asRollup();
    const fee = await gasFee();
    const entry = network({ feeCap: (fee + L1_FEE).toString() });
    expect(problemOf(await transfer(NATIVE, entry))).toMatchObject({
      code: "FeeAboveCap",
      details: { l1Fee: ((L1_FEE * 150n) / 100n).toString() },
    });
  });

  it("from before Isthmus has no fee for its operator", async () => {
    await anvil.control.setCode({
      address: ORACLE,
      bytecode: contractOf({ "getL1Fee(bytes)": CODE.answers(L1_FEE) }),
    });
    const fee = await gasFee();
    const value = parseEther("1") + fee + L1_FEE;
    await anvil.control.setBalance({ address: TEST_ADDRESS, value });
    expect(problemOf(await transfer(NATIVE)).code).toBe("InsufficientFunds");
    await anvil.control.setBalance({ address: TEST_ADDRESS, value: value + L1_FEE });
    expect((await transfer(NATIVE)).ok).toBe(true);
  });
});
