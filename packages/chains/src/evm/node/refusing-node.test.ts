import { estimateGas } from "viem/actions";
import { afterEach, describe, expect, it } from "vitest";
import { openStubEvm, SEPOLIA, type StubEvm } from "../../testing/index.ts";
import { finalBlock } from "./final-block.ts";
import { evmNode } from "./node.ts";
import { ask, connectRpc } from "./rpc.ts";

const block = (height: number) => ({
  number: `0x${height.toString(16)}`,
  hash: `0x${"aa".repeat(31)}${height.toString(16).padStart(2, "0")}`,
  parentHash: `0x${"00".repeat(32)}`,
  transactions: [],
});

let node: StubEvm | undefined;
/** A node with scripted answers. */
const scripted = async (answer: Parameters<typeof openStubEvm>[0]): Promise<string> => {
  node = await openStubEvm(answer);
  return node.rpcUrl;
};
afterEach(() => node?.close());

/** The final block of a chain of ten blocks, whose node answers the finalized tag with this error. */
const finalWhen = async (code: number, message: string) => {
  const rpcUrl = await scripted(({ method, params }) => {
    if (method === "eth_blockNumber") return { result: "0xa" };
    return params[0] === "finalized" ? { error: { code, message } } : { result: block(Number(params[0])) };
  });
  return finalBlock(connectRpc({ rpcUrl }), { confirmations: 3, finality: undefined });
};

describe("the final block of a node that names no finalized one", () => {
  it("is as deep as the network's confirmations when the node knows no such tag", async () => {
    expect(await finalWhen(-32_602, "invalid argument 0")).toMatchObject({ number: 8n });
    expect(await finalWhen(-32_000, "finalized block not found")).toMatchObject({ number: 8n });
  });

  it("INV-4 is none when the node has too much to do: the finalized one may lie deeper", async () => {
    await expect(finalWhen(-32_005, "rate limit exceeded")).rejects.toThrow("fewer requests");
    await expect(finalWhen(-32_603, "internal error")).rejects.toThrow("internal error");
  });
});

describe("INV-4 the final block of a node that has named a finalized one", () => {
  it("is none while it names none, and is never as deep as the confirmations", async () => {
    let isNamed = true;
    const rpcUrl = await scripted(({ method, params }) => {
      if (method === "eth_blockNumber") return { result: "0xa" };
      if (params[0] !== "finalized") return { result: block(Number(params[0])) };
      return isNamed
        ? { result: block(2) }
        : { error: { code: -39_001, message: "finalized block not found" } };
    });
    const rpc = connectRpc({ rpcUrl });
    const final = () => finalBlock(rpc, { confirmations: 3, finality: undefined });
    expect(await final()).toMatchObject({ number: 2n });
    isNamed = false;
    expect(await ask("EthereumSepolia", final)).toMatchObject({
      ok: false,
      problem: { code: "ServiceUnavailable" },
    });
    isNamed = true;
    expect(await final()).toMatchObject({ number: 2n });
  });
});

describe("a call that the chain's machine halts without a reason", () => {
  const asked = async (code: number, message: string) => {
    const rpcUrl = await scripted(() => ({ error: { code, message } }));
    const rpc = connectRpc({ rpcUrl });
    const found = await ask("EthereumSepolia", () => estimateGas(rpc, { data: "0xfe" }));
    return found.ok ? "ok" : [found.problem.code, found.problem.message];
  };

  it.each([
    [-32_603, "EVM error InvalidFEOpcode"],
    [-32_000, "invalid opcode: INVALID"],
    [-32_000, "invalid jump destination"],
    [-32_000, "stack underflow (0 <=> 2)"],
    [-32_603, "EVM error: StackUnderflow"],
    [-32_000, "out of gas"],
    [-32_000, "out of gas: gas exhausted during memory expansion: 30000000"],
    [-32_003, "EVM error: OutOfGas(Basic)"],
  ])("is refused, for an answer of %i %j will never be another", async (code, message) => {
    const [found, words] = await asked(code, message);
    expect([found, words]).toEqual(["ExecutionReverted", expect.stringContaining("halts the call")]);
  });

  it.each([
    [-32_603, "internal error"],
    [-32_005, "rate limit exceeded"],
    [-32_603, "EVM error: Database(BackendError)"],
  ])("and a node with troubles of its own is waited for: %i %j", async (code, message) => {
    expect((await asked(code, message))[0]).toBe("ServiceUnavailable");
  });
});

describe("a node whose answer lacks what it must hold", () => {
  it("is an outage, and no fault of ours", async () => {
    const rpcUrl = await scripted(({ method }) =>
      method === "eth_getTransactionReceipt"
        ? { result: { blockNumber: "0x1", blockHash: block(1).hash, gasUsed: "0x5208", status: "0x1" } }
        : { result: method === "eth_blockNumber" ? "0x1" : block(1) },
    );
    const sighting = await evmNode({ ...SEPOLIA, rpcUrl, confirmations: 1 }).sight(`0x${"11".repeat(32)}`);
    expect(sighting.ok ? "seen" : sighting.problem.code).toBe("ServiceUnavailable");
  });
});
