import { NODES } from "@conclave/chains/node";
import {
  ALGORAND_KEY,
  ALGORAND_RECIPIENT,
  ALGORAND_RECIPIENT_KEY,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  ASSET_ID,
} from "@conclave/chains/testing";
import {
  issueAlgorandAsset,
  openScriptedLedger,
  type ScriptedLedger,
} from "@conclave/chains/testing/ledgers";
import { algorandAddress, networkSchema, ok } from "@conclave/custody";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followOnce } from "../testing/follow-once.ts";
import { startWalletWorld, type WalletWorld } from "../testing/wallet-world.ts";

const network = networkSchema.parse(ALGORAND_TESTNET.network);
const payment = { from: ALGORAND_SENDER, to: ALGORAND_RECIPIENT };
const algos = { kind: "Native", ...payment, amount: "1500000" };
const asset = { kind: "Asa", assetId: ASSET_ID, ...payment, amount: "5" };

let world: WalletWorld;
let ledger: ScriptedLedger;

beforeEach(async () => {
  ledger = await openScriptedLedger("Algorand", ALGORAND_TESTNET.genesisId);
  const issuer = await issueAlgorandAsset(ledger);
  for (const [key, address, amount] of [
    [ALGORAND_KEY, ALGORAND_SENDER, 10_000_000],
    [ALGORAND_RECIPIENT_KEY, ALGORAND_RECIPIENT, 201_000],
  ] as const) {
    await ledger.fund(address, amount);
    await issuer.optIn(key);
  }
  await issuer.send(ALGORAND_SENDER, 10n);
  world = await startWalletWorld(
    ALGORAND_TESTNET,
    NODES.connect(Object.assign({}, ALGORAND_TESTNET, { algodUrl: ledger.node.url })),
    "FROST-Ed25519",
    ALGORAND_KEY,
  );
});
afterEach(async () => {
  await Promise.all([world.close(), ledger.stop()]);
});

const posted = () =>
  ledger.node.asked.flatMap(({ method, path, body }) =>
    method === "POST" && path === "/v2/transactions" ? [Buffer.from(body).toString("hex")] : [],
  );

/** @returns the last round then */
const mine = async (blocks = 1): Promise<bigint> =>
  BigInt(String((await ledger.admin("mine", { blocks }))["round"]));

describe("a transfer on Algorand", () => {
  it.each([algos, asset])(
    "is signed, handed over and confirmed with the fee that it paid: $kind",
    async (transfer) => {
      const { id } = await world.enter(transfer);
      expect(await world.carry(id)).toEqual({ kind: "Done" });
      expect(world.asked[0]?.signables.map(({ scheme }) => scheme)).toEqual(["FROST-Ed25519"]);
      const { signedTransaction } = await world.read(id);
      expect(posted().at(-1)).toBe(Buffer.from(signedTransaction ?? []).toString("hex"));
      await followOnce(world.handler);
      expect((await world.read(id)).status).toBe("Broadcasted");
      const blockNumber = await mine();
      await followOnce(world.handler);
      expect(await world.read(id)).toMatchObject({ status: "Confirmed", fee: "1000", blockNumber });
    },
  );

  it("does not wait for others of its wallet", async () => {
    const [first, second] = [await world.enter(algos), await world.enter(algos)];
    await world.carry(second.id);
    await world.carry(first.id);
    const [one, other] = [await world.read(first.id), await world.read(second.id)];
    expect([one.status, other.status]).toEqual(["Broadcasted", "Broadcasted"]);
    // the very same payment twice: only the leases tell them apart
    expect(one.txHash).not.toBe(other.txHash);
  });

  it("that is impossible has failed in words, and nothing was signed", async () => {
    const { id } = await world.enter({ ...asset, to: algorandAddress(new Uint8Array(32).fill(5)) });
    expect(await world.carry(id)).toEqual({ kind: "Done" });
    expect(await world.read(id)).toMatchObject({
      status: "Failed",
      reason: `the recipient has not opted in to the asset ${ASSET_ID}: have it send 0 units of it to itself`,
    });
    expect(world.asked).toEqual([]);
  });

  it("waits for a node that is away, and says so", async () => {
    ledger.node.spoilt.set("/", { status: 503, text: "" });
    const { id } = await world.enter(algos);
    expect(await world.carry(id)).toMatchObject({ kind: "Again" });
    expect(await world.read(id)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("does not answer"),
    });
    ledger.node.spoilt.clear();
    await world.carry(id);
    expect((await world.read(id)).status).toBe("Broadcasted");
  });

  it("INV-4 sends the very same bytes again when the node's answer was lost", async () => {
    const { id } = await world.enter(algos);
    await ledger.admin("lose-replies");
    // another node behind the same address, which has not heard of it
    const text = JSON.stringify({ message: "could not find the transaction" });
    ledger.node.spoilt.set("/v2/transactions/pending", { status: 404, text });
    expect(await world.carry(id)).toMatchObject({ kind: "Again" });
    const { signedTransaction } = await world.read(id);
    expect(await world.carry(id)).toEqual({ kind: "Done" });
    expect([world.asked.length, posted().length, new Set(posted()).size]).toEqual([1, 2, 1]);
    expect((await world.read(id)).signedTransaction).toEqual(signedTransaction);
  });

  it("INV-4 is built again only when its rounds are over and hold none of it, and the authority says so", async () => {
    const { id } = await world.enter(algos);
    await world.carry(id);
    const first = await world.read(id);
    // no leader takes it into a block
    await ledger.admin("delay", { id: first.txHash, rounds: 1_000 });
    await mine(200);
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    await mine();
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([{ requestId: id, transactions: 1 }]);
    expect((await world.read(id)).txHash).toBe(first.txHash);
    await world.speak();
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({
      status: "Executing",
      deadTransactions: 1,
      txHash: undefined,
    });
    await world.carry(id);
    const second = await world.read(id);
    expect([second.status, second.txHash === first.txHash, world.asked.length]).toEqual([
      "Broadcasted",
      false,
      2,
    ]);
    expect(world.asked[1]?.dead).toBeDefined();
  });

  it("INV-5 is confirmed though what the node says of another one cannot be recorded, and that one is once it can", async () => {
    const [first, second] = [await world.enter(algos), await world.enter(algos)];
    for (const { id } of [first, second]) await world.carry(id);
    const chain = world.handler.chains.get(network) ?? expect.fail("the network is served");
    const { txHash } = await world.read(first.id);
    const included = { height: 1_003n, isFinal: true, fee: 1_000n, succeeded: true } as const;
    const saying = (blockHash: string) => ({
      ...world.handler,
      chains: new Map([
        [
          network,
          {
            ...chain,
            node: {
              ...chain.node,
              sight: async (hash: string) =>
                ok({ kind: "included", ...included, blockHash: hash === txHash ? blockHash : "b" } as const),
            },
          },
        ],
      ]),
    });
    // no text of PostgreSQL holds a NUL
    await followOnce(saying("\0"));
    expect([(await world.read(first.id)).status, (await world.read(second.id)).status]).toEqual([
      "Broadcasted",
      "Confirmed",
    ]);
    await followOnce(saying("b"));
    expect((await world.read(first.id)).status).toBe("Confirmed");
  });

  it("INV-4 is confirmed, and not built again, when its rounds hold it after the node forgot", async () => {
    const { id } = await world.enter(algos);
    await world.carry(id);
    const { txHash = "" } = await world.read(id);
    const blockNumber = await mine();
    await mine(1_201);
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({
      status: "Confirmed",
      txHash,
      blockNumber,
      fee: "1000",
    });
  });
});
