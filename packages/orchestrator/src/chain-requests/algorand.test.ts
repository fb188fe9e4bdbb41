import { ALGORAND_KEY, ALGORAND_RECIPIENT_KEY, algorandAddress } from "@conclave/chains/testing";
import {
  issueAlgorandAsset,
  openScriptedLedger,
  type ScriptedLedger,
  WALLET_SAMPLES,
} from "@conclave/chains/testing/ledgers";
import { ok } from "@conclave/custody";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followOnce } from "../testing/follow-once.ts";
import { NOT_BUILT } from "../testing/put-back.ts";
import { contentOf, describeTransfers, outageOf } from "../testing/transfer-suite.ts";
import { startWalletWorld, type WalletWorld } from "../testing/wallet-world.ts";

const sample = WALLET_SAMPLES.Algorand;
const [asa] = sample.tokens;
const [algos, asset] = [contentOf(sample, sample.native), contentOf(sample, asa)];

let world: WalletWorld;
let ledger: ScriptedLedger;

beforeEach(async () => {
  ledger = await openScriptedLedger("Algorand", "testnet-v1.0");
  const issuer = await issueAlgorandAsset(ledger);
  for (const [key, address, amount] of [
    [ALGORAND_KEY, sample.sender, 10_000_000],
    [ALGORAND_RECIPIENT_KEY, sample.native.to, 201_000],
  ] as const) {
    await ledger.fund(address, amount);
    await issuer.optIn(key);
  }
  await issuer.send(sample.sender, 10n);
  world = await startWalletWorld(sample, ledger.node.url);
});
afterEach(async () => {
  await Promise.all([world.close(), ledger.stop()]);
});

/** @returns the last round after that */
const mine = async (blocks = 1): Promise<bigint> =>
  BigInt(String((await ledger.admin("mine", { blocks }))["round"]));
const signables = [["FROST-Ed25519", expect.any(Number)]] as const;

describeTransfers({
  sample,
  world: () => world,
  landings: [algos, asset].map((transfer) => ({ title: transfer.kind, transfer, signables })),
  posted: () =>
    ledger.node.asked.flatMap(({ method, path, body }) =>
      method === "POST" && path === "/v2/transactions" ? [Buffer.from(body).toString("hex")] : [],
    ),
  land: async () => ({ blockNumber: await mine(), fee: sample.fee }),
  // two requests differ in their leases alone
  isIndependent: true,
  impossible: {
    transfer: { ...asset, to: algorandAddress(new Uint8Array(32).fill(5)) },
    reason: `the recipient has not opted in to the asset ${asa.assetId}: have it send 0 units of it to itself`,
  },
  outage: outageOf(() => ledger.node),
  resendings: [
    {
      title: "the node's answer was lost, and another node behind the same address has not heard of it",
      failures: [
        async () => {
          await ledger.admin("lose-replies");
          const text = JSON.stringify({ message: "could not find the transaction" });
          ledger.node.spoilt.set("/v2/transactions/pending", { status: 404, text });
        },
      ],
      takes: () => undefined,
      posts: 2,
    },
  ],
  expiry: {
    title: "its rounds are over and hold none of it",
    approach: async ({ txHash }) => {
      // no block proposer includes the transaction
      await ledger.admin("delay", { id: txHash, rounds: 1_000 });
      await mine(200);
    },
    pass: () => mine(),
  },
  lateLanding: {
    title: "its rounds hold it after the node forgot",
    land: async ({ txHash }) => {
      const blockNumber = await mine();
      await mine(1_201);
      return { txHash, blockNumber, fee: sample.fee };
    },
  },
});

describe("a transfer on Algorand beside another one", () => {
  it("INV-5 is confirmed though what the node says of another one cannot be recorded, and that one is once it can", async () => {
    const [first, second] = [await world.enter(algos), await world.enter(algos)];
    for (const { id } of [first, second]) await world.carry(id);
    const chain = world.handler.chains.get(world.network) ?? expect.fail("the network is served");
    const { txHash } = await world.read(first.id);
    const included = { height: 1_003n, isFinal: true, fee: 1_000n, succeeded: true } as const;
    const saying = (blockHash: string) => ({
      ...world.handler,
      chains: new Map([
        [
          world.network,
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
    // PostgreSQL's text cannot hold a NUL
    await followOnce(saying("\0"));
    expect([(await world.read(first.id)).status, (await world.read(second.id)).status]).toEqual([
      "Broadcasted",
      "Confirmed",
    ]);
    await followOnce(saying("b"));
    expect((await world.read(first.id)).status).toBe("Confirmed");
  });

  it("INV-5 is found on its chain while it holds its lease, where records and signers were put back to before it was built", async () => {
    const { id } = await world.enter(algos);
    await world.carry(id);
    await mine();
    await followOnce(world.handler);
    const before = await world.read(id);
    expect(before.status).toBe("Confirmed");
    await world.database.execute(`update chain_requests set ${NOT_BUILT} where id = $1`, [id]);
    await world.carry(id);
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({ status: "Confirmed", txHash: before.txHash });
    expect(world.asked).toHaveLength(1);
  });
});
