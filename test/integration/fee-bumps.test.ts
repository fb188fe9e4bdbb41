import { type Anvil, BITCOIN_SIGNET, startAnvil } from "@conclave/chains/testing";
import { type RunningLedger, startBitcoinLedger } from "@conclave/ledgers";
import { commandLedger, HandClock } from "@conclave/ledgers/testing";
import { type Cluster, waitUntil } from "@conclave/testbed";
import { getAddress, JsonRpcProvider } from "ethers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ETHER, freshReceiver } from "./funded-wallet.ts";
import { PATIENCE_MS } from "./patience.ts";
import { startCluster } from "./throw-away-cluster.ts";

const START_MS = 120_000;
const TEST_MS = 600_000;
/** Block time; blocks are made only while a test waits. */
const BLOCK_MS = 250;
const GWEI = 10n ** 9n;
/** Far above the usual bid on a quiet chain, and below the cap. */
const DEAR = 100n * GWEI;
const CAP = 300n * GWEI;
const EVM = "PolygonAmoy";
const CHAIN_ID = 80_002;
const BITCOIN = BITCOIN_SIGNET.network;
const CLOCK_MS = 1_795_132_800_000;
/** Amount paid by the ledger's faucet, satoshis. */
const COIN = 10_000_000;

let anvil: Anvil;
let ledger: RunningLedger;
let cluster: Cluster;

const admin = (action: string, input: object = {}) => commandLedger(ledger, action, input);

beforeAll(async () => {
  anvil = await startAnvil(CHAIN_ID);
  await anvil.control.setAutomine(false);
  ledger = await startBitcoinLedger({
    clock: new HandClock(CLOCK_MS),
    chain: "signet",
    seed: "fee-bumps",
    blockMs: 0,
    listen: { host: "127.0.0.1", port: 0 },
    adminPort: 0,
    token: undefined,
  });
  const { genesisHash } = z
    .object({ genesisHash: z.string() })
    .parse(await (await fetch(ledger.adminUrl)).json());
  const evm = {
    network: EVM,
    family: "Evm",
    chainId: CHAIN_ID,
    rpcUrl: anvil.rpcUrl,
    confirmations: 1,
    finality: "depth",
    feeCap: ETHER.toString(),
    feeBumps: { afterBlocks: 3, most: 3, cap: CAP.toString() },
  };
  const bitcoin = {
    network: BITCOIN,
    family: "Bitcoin",
    genesisHash,
    bitcoindUrl: ledger.url,
    finality: 2,
    feeCap: "100000",
    feeBumps: { afterBlocks: 3, most: 3, cap: "100" },
  };
  cluster = await startCluster({ signers: 3, threshold: 2, nodes: [evm, bitcoin] });
}, START_MS);
afterAll(async () => {
  await cluster?.stop();
  await Promise.all([anvil?.stop(), ledger?.stop()]);
}, START_MS);

const requestSchema = z.object({
  id: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  replacementId: z.string().optional(),
  txHash: z.string().optional(),
  requester: z.object({ userId: z.string() }),
  details: z.looseObject({}).optional(),
});
type Shown = z.output<typeof requestSchema>;
const walletSchema = z.object({ id: z.string(), address: z.string() });

const ask = async <T>(schema: z.ZodType<T>, method: string, path: string, body?: unknown): Promise<T> => {
  const answer = await cluster.api.send(method, path, body);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return schema.parse(answer.body);
};
const makeWallet = (network: string) => ask(walletSchema, "POST", "/wallets", { network });
/** Waits for something, and makes a block after each look that does not find it. */
const mining = <T>(
  what: string,
  mine: () => Promise<void>,
  probe: () => Promise<T | undefined>,
): Promise<T> =>
  waitUntil(
    async () => {
      const found = await probe();
      if (found === undefined) await mine();
      return found;
    },
    { what, deadlineMs: PATIENCE_MS, pollMs: BLOCK_MS },
  );
const when = (path: string, isSo: (request: Shown) => boolean) => async (): Promise<Shown | undefined> => {
  const request = await ask(requestSchema, "GET", path);
  return isSo(request) ? request : undefined;
};
/** Sends a transfer, and waits until it is broadcast, without making a block. */
const send = async (walletId: string, to: string, amount: string) => {
  const path = `/wallets/${walletId}/transfers`;
  const { id } = await ask(requestSchema, "POST", path, { kind: "Native", to, amount });
  const none = async () => undefined;
  return mining(
    "a broadcast",
    none,
    when(`${path}/${id}`, ({ status }) => status === "Broadcasted"),
  );
};
const raisedOn = async (network: string): Promise<number> => {
  const text = await (await fetch(`${cluster.description.api.url}/metrics`)).text();
  const line = new RegExp(
    `^conclave_fee_bumps_total\\{network="${network}",outcome="raised".*\\} (\\d+)$`,
    "m",
  );
  return Number(line.exec(text)?.[1]);
};

/** Checks that the service replaces a waiting transfer, and that the replacement lands. */
const isRaised = async (network: string, walletId: string, first: Shown, mine: () => Promise<void>) => {
  const path = `/wallets/${walletId}/transfers/${first.id}`;
  const waiting = await mining(
    "a bump",
    mine,
    when(path, ({ replacementId }) => replacementId !== undefined),
  );
  expect(waiting).toMatchObject({ status: "Broadcasted", txHash: first.txHash });
  const bumpPath = `/wallets/${walletId}/transactions/${waiting.replacementId}`;
  const bump = await mining(
    "its landing",
    mine,
    when(bumpPath, ({ status }) => status === "Confirmed"),
  );
  expect(bump).toMatchObject({ requester: first.requester, details: { madeBy: "service" } });
  expect(bump.txHash).not.toBe(first.txHash);
  const ended = await mining(
    "the end of what it replaced",
    mine,
    when(path, ({ status }) => status === "Failed"),
  );
  // depends on which look comes first: at the bump's request, or at the coin that the bump has spent
  const winner = `(${bump.id} has landed in its place|${bump.txHash} has spent its coin .*)`;
  expect(ended.reason).toMatch(new RegExp(`^${winner}; this one can never land$`));
  expect(await raisedOn(network)).toBe(1);
};

describe("INV-4 a transfer whose fee is too low", () => {
  it(
    "on EVM is sped up by the service once the base fee has risen, and pays once",
    async () => {
      const wallet = await makeWallet(EVM);
      await anvil.control.setBalance({ address: getAddress(wallet.address) as `0x${string}`, value: ETHER });
      const to = freshReceiver();
      const first = await send(wallet.id, to, "777");
      await isRaised(EVM, wallet.id, first, async () => {
        await anvil.control.setNextBlockBaseFeePerGas({ baseFeePerGas: DEAR });
        await anvil.control.mine({ blocks: 1 });
      });
      const provider = new JsonRpcProvider(anvil.rpcUrl);
      expect([await provider.getBalance(to), await provider.getTransactionCount(wallet.address)]).toEqual([
        777n,
        1,
      ]);
      provider.destroy();
    },
    TEST_MS,
  );

  it(
    "on Bitcoin is sped up by the service when miners leave it out, and pays once",
    async () => {
      const [wallet, other] = [await makeWallet(BITCOIN), await makeWallet(BITCOIN)];
      const mine = async () => void (await admin("mine", { blocks: 1 }));
      await admin("fund", { address: wallet.address, amount: COIN });
      await mine();
      const first = await send(wallet.id, other.address, "120000");
      await admin("delay", { id: first.txHash, blocks: 1_000 });
      await isRaised(BITCOIN, wallet.id, first, mine);
      const { assets } = await ask(
        z.object({ assets: z.array(z.object({ balance: z.string() })) }),
        "GET",
        `/wallets/${other.id}/assets`,
      );
      expect(assets).toMatchObject([{ balance: "120000" }]);
    },
    TEST_MS,
  );
});
