import { ToyChain } from "@conclave/chains/testing";
import { type ChainRequest, keyIdSchema, transferIdSchema } from "@conclave/custody";
import { listEvents, readChainRequest, readDeathStatement } from "@conclave/platform";
import { waitUntil } from "@conclave/testbed";
import { computeAddress, verifyMessage } from "ethers";
import { sha256 } from "viem/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  addNetwork,
  makePremises,
  type OrchestratorState,
  type Premises,
  type RunningCluster,
  startCluster,
} from "./further-family/cluster.ts";
import {
  authorityKey,
  LyingOrchestrator,
  statementBy,
  strangersKey,
  withDeadline,
} from "./further-family/lying-orchestrator.ts";
import { PATIENCE_MS } from "./patience.ts";

const NETWORK = "CosmosHub4";
const RECIPIENT = `toy1${"ab".repeat(20)}`;
const FEE = "10";
const HOUR_MS = 3_600_000;
const PAST_ITS_WINDOW_MS = 61_000;

const keySchema = z.object({ id: keyIdSchema, publicKey: z.string(), status: z.literal("Active") });
const walletSchema = z.object({
  id: z.string(),
  address: z.string(),
  signingKey: z.object({ id: z.string(), publicKey: z.string() }),
});
const transferSchema = z.object({
  id: transferIdSchema,
  status: z.string(),
  reason: z.string().optional(),
  fee: z.string().optional(),
  txHash: z.string().optional(),
});
type ShownTransfer = z.infer<typeof transferSchema>;

let premises: Premises;
let cluster: RunningCluster;
let chain: ToyChain;
let cosigner: z.infer<typeof keySchema>;
let wallet: z.infer<typeof walletSchema>;

const ask = async <T>(schema: z.ZodType<T>, method: string, path: string, body?: object): Promise<T> => {
  const answer = await cluster.api.send(method, path, body);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  return schema.parse(answer.body);
};

const transfer = (amount: string): Promise<ShownTransfer> =>
  ask(transferSchema, "POST", `/wallets/${wallet.id}/transfers`, { kind: "Native", to: RECIPIENT, amount });

const until = (
  { id }: ShownTransfer,
  what: string,
  isSo: (shown: ShownTransfer) => boolean,
): Promise<ShownTransfer> => {
  let last: ShownTransfer | undefined;
  return waitUntil(
    async () => {
      last = await ask(transferSchema, "GET", `/wallets/${wallet.id}/transfers/${id}`);
      return isSo(last) ? last : undefined;
    },
    { what: () => `${what}, not ${JSON.stringify(last)}`, deadlineMs: PATIENCE_MS },
  );
};
const reached = (asked: ShownTransfer, status: string): Promise<ShownTransfer> =>
  until(asked, status, (shown) => shown.status === status);

const rowOf = async ({
  id,
}: ShownTransfer): Promise<ChainRequest & { readonly unsignedTransaction: Uint8Array }> => {
  const row = await readChainRequest(cluster.database, id);
  if (row?.unsignedTransaction === undefined) throw new Error(`${id} has no transaction`);
  return { ...row, unsignedTransaction: row.unsignedTransaction };
};

/** The ids of all transactions on the chain. */
const landed = (): readonly string[] =>
  Array.from({ length: Number(chain.head.height) + 1 }, (_, at) => chain.at(BigInt(at))?.ids ?? []).flat();

/** The distinct ids broadcast since then, and the number of broadcasts. */
const broadcastSince = (count: number) => {
  const ids = chain.broadcasts.slice(count);
  return { ids: [...new Set(ids)], times: ids.length };
};

const sentAgain = (since: number): Promise<true> =>
  waitUntil(() => (broadcastSince(since).times >= 3 ? true : undefined), {
    what: "the orchestrator to send what the chain lost again, twice",
    deadlineMs: PATIENCE_MS,
  });

const confirmed = async (amount: string): Promise<ShownTransfer> => {
  const sent = await reached(await transfer(amount), "Broadcasted");
  chain.mine(2);
  return reached(sent, "Confirmed");
};

/** Restarts all processes, with the current networks file. */
const restart = async (presignatures: number): Promise<void> => {
  await cluster.stop();
  cluster = await startCluster(premises, chain, presignatures);
};

beforeAll(async () => {
  // the chain's clock is an hour behind, so its deadlines have passed for the signers whenever they have for the chain
  chain = new ToyChain(Date.now() - HOUR_MS);
  premises = await makePremises();
  cluster = await startCluster(premises, chain, 0);
  cosigner = await ask(keySchema, "POST", "/keys", { scheme: "EdDSA", curve: "ed25519" });
  addNetwork(premises, { network: NETWORK, family: "Cosmos", cosigner: cosigner.id, feeCap: "100" });
  await restart(0);
  wallet = await ask(walletSchema, "POST", "/wallets", { network: NETWORK });
});
afterAll(async () => {
  await cluster?.stop();
  await premises?.leave();
});

describe("a family that only its folder and the registry know", () => {
  it("gives wallets the addresses of its chain, on keys that the signers make", () => {
    const publicKey = Buffer.from(wallet.signingKey.publicKey, "hex");
    expect(wallet.address).toBe(`toy1${sha256(publicKey).slice(2, 42)}`);
  });

  it("carries a transfer from POST to its confirmation, signed by an ECDSA and an Ed25519 key", async () => {
    const asked = await transfer("7");
    expect(["Pending", "Executing", "Broadcasted"]).toContain(asked.status);
    await reached(asked, "Broadcasted");
    chain.mine(1);
    expect((await reached(asked, "Broadcasted")).fee).toBe(undefined);
    chain.mine(1);
    const shown = await reached(asked, "Confirmed");
    // the chain accepts the transfer only if both signatures are right; the shown fee comes from its block
    expect(shown).toMatchObject({ fee: FEE, txHash: landed().at(-1) });
    expect(landed()).toHaveLength(1);
    const { unsignedTransaction } = await rowOf(asked);
    expect(JSON.parse(Buffer.from(unsignedTransaction).toString())).toMatchObject({
      from: wallet.address,
      to: RECIPIENT,
      amount: "7",
      keys: [wallet.signingKey.publicKey, cosigner.publicKey],
    });
    expect((await cluster.status()).presignatures.signed).toEqual({ pooled: 0, interactive: 1 });
    expect((await listEvents(cluster.database, asked.id)).map(({ kind }) => kind).sort()).toEqual([
      "wallet.transfer.broadcasted",
      "wallet.transfer.confirmed",
      "wallet.transfer.requested",
    ]);
  });

  it("shows what a wallet holds of its coin, by the family's own name and decimals", async () => {
    const schema = z.object({ assets: z.array(z.record(z.string(), z.unknown())) });
    const { assets } = await ask(schema, "GET", `/wallets/${wallet.id}/assets`);
    expect(assets).toEqual([expect.objectContaining({ kind: "Native", symbol: "TOY", decimals: 8 })]);
  });

  it("refuses what it does not serve, with the code of the interface", async () => {
    const tokens = { kind: "Erc20", contract: RECIPIENT, to: RECIPIENT, amount: "1" };
    const answer = await cluster.api.send("POST", `/wallets/${wallet.id}/transfers`, tokens);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { details: { code: "TransferKindNotSupported", kinds: ["Native"] } } },
    });
  });
});

describe("a transaction that the chain loses", () => {
  let request: ShownTransfer;
  let first: Uint8Array;
  let before: number;
  let heldBefore: number;

  beforeAll(async () => {
    [before, heldBefore] = [chain.broadcasts.length, landed().length];
    chain.losesAll = true;
    request = await transfer("8");
    await reached(request, "Broadcasted");
    first = (await rowOf(request)).unsignedTransaction;
  });

  it("INV-4 is sent again as it is while it may land, and no second one is signed", async () => {
    await sentAgain(before);
    chain.mine(3);
    await sentAgain(chain.broadcasts.length);
    expect(broadcastSince(before).ids).toHaveLength(1);
    expect(await rowOf(request)).toMatchObject({ status: "Broadcasted", deadTransactions: 0 });
    expect(await readDeathStatement(cluster.database, request.id, 1)).toBe(undefined);
  });

  it("INV-4 is not followed by a second one on the word of an orchestrator", async () => {
    const liar = await LyingOrchestrator.open(premises);
    const row = await rowOf(request);
    const second = withDeadline(first, chain.head.timeMs + PAST_ITS_WINDOW_MS);
    for (const words of await liar.ask(row, second, undefined)) {
      expect(words).toContain("TransactionNotExcluding");
    }
    for (const words of await liar.ask(row, second, statementBy(strangersKey(), row, first))) {
      expect(words).toEqual(["AuthorisationInvalid"]);
    }
    // the authority's statement about a transaction that was never signed has no effect
    const other = statementBy(await authorityKey(premises), row, second);
    for (const words of await liar.ask(row, second, other))
      expect(words).toContain("TransactionNotExcluding");
    liar.close();
  });

  it("INV-4 is followed by a second one once the authority has seen it dead, and one of them lands", async () => {
    chain.losesAll = false;
    const lost = chain.broadcasts.length;
    chain.mine(2, PAST_ITS_WINDOW_MS);
    await waitUntil(() => (broadcastSince(lost).times > 0 ? true : undefined), {
      what: "a second transaction",
      deadlineMs: PATIENCE_MS,
    });
    chain.mine(2);
    const shown = await reached(request, "Confirmed");
    expect(landed().slice(heldBefore)).toEqual([shown.txHash]);
    expect(broadcastSince(before).ids).toHaveLength(2);
    expect(await rowOf(request)).toMatchObject({ deadTransactions: 1 });
    expect((await readDeathStatement(cluster.database, request.id, 1))?.statement).toBeDefined();
  });
});

describe("a pool of presignatures", () => {
  beforeAll(async () => {
    await restart(1);
    await stocked(({ presignatures }) => presignatures.ready >= 3);
  });

  const stocked = (isSo: (state: OrchestratorState) => boolean): Promise<true> =>
    waitUntil(async () => (isSo(await cluster.status()) ? true : undefined), {
      what: "the stock",
      deadlineMs: PATIENCE_MS,
    });

  it("serves the ECDSA signature of two", async () => {
    expect(await confirmed("9")).toMatchObject({ fee: FEE, txHash: landed().at(-1) });
    expect((await cluster.status()).presignatures.signed).toEqual({ pooled: 1, interactive: 0 });
  });
});

describe("EVM beside it", () => {
  it("has wallets with the addresses of EVM, which sign", async () => {
    const own = await ask(walletSchema, "POST", "/wallets", { network: "EthereumSepolia" });
    expect(own.address).toBe(computeAddress(`0x${own.signingKey.publicKey}`));
    const schema = z.object({ signature: z.object({ encoded: z.string() }) });
    const body = { kind: "Message", message: "0x48656c6c6f" };
    const { signature } = await ask(schema, "POST", `/wallets/${own.id}/signatures`, body);
    expect(verifyMessage("Hello", signature.encoded)).toBe(own.address);
  });

  it("has an address of its own on a key that signs on the toy chain too", async () => {
    const body = { network: "EthereumSepolia", signingKey: { id: wallet.signingKey.id } };
    const { address } = await ask(walletSchema, "POST", "/wallets", body);
    expect(address).toBe(computeAddress(`0x${wallet.signingKey.publicKey}`));
  });
});

describe("a chain whose clock is ahead of the signers'", () => {
  it("INV-4 gets no second transaction on the authority's word, and the request waits", async () => {
    chain.mine(1, Date.now() - chain.head.timeMs);
    chain.losesAll = true;
    const request = await reached(await transfer("10"), "Broadcasted");
    const row = await rowOf(request);
    const { unsignedTransaction: first } = row;
    const looked = cluster.looksAtFate();
    chain.mine(2, PAST_ITS_WINDOW_MS);
    const liar = await LyingOrchestrator.open(premises);
    const second = withDeadline(first, chain.head.timeMs + PAST_ITS_WINDOW_MS);
    const statement = statementBy(await authorityKey(premises), row, first);
    for (const words of await liar.ask(row, second, statement)) {
      expect(words).toContain("DeadlineNotPassed");
    }
    liar.close();
    const hasSeen = async (): Promise<true | undefined> => {
      const hasFailed = (await readChainRequest(cluster.database, request.id))?.status === "Failed";
      return hasFailed || cluster.looksAtFate() >= looked + 4 ? true : undefined;
    };
    await waitUntil(hasSeen, {
      what: "the orchestrator to see again and again that it is dead",
      deadlineMs: PATIENCE_MS,
    });
    expect(await readChainRequest(cluster.database, request.id)).toMatchObject({
      status: "Broadcasted",
      deadTransactions: 0,
    });
  });
});
