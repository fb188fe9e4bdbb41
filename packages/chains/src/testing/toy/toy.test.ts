import { type AuthorisedAct, authorisedActSchema, keyIdSchema, networkSchema } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import type { TransactionIntent } from "../../chain.ts";
import { makeRegistry } from "../../registry.ts";
import { signingReader } from "../../signing-reader.ts";
import { testAccount, testEdwardsKey } from "../account.ts";
import { TEST_SECRET_KEY } from "../samples.ts";
import { TOY_FAMILY, TOY_WINDOW_MS, ToyChain, type ToyNetwork, toyNode } from "./index.ts";

const account = testAccount(TEST_SECRET_KEY);
const edwards = testEdwardsKey("07".repeat(32));
const keys = [account.publicKey, edwards.publicKey];
const START_MS = 1_000_000;
const body = "aaaaa-bbbbb-ccccccccccccccc";
const COSMOS = networkSchema.parse("CosmosHub4");
const network: ToyNetwork = {
  network: COSMOS,
  family: "Cosmos",
  cosigner: keyIdSchema.parse(`key-${body}`),
  feeCap: "100",
};
const sender = TOY_FAMILY.addressOf(COSMOS, account.publicKey);
const TO = `toy1${"ab".repeat(20)}`;

const act = (change: Record<string, unknown> = {}): AuthorisedAct =>
  authorisedActSchema.parse({
    version: 2,
    kind: "transfer",
    requestId: `xfr-${body}`,
    orgId: `or-${body}`,
    walletId: `wa-${body}`,
    keyId: `key-${body}`,
    cosigners: [network.cosigner],
    network: "CosmosHub4",
    transfer: { kind: "Native", to: TO, amount: "5" },
    policy: { outcome: "Allowed", policies: [], date: "2026-01-01T00:00:00.000Z" },
    dateRequested: "2026-01-01T00:00:00.000Z",
    ...change,
  });
const intent: TransactionIntent = {
  sender,
  keys,
  act: act(),
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
};
const built = () => {
  const made = TOY_FAMILY.build(network, { timeMs: START_MS, balance: 100n }, intent);
  return made.ok ? made.value : expect.fail(made.problem.message);
};
const signed = (unsigned: Uint8Array) => {
  const read = TOY_FAMILY.read(network, unsigned, act());
  const [first, second] = read.ok ? read.value.signables : expect.fail(read.problem.message);
  const signatures = [
    account.sign(first?.bytes ?? expect.fail()),
    edwards.sign(second?.bytes ?? expect.fail()),
  ];
  return TOY_FAMILY.attach(unsigned, signatures, keys);
};
const bytesOf = (unsigned: Uint8Array) => {
  const attached = signed(unsigned);
  return attached.ok ? attached.value : expect.fail(attached.problem.message);
};

describe("a further family", () => {
  it("is read through the contract that signers have, by a registry that knows it", () => {
    const reader = signingReader(makeRegistry([TOY_FAMILY]), [network]);
    const { unsigned } = built();
    const read = reader.read("CosmosHub4", unsigned, act());
    expect(read.ok && read.value).toMatchObject({
      deadlineMs: START_MS + TOY_WINDOW_MS,
      fee: 10n,
      effects: { movements: [{ asset: "Native", amount: "5", recipient: TO }], unknown: undefined },
    });
    expect(read.ok && reader.excludes("CosmosHub4", read.value.exclusion, read.value.exclusion)).toBe(false);
    const other = reader.read("Ethereum", unsigned, act());
    expect(!other.ok && other.problem.code).toBe("NetworkNotEnabled");
    expect(() => reader.exclusionOfNonce(1n)).toThrow("version 0.1");
    const content = { kind: "readable", family: "Evm", content: { kind: "message" } } as const;
    expect(reader.readContent(content).ok).toBe(false);
  });

  it.each([
    ["an amount", { transfer: { kind: "Native", to: TO, amount: "6" } }],
    ["a recipient", { transfer: { kind: "Native", to: `toy1${"cd".repeat(20)}`, amount: "5" } }],
    ["a field that it does not know", { transfer: { kind: "Native", to: TO, amount: "5", memo: "x" } }],
    ["no cosigner", { cosigners: [] }],
    ["another network", { network: "CosmosIcsTestnet" }],
  ])("INV-3 refuses bytes that were authorised with %s", (_, change) => {
    const read = TOY_FAMILY.read(network, built().unsigned, act(change));
    expect(!read.ok && read.problem.code).toBe("TransactionMismatch");
  });

  it("INV-3 refuses bytes in a second encoding", () => {
    const spaced = new TextEncoder().encode(`${new TextDecoder().decode(built().unsigned)} `);
    const read = TOY_FAMILY.read(network, spaced, act());
    expect(!read.ok && read.problem.code).toBe("TransactionUnreadable");
  });

  it("attaches both signatures in their order, and no others", () => {
    const { unsigned } = built();
    expect(signed(unsigned).ok).toBe(true);
    const ecdsa = account.sign(new Uint8Array(32));
    const eddsa = edwards.sign(unsigned);
    for (const wrong of [[], [eddsa, ecdsa], [ecdsa, eddsa], [ecdsa, eddsa, eddsa]]) {
      expect(TOY_FAMILY.attach(unsigned, wrong, keys).ok).toBe(false);
    }
  });

  it("lands in its window, and is dead once the chain's final time has passed it", async () => {
    const chain = new ToyChain(START_MS);
    const node = toyNode(network, chain);
    const { unsigned } = built();
    const { signed: bytes, txHash } = bytesOf(unsigned);
    const fate = async () => {
      const found = await node.fateOf(sender, [{ unsigned, signed: bytes }]);
      return found.ok ? found.value.kind : found.problem.code;
    };
    chain.losesAll = true;
    expect(await node.broadcast(bytes)).toEqual({ kind: "accepted" });
    chain.mine(1, TOY_WINDOW_MS);
    expect([await fate(), (await node.broadcast(bytes)).kind]).toEqual(["open", "outdated"]);
    chain.mine();
    expect(await fate()).toBe("dead");
    chain.isAway = true;
    expect(await fate()).toBe("ServiceUnavailable");
    chain.isAway = false;
    expect(await node.sight(txHash)).toEqual({ ok: true, value: { kind: "unknown" } });
  });

  it("is followed by blocks, and fails where the chain undoes it", async () => {
    const chain = new ToyChain(START_MS);
    const node = toyNode(network, chain);
    const { signed: bytes, txHash } = bytesOf(built().unsigned);
    await node.broadcast(bytes);
    chain.failNext(txHash);
    chain.mine(2);
    const head = await node.head();
    expect(head.ok && [head.value.height, head.value.finalHeight]).toEqual([2n, 1n]);
    const block = await node.block(1n, new Set([txHash]));
    expect(block.ok && block.value?.holds).toEqual([txHash]);
    const sighting = await node.sight(txHash);
    expect(sighting.ok && sighting.value).toMatchObject({
      kind: "included",
      isFinal: true,
      succeeded: false,
    });
    expect(await node.broadcast(new Uint8Array(200))).toMatchObject({ kind: "refused" });
  });
});
