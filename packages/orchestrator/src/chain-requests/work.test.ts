import { FAMILIES, type TransactionIntent } from "@conclave/chains";
import type { EvmNetwork } from "@conclave/chains/evm";
import { type ChainNode, NODES } from "@conclave/chains/node";
import { type ChainWallet, ok, type Transfer, type TransferId } from "@conclave/custody";
import { listEvents, makeLogger, readTransfer } from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { createPublicClient, getAddress, http, type PublicClient, parseEther } from "viem";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Crash, dyingAt } from "../testing/crash.ts";
import { followOnce } from "../testing/follow-once.ts";
import { type PlainSigners, plainSigners } from "../testing/plain-signers.ts";
import { startWorld, type World } from "../testing/world.ts";
import type { ServedChain } from "./served-chain.ts";
import { carryOutRequest, type RequestHandler } from "./work.ts";

/** More than the number of external calls in a whole run. */
const MOST_MOMENTS = 80;

let world: World;
let wallet: ChainWallet;
let quorum: PlainSigners;
let handler: RequestHandler;
const served = (entry: EvmNetwork): ServedChain => ({
  family: FAMILIES.familyOf(entry.network),
  node: NODES.connect(entry),
});

let client: PublicClient;
let signals: string[];

beforeEach(async () => {
  world = await startWorld();
  await world.anvil.control.setAutomine(false);
  wallet = await world.wallet();
  quorum = plainSigners(world.account);
  signals = [];
  client = createPublicClient({ transport: http(world.anvil.rpcUrl), cacheTime: 0 });
  handler = {
    database: world.orchestratorDatabase,
    chains: new Map([[world.network.network, served(world.network)]]),
    quorum,
    logger: makeLogger({ name: "test", level: "silent" }),
    world: processWorld,
    broadcasted: () => undefined,
    signal: (subject) => signals.push(subject),
  };
});
afterEach(() => world.stop());

const read = async (id: TransferId): Promise<Transfer> => {
  const transfer = await readTransfer(world.database, id);
  if (transfer === undefined) throw new Error(`${id} is gone`);
  return transfer;
};
const mine = (blocks = 1) => world.anvil.control.mine({ blocks });
/** The number of the wallet's transactions in blocks. */
const landed = () => client.getTransactionCount({ address: getAddress(world.account.address) });
const kinds = async (id: TransferId) => (await listEvents(world.database, id)).map(({ kind }) => kind).sort();
const confirm = async (id: TransferId): Promise<Transfer> => {
  await mine();
  await followOnce(handler);
  return read(id);
};

describe("carrying out a transfer", () => {
  it("brings it to its broadcast, and the chain confirms it with the fee that was really paid", async () => {
    const { id } = await world.transfer(wallet, parseEther("1"));
    expect(await carryOutRequest(handler, id)).toEqual({ kind: "Done" });
    expect((await read(id)).status).toBe("Broadcasted");
    const confirmed = await confirm(id);
    expect(confirmed).toMatchObject({ status: "Confirmed", sequence: 0n, reason: undefined });
    const receipt = await client.getTransactionReceipt({ hash: `0x${confirmed.txHash?.slice(2)}` });
    expect(confirmed.fee).toBe((receipt.gasUsed * receipt.effectiveGasPrice).toString());
    expect(confirmed.blockHash).toBe(receipt.blockHash);
  });

  it("INV-6 emits one event for each change", async () => {
    const { id } = await world.transfer(wallet);
    await carryOutRequest(handler, id);
    await confirm(id);
    await followOnce(handler);
    expect(await kinds(id)).toEqual([
      "wallet.transfer.broadcasted",
      "wallet.transfer.confirmed",
      "wallet.transfer.requested",
    ]);
  });

  it("INV-4 INV-5 lands exactly once, whenever the process dies", async () => {
    let moments = 0;
    for (let died = true; died; moments += 1) {
      const { id } = await world.transfer(wallet);
      const before = await landed();
      died = await carryOutRequest(dyingAt(moments, handler), id).then(
        () => false,
        (error: unknown) => {
          if (error instanceof Crash) return true;
          throw error;
        },
      );
      expect(await carryOutRequest(handler, id), `died at ${moments}`).toEqual({ kind: "Done" });
      const confirmed = await confirm(id);
      expect(confirmed.status, `died at ${moments}`).toBe("Confirmed");
      expect(await landed(), `died at ${moments}`).toBe(before + 1);
      expect(await kinds(id), `died at ${moments}`).toHaveLength(3);
      expect(moments).toBeLessThan(MOST_MOMENTS);
    }
    // the first run that survived had passed many moments
    expect(moments).toBeGreaterThan(20);
  });

  it("INV-4 broadcasts the stored bytes after a crash, and does not sign again", async () => {
    const { id } = await world.transfer(wallet);
    const dying = {
      ...handler,
      chains: new Map(
        [...handler.chains].map(([name, chain]) => [
          name,
          {
            ...chain,
            node: {
              ...chain.node,
              broadcast: () => Promise.reject(new Crash("killed before the broadcast")),
            },
          },
        ]),
      ),
    };
    await expect(carryOutRequest(dying, id)).rejects.toThrow(Crash);
    const stored = await read(id);
    await carryOutRequest(handler, id);
    expect((await confirm(id)).txHash).toBe(stored.txHash);
    expect(quorum.signatures()).toBe(1);
  });

  it("INV-6 does not say that bytes are out that another look stored while the earlier ones were sent", async () => {
    const { id } = await world.transfer(wallet);
    const [name, chain] = [...handler.chains][0] ?? expect.fail("no chain is served");
    const sent: string[] = [];
    const broadcast: ChainNode["broadcast"] = async (bytes) => {
      sent.push(Buffer.from(bytes).toString("hex"));
      const later = "signed_transaction = '\\x05', tx_hash = '0x05'";
      await world.database.execute(`update chain_requests set ${later} where id = $1`, [id]);
      return { kind: "accepted" };
    };
    const node: ChainNode = { ...chain.node, broadcast };
    const other = { ...handler, chains: new Map([[name, { ...chain, node }]]) };
    expect(await carryOutRequest(other, id)).toEqual({ kind: "Done" });
    expect(sent.slice(1)).toEqual(["05"]);
    expect(await read(id)).toMatchObject({ status: "Broadcasted", txHash: "0x05" });
    expect((await kinds(id)).filter((kind) => kind.endsWith("broadcasted"))).toHaveLength(1);
  });

  it("INV-4 finds what was sent before a crash, also where the node has words of its own for knowing it", async () => {
    const { id } = await world.transfer(wallet, parseEther("1"));
    const [name, chain] = [...handler.chains][0] ?? expect.fail("no chain is served");
    const node: ChainNode = {
      ...chain.node,
      broadcast: async (signed) => {
        await chain.node.broadcast(signed);
        return { kind: "refused", reason: "it has met this before" };
      },
    };
    await carryOutRequest({ ...handler, chains: new Map([[name, { ...chain, node }]]) }, id);
    expect((await read(id)).status).toBe("Broadcasted");
  });

  it("INV-4 deliveries that come twice at the same time make one transaction", async () => {
    const { id } = await world.transfer(wallet);
    await Promise.all([
      carryOutRequest(handler, id),
      carryOutRequest(handler, id),
      carryOutRequest(handler, id),
    ]);
    expect((await confirm(id)).status).toBe("Confirmed");
    expect(await landed()).toBe(1);
  });

  it("INV-4 a slow second delivery does not fail what the first one has broadcast meanwhile", async () => {
    const { id } = await world.transfer(wallet, parseEther("6000"));
    const overtaken = new Map(
      [...handler.chains].map(([name, chain]) => [
        name,
        {
          ...chain,
          node: {
            ...chain.node,
            build: async (intent: TransactionIntent) => {
              await carryOutRequest(handler, id);
              // the funds are already being sent, so this answers InsufficientFunds
              return chain.node.build(intent);
            },
          },
        },
      ]),
    );
    expect(await carryOutRequest({ ...handler, chains: overtaken }, id)).toEqual({ kind: "Done" });
    expect(await confirm(id)).toMatchObject({ status: "Confirmed" });
  });

  it("fails without touching the chain when the wallet holds too little", async () => {
    const { id } = await world.transfer(wallet, parseEther("1000000"));
    await carryOutRequest(handler, id);
    const failed = await read(id);
    expect(failed.status).toBe("Failed");
    expect(failed.reason).toMatch(/^insufficient funds: /);
    expect(failed.sequence).toBe(undefined);
    expect(await kinds(id)).toEqual(["wallet.transfer.failed", "wallet.transfer.requested"]);
  });

  it("leaves no hole in the account's order when a transfer fails", async () => {
    const [poor, good] = [await world.transfer(wallet, parseEther("1000000")), await world.transfer(wallet)];
    await carryOutRequest(handler, poor.id);
    await carryOutRequest(handler, good.id);
    expect(await confirm(good.id)).toMatchObject({ status: "Confirmed", sequence: 0n });
  });

  it("takes one transfer of a wallet at a time up to its broadcast", async () => {
    const [first, second] = [await world.transfer(wallet), await world.transfer(wallet)];
    quorum.away("waiting for signers");
    expect((await carryOutRequest(handler, first.id)).kind).toBe("Again");
    expect((await carryOutRequest(handler, second.id)).kind).toBe("Again");
    expect(await read(second.id)).toMatchObject({ reason: "waiting for signers", sequence: undefined });
    quorum.away(undefined);
    expect((await carryOutRequest(handler, second.id)).kind).toBe("Again");
    expect((await read(second.id)).reason).toBe("waiting for an earlier request of the wallet");
    await carryOutRequest(handler, first.id);
    await carryOutRequest(handler, second.id);
    expect(await read(second.id)).toMatchObject({ sequence: 1n, reason: undefined });
    await mine();
    expect(await landed()).toBe(2);
  });

  it("INV-5 says why it waits while too few signers live, and forgets the reason afterwards", async () => {
    const { id } = await world.transfer(wallet);
    quorum.away("waiting for signers: 2 of the 3 needed are live; signer-3 does not answer");
    expect(await carryOutRequest(handler, id)).toMatchObject({ kind: "Again" });
    expect(await read(id)).toMatchObject({
      status: "Executing",
      reason: "waiting for signers: 2 of the 3 needed are live; signer-3 does not answer",
    });
    quorum.away(undefined);
    await carryOutRequest(handler, id);
    expect(await read(id)).toMatchObject({ status: "Broadcasted", reason: undefined });
  });

  it("takes the fees of the moment under the same nonce when it had to wait", async () => {
    const { id } = await world.transfer(wallet);
    quorum.away("waiting for signers");
    await carryOutRequest(handler, id);
    const before = await read(id);
    await carryOutRequest(handler, id);
    expect((await read(id)).unsignedTransaction).toEqual(before.unsignedTransaction);
    await world.anvil.control.setNextBlockBaseFeePerGas({ baseFeePerGas: parseEther("0.0000005") });
    await mine();
    quorum.away(undefined);
    await carryOutRequest(handler, id);
    const after = await confirm(id);
    expect(after).toMatchObject({ status: "Confirmed", sequence: before.sequence });
    expect(after.unsignedTransaction).not.toEqual(before.unsignedTransaction);
  });

  it("waits while the chain node is away, and says so", async () => {
    const { id } = await world.transfer(wallet);
    const nowhere = served({ ...world.network, rpcUrl: "http://127.0.0.1:9" });
    const away = { ...handler, chains: new Map([[world.network.network, nowhere]]) };
    expect(await carryOutRequest(away, id)).toMatchObject({ kind: "Again" });
    expect((await read(id)).reason).toMatch(/^The chain node of EthereumSepolia does not answer/);
    expect(await carryOutRequest(handler, id)).toEqual({ kind: "Done" });
    expect(await confirm(id)).toMatchObject({ status: "Confirmed", reason: undefined });
  });

  it("fails with the chain's reason when a token contract would refuse", async () => {
    const contract = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
    await world.anvil.control.setCode({ address: contract, bytecode: "0x5f5ffd" });
    const { id } = await world.tokenTransfer(wallet, contract, 5n);
    await carryOutRequest(handler, id);
    expect((await read(id)).status).toBe("Failed");
    expect((await read(id)).reason).toMatch(/revert/i);
  });
});

describe("following the chain", () => {
  const broadcasted = async (): Promise<TransferId> => {
    const { id } = await world.transfer(wallet);
    await carryOutRequest(handler, id);
    return id;
  };

  it("waits for as many confirmations as the network asks for", async () => {
    const deep = served({ ...world.network, confirmations: 3 });
    const patient = { ...handler, chains: new Map([[world.network.network, deep]]) };
    const id = await broadcasted();
    await mine(2);
    await followOnce(patient);
    expect((await read(id)).status).toBe("Broadcasted");
    await mine();
    await followOnce(patient);
    expect((await read(id)).status).toBe("Confirmed");
  });

  it("INV-4 sends the same bytes again when a reorganisation drops a broadcast transaction", async () => {
    const id = await broadcasted();
    await mine();
    await world.anvil.reorganise(1);
    await followOnce(handler);
    expect((await read(id)).status).toBe("Broadcasted");
    expect((await confirm(id)).status).toBe("Confirmed");
    expect(await landed()).toBe(1);
  });

  it("takes a confirmed transfer back to Broadcasted when its block is reorganised away, and confirms it again", async () => {
    const id = await broadcasted();
    const first = await confirm(id);
    await followOnce(handler);
    expect((await read(id)).status).toBe("Confirmed");
    await world.anvil.reorganise(1);
    await followOnce(handler);
    expect(await read(id)).toMatchObject({ status: "Broadcasted", fee: undefined, blockHash: undefined });
    await followOnce(handler);
    const second = await confirm(id);
    expect(second).toMatchObject({ status: "Confirmed", txHash: first.txHash });
    expect(second.blockHash).not.toBe(first.blockHash);
  });

  it("leaves a confirmed transfer as it is when a node that lags behind knows neither it nor its block", async () => {
    const id = await broadcasted();
    const confirmed = await confirm(id);
    const { family, node } = served(world.network);
    const lagging: typeof node = {
      ...node,
      sight: async () => ok({ kind: "unknown" }),
      block: async () => ok(undefined),
    };
    const chains = new Map([[world.network.network, { family, node: lagging }]]);
    await followOnce({ ...handler, chains });
    expect(await read(id)).toEqual(confirmed);
  });

  it("fails a transfer that the chain reverted, with the fee that it cost", async () => {
    const contract = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
    // a contract that answers any call with the largest number, so that everybody seems to hold tokens
    await world.anvil.control.setCode({ address: contract, bytecode: "0x5f195f5260205ff3" });
    const { id } = await world.tokenTransfer(wallet, contract, 5n);
    await carryOutRequest(handler, id);
    await world.anvil.control.setCode({ address: contract, bytecode: "0x5f5ffd" });
    const failed = await confirm(id);
    expect(failed).toMatchObject({ status: "Failed", reason: "the chain executed it and reverted it" });
    expect(BigInt(failed.fee ?? "0")).toBeGreaterThan(0n);
  });

  it("INV-4 fails a transfer only once another transaction has provably taken its nonce", async () => {
    const id = await broadcasted();
    const { txHash } = await read(id);
    await world.anvil.control.dropTransaction({ hash: `0x${txHash?.slice(2)}` });
    // another transaction of the account uses the nonce
    await world.anvil.control.setNonce({ address: getAddress(world.account.address), nonce: 1 });
    await followOnce(handler);
    // anvil's finalized block lies two blocks behind
    for (let block = 0; block < 3; block += 1) await mine();
    await followOnce(handler);
    expect(await read(id)).toMatchObject({
      status: "Failed",
      reason: "another transaction used the account nonce 0; this one can never land",
    });
  });

  it("shares the transfers among orchestrators that look at the same time", async () => {
    const ids = [await broadcasted(), await broadcasted(), await broadcasted()];
    await mine();
    await Promise.all([followOnce(handler), followOnce(handler)]);
    await followOnce(handler);
    for (const id of ids) expect(await kinds(id)).toHaveLength(3);
  });
});
