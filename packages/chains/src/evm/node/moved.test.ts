import { type Hex, keccak256, pad } from "viem";
import { getBlock } from "viem/actions";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Sighting } from "../../chain.ts";
import {
  type Anvil,
  authorised,
  CODE,
  CONTRACT,
  type CodeOf,
  contractOf,
  ERC20,
  openStubEvm,
  RECIPIENT,
  SEPOLIA,
  type StubEvm,
  startAnvil,
  TEST_ADDRESS,
  TEST_SECRET_KEY,
  testAccount,
} from "../../testing/index.ts";
import { attachSignatures } from "../attach.ts";
import type { EvmTransfer } from "../rules/act.ts";
import { evmNode } from "./node.ts";

const account = testAccount(TEST_SECRET_KEY);
const AMOUNT = BigInt(ERC20.amount);
const HELD = 10n * AMOUNT;
const ONE: EvmTransfer = {
  kind: "Erc721",
  contract: CONTRACT,
  from: TEST_ADDRESS.toLowerCase(),
  to: RECIPIENT,
  tokenId: "7",
};

let anvil: Anvil;
let stub: StubEvm | undefined;
beforeEach(async () => {
  anvil = await startAnvil(SEPOLIA.chainId);
});
afterEach(async () => {
  await stub?.close();
  stub = undefined;
  await anvil.stop();
});

const nodeAt = (rpcUrl: string) => evmNode({ ...SEPOLIA, rpcUrl, confirmations: 1 });
const setCode = (functions: Readonly<Record<string, CodeOf>>) =>
  anvil.control.setCode({ address: CONTRACT, bytecode: contractOf(functions) });
const store = (key: Hex, value: bigint) =>
  anvil.control.setStorageAt({
    address: CONTRACT,
    index: pad(key),
    value: pad(`0x${value.toString(16).padStart(2, "0")}`),
  });

const lastHash = async (): Promise<Hex> => {
  const { transactions } = await getBlock(anvil.control, { blockTag: "latest" });
  return transactions[0] ?? expect.fail("no transaction");
};

/** The receipt, unparsed. */
const rawReceipt = async (hash: Hex): Promise<Record<string, unknown>> => {
  const response = await fetch(anvil.rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getTransactionReceipt", params: [hash] }),
  });
  return z.object({ result: z.record(z.string(), z.unknown()) }).parse(await response.json()).result;
};

type Included = Extract<Sighting, { kind: "included" }>;

/** Carries out a transfer. @param behind the proxy between node and chain while the result is read @returns the sighting */
const seenOf = async (
  transfer: EvmTransfer,
  code: Readonly<Record<string, CodeOf>>,
  behind: Parameters<typeof openStubEvm>[0] = () => undefined,
  insists = false,
): Promise<Included> => {
  await setCode(code);
  await store(TEST_ADDRESS, HELD);
  await store("0x07", BigInt(TEST_ADDRESS));
  const node = nodeAt(anvil.rpcUrl);
  const sequencing = { kind: "next", lowest: 0n } as const;
  const act = authorised(transfer);
  const built = await node.build({
    sender: TEST_ADDRESS,
    keys: [account.publicKey],
    act,
    priority: undefined,
    sequencing,
    insists,
  });
  if (!built.ok) return expect.fail(built.problem.message);
  const signature = account.sign(keccak256(built.value.unsigned, "bytes"));
  const signed = attachSignatures(built.value.unsigned, [signature], [account.publicKey]);
  if (!signed.ok) return expect.fail(signed.problem.message);
  const { txHash } = signed.value;
  expect(await node.broadcast(signed.value.signed)).toEqual({ kind: "accepted" });
  // the chain makes the block a moment after it has accepted the bytes
  await expect.poll(() => node.sight(txHash)).toMatchObject({ ok: true, value: { kind: "included" } });
  stub = await openStubEvm(behind, anvil.rpcUrl);
  const sighting = await nodeAt(stub.rpcUrl).sight(txHash, transfer);
  if (!sighting.ok) return expect.fail(sighting.problem.message);
  return sighting.value.kind === "included" ? sighting.value : expect.fail(sighting.value.kind);
};

const fungible = (body: CodeOf) => ({
  "balanceOf(address)": CODE.storedUnderFirst,
  "transfer(address,uint256)": body,
});
const collectible = (body: CodeOf) => ({
  "ownerOf(uint256)": CODE.storedUnderFirst,
  "safeTransferFrom(address,address,uint256)": body,
});
const TRUE = CODE.answers(1n);
const NOTHING = {
  succeeded: false,
  movedNothing: true,
  reason: expect.stringContaining("no balance changed"),
};

describe("a token's transfer that the chain carried out", () => {
  it.each([
    ["its event tells", `${CODE.moves()}${CODE.emits()}${TRUE}`],
    ["its event tells, and it returns nothing, as USDT", `${CODE.moves()}${CODE.emits()}${CODE.stops}`],
    ["its event tells without an index", `${CODE.moves()}${CODE.emitsUnindexed}${TRUE}`],
    ["balances alone tell", `${CODE.moves()}${TRUE}`],
    ["its event tells, whatever its balances are", `${CODE.emits()}${TRUE}`],
  ])("has moved what was asked for where %s", async (_, body) => {
    const seen = await seenOf(ERC20, fungible(body));
    expect([seen.succeeded, seen.movedNothing, seen.arrived]).toEqual([true, undefined, undefined]);
  });

  it.each([
    ["its event", `${CODE.moves()}${CODE.emits(10n)}${TRUE}`],
    ["several events", `${CODE.moves()}${CODE.emits(AMOUNT - 1n)}${CODE.emits(11n)}${TRUE}`],
  ])("has brought the recipient what %s tells", async (_, body) => {
    const seen = await seenOf(ERC20, fungible(body));
    expect(seen.succeeded).toBe(true);
    expect(seen.arrived).toBe(body.includes(CODE.emits(11n)) ? 1n + AMOUNT - 11n : AMOUNT - 10n);
  });

  it.each([
    ["its event tells", `${CODE.moves()}${CODE.emits()}${CODE.answers(0n)}`],
    ["balances alone tell", `${CODE.moves()}${CODE.answers(0n)}`],
  ])(
    "has moved though it returned false, where %s: it was sent since its caller insists",
    async (_, body) => {
      const seen = await seenOf(ERC20, fungible(body), undefined, true);
      expect([seen.succeeded, seen.movedNothing, seen.arrived]).toEqual([true, undefined, undefined]);
    },
  );

  it("has moved nothing where it returned false and did so, though its caller insists", async () => {
    expect(await seenOf(ERC20, fungible(CODE.answers(0n)), undefined, true)).toMatchObject(NOTHING);
  });

  it("has moved nothing where neither an event nor a balance tells of it", async () => {
    expect(await seenOf(ERC20, fungible(TRUE))).toMatchObject(NOTHING);
  });

  it("has moved nothing by the event of another recipient", async () => {
    // with the zero address in place of the first argument
    const body = `${CODE.emits().replaceAll("600435", "5f5f50")}${TRUE}`;
    expect(await seenOf(ERC20, fungible(body))).toMatchObject(NOTHING);
  });

  it("counts as the chain counts it where the node has pruned the balances", async () => {
    const seen = await seenOf(ERC20, fungible(TRUE), ({ method, params }) =>
      method === "eth_call" && params[1] !== "latest"
        ? { error: { code: -32_000, message: "missing trie node" } }
        : undefined,
    );
    expect([seen.succeeded, seen.movedNothing]).toEqual([true, undefined]);
  });

  it("is judged by nothing but the chain where no transfer is expected", async () => {
    const seen = await seenOf(ERC20, fungible(TRUE));
    expect(seen.movedNothing).toBe(true);
    const hash = await lastHash();
    expect(await nodeAt(anvil.rpcUrl).sight(hash)).toMatchObject({ ok: true, value: { succeeded: true } });
  });
});

describe("a collectible's transfer that the chain carried out", () => {
  it.each([
    ["its event tells", `${CODE.handsOver}${CODE.emitsOne}${CODE.stops}`],
    [
      "its event tells in the form of CryptoKitties",
      `${CODE.handsOver}${CODE.emitsOneUnindexed}${CODE.stops}`,
    ],
    ["its owner alone tells", `${CODE.handsOver}${CODE.stops}`],
  ])("has moved where %s", async (_, body) => {
    const seen = await seenOf(ONE, collectible(body));
    expect([seen.succeeded, seen.movedNothing, seen.arrived]).toEqual([true, undefined, undefined]);
  });

  it("has moved nothing where the sender owns it still", async () => {
    expect(await seenOf(ONE, collectible(CODE.stops))).toMatchObject({
      succeeded: false,
      movedNothing: true,
    });
  });
});

describe("the fee of a transaction", () => {
  it.each([
    ["gas alone", {}, 0n],
    ["what layer 1 takes", { l1Fee: "0x2d79883d2000" }, 50_000_000_000_000n],
    ["an operator's constant", { l1Fee: "0x1", operatorFeeScalar: "0x0", operatorFeeConstant: "0x64" }, 101n],
    ["a rollup that has nothing to say of it", { l1Fee: null, operatorFeeScalar: null }, 0n],
  ])("counts %s", async (_, fields, beside) => {
    const bare = await seenOf(ERC20, fungible(`${CODE.emits()}${TRUE}`));
    await stub?.close();
    const hash = await lastHash();
    const receipt = await rawReceipt(hash);
    stub = await openStubEvm(
      ({ method }) =>
        method === "eth_getTransactionReceipt" ? { result: { ...receipt, ...fields } } : undefined,
      anvil.rpcUrl,
    );
    const seen = await nodeAt(stub.rpcUrl).sight(hash);
    expect(seen).toMatchObject({ ok: true, value: { fee: bare.fee + beside } });
  });

  it("is read from the transaction where the node's receipts have no price", async () => {
    const bare = await seenOf(ERC20, fungible(`${CODE.emits()}${TRUE}`));
    await stub?.close();
    const hash = await lastHash();
    const receipt = await rawReceipt(hash);
    const { effectiveGasPrice: _, ...old } = receipt;
    stub = await openStubEvm(
      ({ method }) => (method === "eth_getTransactionReceipt" ? { result: old } : undefined),
      anvil.rpcUrl,
    );
    expect(await nodeAt(stub.rpcUrl).sight(hash)).toMatchObject({ ok: true, value: { fee: bare.fee } });
  });
});
