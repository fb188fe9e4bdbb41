import type { Result } from "@conclave/custody";
import { Transaction } from "ethers";
import { bytesToHex, keccak256, parseEther } from "viem";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BuiltTransaction, Chain } from "../chain.ts";
import {
  type Anvil,
  CONTRACT,
  ERC20,
  NATIVE,
  SEPOLIA,
  startAnvil,
  TEST_ADDRESS,
  TEST_SECRET_KEY,
  testAccount,
} from "../testing/index.ts";
import { evmChain } from "./chain.ts";

const account = testAccount(TEST_SECRET_KEY);
const ONE = parseEther("1");

/** Runtime code that answers any call with the largest number: a token that its callers are rich in. */
const GENEROUS = "0x5f195f5260205ff3";
/** Runtime code that reverts any call. */
const GRUDGING = "0x5f5ffd";

let anvil: Anvil;
let chain: Chain;

const value = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
};
const codeOf = (result: Result<unknown>): string => (result.ok ? "ok" : result.problem.code);

const intent = (lowestNonce = 0) =>
  ({ sender: account.address, transfer: NATIVE, priority: undefined, lowestNonce }) as const;
const signed = (built: BuiltTransaction) =>
  value(chain.attach(built.unsigned, account.sign(keccak256(built.unsigned, "bytes")), account.address));

beforeEach(async () => {
  anvil = await startAnvil(SEPOLIA.chainId);
  // blocks are made when a test says so
  await anvil.control.setAutomine(false);
  chain = evmChain({ ...SEPOLIA, family: "Evm", rpcUrl: anvil.rpcUrl, confirmations: 2 });
});
afterEach(() => anvil.stop());

/** Broadcasts into a block of its own. */
const land = async (bytes: Uint8Array): Promise<void> => {
  expect(await chain.broadcast(bytes)).toEqual({ kind: "accepted" });
  await anvil.control.mine({ blocks: 1 });
};

describe("building on a chain", () => {
  it.each([undefined, "Slow", "Standard", "Fast"] as const)(
    "makes a transaction that lands with priority %s",
    async (priority) => {
      const built = value(await chain.build({ ...intent(), priority }));
      const { signed: bytes, txHash } = signed(built);
      await land(bytes);
      const sighting = value(await chain.sight(txHash));
      expect(sighting).toMatchObject({ kind: "included", depth: 1, succeeded: true });
    },
  );

  it("takes the higher nonce of the chain's count and our own records", async () => {
    expect(value(await chain.build(intent(5))).nonce).toBe(5);
    await anvil.control.setNonce({ address: TEST_ADDRESS, nonce: 9 });
    expect(value(await chain.build(intent(5))).nonce).toBe(9);
  });

  it("tells insufficient funds, when the amount is there but not the fee", async () => {
    await anvil.control.setBalance({ address: TEST_ADDRESS, value: ONE });
    const result = await chain.build(intent());
    expect(codeOf(result)).toBe("InsufficientFunds");
    await anvil.control.setBalance({ address: TEST_ADDRESS, value: ONE + ONE });
    expect(codeOf(await chain.build(intent()))).toBe("ok");
  });

  it("counts what leaves in waiting transactions as gone", async () => {
    await anvil.control.setBalance({ address: TEST_ADDRESS, value: ONE + ONE / 2n });
    await chain.broadcast(signed(value(await chain.build(intent()))).signed);
    expect(codeOf(await chain.build(intent(1)))).toBe("InsufficientFunds");
  });

  it("tells insufficient funds with not a single wei", async () => {
    await anvil.control.setBalance({ address: TEST_ADDRESS, value: 0n });
    expect(codeOf(await chain.build(intent()))).toBe("InsufficientFunds");
    await anvil.control.setCode({ address: CONTRACT, bytecode: GENEROUS });
    expect(codeOf(await chain.build({ ...intent(), transfer: ERC20 }))).toBe("InsufficientFunds");
  });

  it("tells insufficient tokens", async () => {
    // PUSH1 32 PUSH0 RETURN: zero
    await anvil.control.setCode({ address: CONTRACT, bytecode: "0x60205ff3" });
    expect(codeOf(await chain.build({ ...intent(), transfer: ERC20 }))).toBe("InsufficientFunds");
  });

  it("refuses a token transfer at an address without a contract", async () => {
    expect(codeOf(await chain.build({ ...intent(), transfer: ERC20 }))).toBe("ExecutionReverted");
  });

  it("gives the chain's reason for a call that it would revert", async () => {
    await anvil.control.setCode({ address: CONTRACT, bytecode: GRUDGING });
    expect(codeOf(await chain.build({ ...intent(), transfer: ERC20 }))).toBe("ExecutionReverted");
  });

  it("refuses a fee above the network's cap", async () => {
    const thrifty = evmChain({
      ...SEPOLIA,
      family: "Evm",
      rpcUrl: anvil.rpcUrl,
      confirmations: 1,
      feeCap: "1000",
    });
    expect(codeOf(await thrifty.build(intent()))).toBe("FeeAboveCap");
  });

  it("is an outage while the node is away", async () => {
    const nowhere = evmChain({ ...SEPOLIA, family: "Evm", rpcUrl: "http://127.0.0.1:9", confirmations: 1 });
    expect(codeOf(await nowhere.build(intent()))).toBe("ServiceUnavailable");
    expect(codeOf(await nowhere.sight(`0x${"00".repeat(32)}`))).toBe("ServiceUnavailable");
    expect(codeOf(await nowhere.nonceSettled(TEST_ADDRESS, 0))).toBe("ServiceUnavailable");
    expect(await nowhere.broadcast(new Uint8Array([2]))).toMatchObject({ kind: "refused" });
  });
});

describe("broadcasting", () => {
  it("INV-4 accepts the same bytes while they wait, and calls their nonce spent once they are mined", async () => {
    const { signed: bytes, txHash } = signed(value(await chain.build(intent())));
    expect(await chain.broadcast(bytes)).toEqual({ kind: "accepted" });
    expect(await chain.broadcast(bytes)).toEqual({ kind: "accepted" });
    expect(value(await chain.sight(txHash))).toEqual({ kind: "waiting" });
    await anvil.control.mine({ blocks: 1 });
    expect(await chain.broadcast(bytes)).toEqual({ kind: "nonce-spent" });
  });

  it("passes on what the node says of bytes that it does not take", async () => {
    expect(await chain.broadcast(new Uint8Array([2, 0xc0]))).toMatchObject({ kind: "refused" });
  });
});

describe("following a transaction", () => {
  it("sees depth grow, and the fee that was really paid", async () => {
    const { signed: bytes, txHash } = signed(value(await chain.build(intent())));
    await land(bytes);
    await anvil.control.mine({ blocks: 2 });
    const sighting = value(await chain.sight(txHash));
    expect(sighting).toMatchObject({ kind: "included", depth: 3 });
    const { maxFeePerGas } = Transaction.from(bytesToHex(bytes));
    expect(sighting.kind === "included" && sighting.fee).toBeGreaterThan(0n);
    expect(sighting.kind === "included" && sighting.fee).toBeLessThan(21_000n * (maxFeePerGas ?? 0n));
  });

  it("no longer knows a transaction that a reorganisation dropped, and accepts its bytes again", async () => {
    const { signed: bytes, txHash } = signed(value(await chain.build(intent())));
    await land(bytes);
    await anvil.reorganise(1);
    expect(value(await chain.sight(txHash))).toEqual({ kind: "unknown" });
    expect(await chain.broadcast(bytes)).toEqual({ kind: "accepted" });
  });

  it("tells a transaction that the chain undid", async () => {
    await anvil.control.setCode({ address: CONTRACT, bytecode: GENEROUS });
    const built = value(await chain.build({ ...intent(), transfer: ERC20 }));
    await anvil.control.setCode({ address: CONTRACT, bytecode: GRUDGING });
    const { signed: bytes, txHash } = signed(built);
    await land(bytes);
    expect(value(await chain.sight(txHash))).toMatchObject({ kind: "included", succeeded: false });
  });

  it("calls a nonce settled only at the depth that the network asks for", async () => {
    expect(value(await chain.nonceSettled(TEST_ADDRESS, 0))).toBe(false);
    await land(signed(value(await chain.build(intent()))).signed);
    expect(value(await chain.nonceSettled(TEST_ADDRESS, 0))).toBe(false);
    await anvil.control.mine({ blocks: 1 });
    expect(value(await chain.nonceSettled(TEST_ADDRESS, 0))).toBe(true);
    expect(value(await chain.nonceSettled(TEST_ADDRESS, 1))).toBe(false);
  });
});
