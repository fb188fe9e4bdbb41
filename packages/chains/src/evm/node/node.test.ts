import type { Act, Result } from "@conclave/custody";
import { Transaction } from "ethers";
import { bytesToHex, getAddress, keccak256, parseEther } from "viem";
import { getCode } from "viem/actions";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BuiltTransaction, ChainNode, Sequencing, TransactionIntent } from "../../chain.ts";
import {
  type Anvil,
  authorised,
  authorisedCall,
  CONTRACT,
  ERC20,
  NATIVE,
  RECIPIENT,
  SEPOLIA,
  startAnvil,
  TEST_ADDRESS,
  TEST_SECRET_KEY,
  testAccount,
} from "../../testing/index.ts";
import { attachSignatures } from "../attach.ts";
import type { EvmCall, EvmTransaction, EvmTransfer } from "../rules/act.ts";
import { evmNode } from "./node.ts";

const account = testAccount(TEST_SECRET_KEY);
const ONE = parseEther("1");
type Wanted = EvmTransaction;
const PAY: EvmCall = { kind: "Call", to: RECIPIENT, value: "1", data: "" };

/** Runtime code that answers any call with the largest number: a token of which every caller has plenty. */
const GENEROUS = "0x5f195f5260205ff3";
/** Runtime code that reverts any call. */
const GRUDGING = "0x5f5ffd";

let anvil: Anvil;
let chain: ChainNode;

const value = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
};
const codeOf = (result: Result<unknown>): string => (result.ok ? "ok" : result.problem.code);

const intended = (act: Act, sequencing: Sequencing): TransactionIntent => ({
  sender: account.address,
  keys: [account.publicKey],
  act,
  priority: undefined,
  sequencing,
});
const intent = (lowest = 0n, transfer: EvmTransfer = NATIVE): TransactionIntent =>
  intended(authorised(transfer), { kind: "next", lowest });
const asked = (
  transaction: Wanted,
  sequencing: Sequencing = { kind: "next", lowest: 0n },
): TransactionIntent => intended(authorisedCall(transaction), sequencing);
const signed = ({ unsigned }: BuiltTransaction) => {
  const signature = account.sign(keccak256(unsigned, "bytes"));
  return value(attachSignatures(unsigned, [signature], [account.publicKey]));
};

beforeEach(async () => {
  anvil = await startAnvil(SEPOLIA.chainId);
  // blocks are made only when a test does so
  await anvil.control.setAutomine(false);
  chain = evmNode({ ...SEPOLIA, family: "Evm", rpcUrl: anvil.rpcUrl, confirmations: 2 });
});
afterEach(() => anvil.stop());

/** Broadcasts a transaction into a block of its own. */
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
      expect(sighting).toMatchObject({ kind: "included", isFinal: false, succeeded: true });
    },
  );

  it("takes the higher nonce of the chain's count and our own records", async () => {
    expect(value(await chain.build(intent(5n))).sequence).toBe(5n);
    await anvil.control.setNonce({ address: TEST_ADDRESS, nonce: 9 });
    expect(value(await chain.build(intent(5n))).sequence).toBe(9n);
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
    expect(codeOf(await chain.build(intent(1n)))).toBe("InsufficientFunds");
  });

  it("tells insufficient funds with not a single wei", async () => {
    await anvil.control.setBalance({ address: TEST_ADDRESS, value: 0n });
    expect(codeOf(await chain.build(intent()))).toBe("InsufficientFunds");
    await anvil.control.setCode({ address: CONTRACT, bytecode: GENEROUS });
    expect(codeOf(await chain.build(intent(0n, ERC20)))).toBe("InsufficientFunds");
  });

  it("tells insufficient tokens", async () => {
    // PUSH1 32 PUSH0 RETURN: zero
    await anvil.control.setCode({ address: CONTRACT, bytecode: "0x60205ff3" });
    expect(codeOf(await chain.build(intent(0n, ERC20)))).toBe("InsufficientFunds");
  });

  it("refuses a token transfer at an address without a contract", async () => {
    expect(codeOf(await chain.build(intent(0n, ERC20)))).toBe("ExecutionReverted");
  });

  it("gives the chain's reason for a call that it would revert", async () => {
    await anvil.control.setCode({ address: CONTRACT, bytecode: GRUDGING });
    expect(codeOf(await chain.build(intent(0n, ERC20)))).toBe("ExecutionReverted");
  });

  it("refuses a fee above the network's cap", async () => {
    const thrifty = evmNode({
      ...SEPOLIA,
      family: "Evm",
      rpcUrl: anvil.rpcUrl,
      confirmations: 1,
      feeCap: "1000",
    });
    expect(codeOf(await thrifty.build(intent()))).toBe("FeeAboveCap");
  });

  it("is an outage while the node is away", async () => {
    const nowhere = evmNode({ ...SEPOLIA, family: "Evm", rpcUrl: "http://127.0.0.1:9", confirmations: 1 });
    expect(codeOf(await nowhere.build(intent()))).toBe("ServiceUnavailable");
    expect(codeOf(await nowhere.sight(`0x${"00".repeat(32)}`))).toBe("ServiceUnavailable");
    expect(codeOf(await nowhere.head())).toBe("ServiceUnavailable");
    expect(codeOf(await nowhere.block(0n, new Set()))).toBe("ServiceUnavailable");
    expect(await nowhere.broadcast(new Uint8Array([2]))).toMatchObject({ kind: "refused" });
  });
});

/** Runtime code that answers any call with this word, as an owner or a symbol. */
const answering = (word: string): `0x${string}` => `0x7f${word}5f5260205ff3`;
const ERC721 = {
  kind: "Erc721",
  contract: CONTRACT,
  from: TEST_ADDRESS.toLowerCase(),
  to: RECIPIENT,
  tokenId: "7",
} as const;
const OWNED = answering(TEST_ADDRESS.slice(2).toLowerCase().padStart(64, "0"));

describe("building a collectible's transfer", () => {
  it("is safeTransferFrom of the wallet's own token", async () => {
    await anvil.control.setCode({ address: CONTRACT, bytecode: OWNED });
    const { data, to } = Transaction.from(bytesToHex(value(await chain.build(intent(0n, ERC721))).unsigned));
    expect(to?.toLowerCase()).toBe(CONTRACT);
    expect(data.slice(0, 10)).toBe("0x42842e0e");
    expect(data).toHaveLength(2 + 2 * (4 + 3 * 32));
  });

  it("is impossible when the token is somebody else's", async () => {
    await anvil.control.setCode({
      address: CONTRACT,
      bytecode: answering(RECIPIENT.slice(2).padStart(64, "0")),
    });
    expect(codeOf(await chain.build(intent(0n, ERC721)))).toBe("InsufficientFunds");
  });
});

describe("building what a caller asked for", () => {
  const fees = { kind: "Eip1559", maxFeePerGas: "5000000000", maxPriorityFeePerGas: "1000000000" } as const;

  it("deploys at the address that it tells", async () => {
    const built = value(await chain.build(asked({ kind: "Call", value: "0", data: "60018060093d393df300" })));
    await land(signed(built).signed);
    const address = getAddress(String(built.details["contractAddress"]));
    const code = await getCode(anvil.control, { address });
    expect(code).toBe("0x00");
  });

  it("keeps every field that the caller fixed", async () => {
    const wanted: EvmCall = { ...PAY, nonce: 0, gasLimit: "30000", fees };
    const { unsigned, details } = value(await chain.build(asked(wanted)));
    const second = Transaction.from(bytesToHex(unsigned));
    expect([second.nonce, second.gasLimit, second.maxFeePerGas, second.maxPriorityFeePerGas]).toEqual([
      0,
      30_000n,
      5_000_000_000n,
      1_000_000_000n,
    ]);
    expect(details).toEqual({
      nonce: 0,
      gasLimit: "30000",
      maxFeePerGas: "5000000000",
      maxPriorityFeePerGas: "1000000000",
    });
  });

  it("makes a legacy transaction when it is asked for one, which lands", async () => {
    const built = value(await chain.build(asked({ ...PAY, fees: { kind: "Legacy" } })));
    expect(Transaction.from(bytesToHex(built.unsigned)).type).toBe(0);
    const { signed: bytes, txHash } = signed(built);
    await land(bytes);
    expect(value(await chain.sight(txHash))).toMatchObject({ kind: "included", succeeded: true });
  });

  it("takes the caller's own bytes as they are", async () => {
    const { unsigned } = value(await chain.build(asked({ ...PAY, fees })));
    const exact: Wanted = { kind: "Exact", unsigned: bytesToHex(unsigned).slice(2) };
    expect(value(await chain.build(asked(exact))).unsigned).toEqual(unsigned);
    expect(codeOf(await chain.build(asked(exact, { kind: "next", lowest: 1n })))).toBe("NonceUsed");
  });

  it.each([
    ["NonceGap", { nonce: 1 }],
    ["TransactionInvalid", { gasLimit: "20999" }],
    ["InsufficientFunds", { value: parseEther("1000000").toString() }],
    ["FeesContradictory", { fees: { kind: "Eip1559", maxFeePerGas: "1", maxPriorityFeePerGas: "2" } }],
    ["FeeAboveCap", { gasLimit: "30000000", fees: { ...fees, maxFeePerGas: "5000000000000" } }],
  ] as const)("answers %s for %j", async (code, change) => {
    expect(codeOf(await chain.build(asked({ ...PAY, ...change })))).toBe(code);
  });

  it("replaces a waiting transaction under its nonce, out of the same funds", async () => {
    await anvil.control.setBalance({ address: TEST_ADDRESS, value: ONE + ONE / 2n });
    const first = value(await chain.build(intent()));
    await chain.broadcast(signed(first).signed);
    const sequencing = { kind: "replacing", sequence: 0n, earlier: first.unsigned } as const;
    const second = value(await chain.build({ ...intent(), sequencing }));
    expect([second.sequence, bytesToHex(second.unsigned) === bytesToHex(first.unsigned)]).toEqual([
      0n,
      false,
    ]);
    const { signed: bytes, txHash } = signed(second);
    await land(bytes);
    expect(value(await chain.sight(txHash)).kind).toBe("included");
    expect(codeOf(await chain.build({ ...intent(), sequencing }))).toBe("NonceUsed");
  });
});

describe("a chain without a base fee", () => {
  it("gets legacy transactions, and none of type 2", async () => {
    const old = await startAnvil(SEPOLIA.chainId, ["--hardfork", "berlin"]);
    try {
      const berlin = evmNode({ ...SEPOLIA, family: "Evm", rpcUrl: old.rpcUrl, confirmations: 1 });
      const built = value(await berlin.build(intent()));
      expect(Transaction.from(bytesToHex(built.unsigned)).type).toBe(0);
      expect(await berlin.broadcast(signed(built).signed)).toEqual({ kind: "accepted" });
      expect(
        codeOf(
          await berlin.build(asked({ ...PAY, fees: { kind: "Eip1559" } }, { kind: "next", lowest: 1n })),
        ),
      ).toBe("TransactionInvalid");
    } finally {
      await old.stop();
    }
  });
});

describe("a token's own words", () => {
  it("are its symbol and decimals, as far as they can be read", async () => {
    // a symbol of 32 bytes, as tokens from before the standard return; decimals of at most 255
    await anvil.control.setCode({ address: CONTRACT, bytecode: answering("4d4b52".padEnd(64, "0")) });
    expect(value(await chain.describeToken(CONTRACT))).toEqual({ symbol: "MKR", verified: false });
    await anvil.control.setCode({ address: CONTRACT, bytecode: answering("06".padStart(64, "0")) });
    expect(value(await chain.describeToken(CONTRACT))).toMatchObject({ decimals: 6, verified: false });
  });

  it("are nothing where there is no contract, or one that reverts", async () => {
    expect(value(await chain.describeToken(CONTRACT))).toEqual({});
    await anvil.control.setCode({ address: CONTRACT, bytecode: GRUDGING });
    expect(value(await chain.describeToken(CONTRACT))).toEqual({});
  });
});

describe("broadcasting", () => {
  it("INV-4 accepts the same bytes while they wait, and calls their nonce spent once they are mined", async () => {
    const { signed: bytes, txHash } = signed(value(await chain.build(intent())));
    expect(await chain.broadcast(bytes)).toEqual({ kind: "accepted" });
    expect(await chain.broadcast(bytes)).toEqual({ kind: "accepted" });
    expect(value(await chain.sight(txHash))).toEqual({ kind: "waiting" });
    await anvil.control.mine({ blocks: 1 });
    expect(await chain.broadcast(bytes)).toMatchObject({ kind: "outdated" });
  });

  it("passes on what the node says of bytes that it does not take", async () => {
    expect(await chain.broadcast(new Uint8Array([2, 0xc0]))).toMatchObject({ kind: "refused" });
  });
});

describe("following a transaction", () => {
  it("calls it final at the depth that the network asks for, and tells the fee that was really paid", async () => {
    const { signed: bytes, txHash } = signed(value(await chain.build(intent())));
    await land(bytes);
    await anvil.control.mine({ blocks: 2 });
    const sighting = value(await chain.sight(txHash));
    expect(sighting).toMatchObject({ kind: "included", isFinal: true, height: 1n });
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
    const built = value(await chain.build(intent(0n, ERC20)));
    await anvil.control.setCode({ address: CONTRACT, bytecode: GRUDGING });
    const { signed: bytes, txHash } = signed(built);
    await land(bytes);
    expect(value(await chain.sight(txHash))).toMatchObject({ kind: "included", succeeded: false });
  });

  it("tells the head, and what a block holds of ours", async () => {
    const { signed: bytes, txHash } = signed(value(await chain.build(intent())));
    await land(bytes);
    const head = value(await chain.head());
    expect(head.height).toBe(1n);
    expect(value(await chain.block(1n, new Set([txHash, `0x${"00".repeat(32)}`])))).toMatchObject({
      height: 1n,
      hash: head.hash,
      holds: [txHash],
    });
    expect(value(await chain.block(2n, new Set([txHash])))).toBeUndefined();
  });
});

describe("the fate of a transaction", () => {
  const own = ({ unsigned, ...built }: BuiltTransaction) => ({
    unsigned,
    signed: signed({ unsigned, ...built }).signed,
  });

  it("INV-4 is death once another transaction has its nonce in the final block, and not before", async () => {
    const first = value(await chain.build(intent()));
    const rival = value(await chain.build({ ...intent(), priority: "Slow" }));
    const fate = async () => value(await chain.fateOf(TEST_ADDRESS, [own(first)])).kind;
    expect(await fate()).toBe("open");
    await land(signed(rival).signed);
    expect(await fate()).toBe("open");
    // anvil's finalized block is two blocks behind the head
    await anvil.control.mine({ blocks: 2 });
    expect(await fate()).toBe("dead");
    expect(value(await chain.fateOf(TEST_ADDRESS, [own(rival)])).kind).toBe("open");
  });

  it("is open as long as one of several may land", async () => {
    const first = value(await chain.build(intent()));
    const second = value(await chain.build(intent(1n)));
    await land(signed(value(await chain.build({ ...intent(), priority: "Slow" }))).signed);
    await anvil.control.mine({ blocks: 2 });
    expect(value(await chain.fateOf(TEST_ADDRESS, [own(first), own(second)])).kind).toBe("open");
    expect(value(await chain.fateOf(TEST_ADDRESS, [own(first)])).kind).toBe("dead");
  });
});
