import { FAMILIES } from "@conclave/chains";
import {
  decodeAnyUnsigned,
  type EvmCall,
  feesOfUnsigned,
  type GasFees,
  leastReplacing,
} from "@conclave/chains/evm";
import { NODES } from "@conclave/chains/node";
import type { ChainRequest, ChainWallet } from "@conclave/custody";
import {
  changeChainRequest,
  listEvents,
  lockChainRequest,
  makeLogger,
  readChainRequest,
} from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { createPublicClient, getAddress, http, type PublicClient, parseEther } from "viem";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followOnce } from "../testing/follow-once.ts";
import { type PlainSigners, plainSigners } from "../testing/plain-signers.ts";
import { startWorld, type World } from "../testing/world.ts";
import { carryOutRequest, type RequestHandler } from "./work.ts";

const RECIPIENT = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const PAY: EvmCall = { kind: "Call", to: RECIPIENT, value: "5", data: "" };
/** Init code of a contract whose code is one STOP. */
const INIT_CODE = "60018060093d393df300";

let world: World;
let wallet: ChainWallet;
let quorum: PlainSigners;
let handler: RequestHandler;
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
    chains: new Map([
      [
        world.network.network,
        { family: FAMILIES.familyOf(world.network.network), node: NODES.connect(world.network) },
      ],
    ]),
    quorum,
    logger: makeLogger({ name: "test", level: "silent" }),
    world: processWorld,
    broadcasted: () => undefined,
    signal: (subject) => signals.push(subject),
  };
});
afterEach(() => world.stop());

const read = async ({ id }: Pick<ChainRequest, "id">): Promise<ChainRequest> => {
  const request = await readChainRequest(world.database, id);
  if (request === undefined) throw new Error(`${id} is gone`);
  return request;
};
const carried = async (request: ChainRequest): Promise<ChainRequest> => {
  await carryOutRequest(handler, request.id);
  return read(request);
};
const mine = () => world.anvil.control.mine({ blocks: 1 });
const follow = async (): Promise<void> => {
  await mine();
  await followOnce(handler);
};
const feesOf = ({ unsignedTransaction }: ChainRequest): GasFees =>
  feesOfUnsigned(unsignedTransaction ?? new Uint8Array());
/** The amount that the recipient received since the chain began. */
const received = async (): Promise<bigint> => {
  const address = getAddress(RECIPIENT);
  const [now, then] = await Promise.all([
    client.getBalance({ address }),
    client.getBalance({ address, blockNumber: 0n }),
  ]);
  return now - then;
};
const kinds = async ({ id }: ChainRequest) =>
  (await listEvents(world.database, id)).map(({ kind }) => kind.split(".").at(-1)).sort();

describe("a transaction of a caller's making", () => {
  it("is brought to its broadcast and confirmed, with its own events", async () => {
    const sent = await carried(await world.transaction(wallet, PAY));
    expect(sent).toMatchObject({
      status: "Broadcasted",
      sequence: 0n,
      details: { nonce: 0, gasLimit: "21000" },
    });
    expect(signals).toEqual([`conclave.done.${sent.id}`]);
    await follow();
    expect(await read(sent)).toMatchObject({ status: "Confirmed" });
    expect((await listEvents(world.database, sent.id)).map(({ kind }) => kind).sort()).toEqual([
      "wallet.transaction.broadcasted",
      "wallet.transaction.confirmed",
      "wallet.transaction.requested",
    ]);
  });

  it("deploys a contract at the address that it showed before", async () => {
    const sent = await carried(
      await world.transaction(wallet, { kind: "Call", value: "0", data: INIT_CODE }),
    );
    await follow();
    const receipt = await client.getTransactionReceipt({ hash: `0x${(await read(sent)).txHash?.slice(2)}` });
    expect(sent.details?.["contractAddress"]).toBe(getAddress(receipt.contractAddress ?? "0x"));
    expect(sent.details?.["contractAddress"]).toMatch(/^0x/);
  });

  it("has exactly the nonce, gas and fees that the caller fixed", async () => {
    const wanted: EvmCall = {
      ...PAY,
      nonce: 0,
      gasLimit: "50000",
      fees: { kind: "Eip1559", maxFeePerGas: "7000000000", maxPriorityFeePerGas: "2000000000" },
    };
    const sent = await carried(await world.transaction(wallet, wanted));
    const decoded = decodeAnyUnsigned(sent.unsignedTransaction ?? new Uint8Array());
    expect(decoded.ok && decoded.value).toMatchObject({
      type: 2,
      nonce: 0n,
      gasLimit: 50_000n,
      maxFeePerGas: 7_000_000_000n,
      maxPriorityFeePerGas: 2_000_000_000n,
    });
  });

  it.each([
    ["a gap", { nonce: 1 }, "the account nonce 1 leaves a gap: the next one is 0"],
    ["too little gas", { gasLimit: "20999" }, "the gas limit of 20999 is too low for it. Ask for 21000 gas"],
    ["more than there is", { value: parseEther("1000000").toString() }, "insufficient funds"],
  ])("fails with %s, and leaves its nonce to the next one", async (_, change, reason) => {
    const refused = await carried(await world.transaction(wallet, { ...PAY, ...change }));
    expect(refused).toMatchObject({ status: "Failed", sequence: undefined });
    expect(refused.reason).toContain(reason);
    expect(await carried(await world.transaction(wallet, PAY))).toMatchObject({ sequence: 0n });
  });

  it("fails with a nonce that is used up", async () => {
    await carried(await world.transaction(wallet, PAY));
    await follow();
    const late = await carried(await world.transaction(wallet, { ...PAY, nonce: 0 }));
    expect(late.reason).toBe("the account nonce 0 is used up: the next one is 1");
  });

  it("leaves its nonce to the next one when it is aborted before it is signed", async () => {
    const { id } = await world.transaction(wallet, PAY);
    quorum.away("waiting for signers");
    await carryOutRequest(handler, id);
    await world.database.transaction(async (connection) => {
      const locked = await lockChainRequest(connection, id);
      if (locked === undefined) throw new Error("it is gone");
      await changeChainRequest(connection, locked, {
        kind: "Aborted",
        date: locked.dateRequested,
        reason: "aborted",
      });
    });
    quorum.away(undefined);
    expect(await carryOutRequest(handler, id)).toEqual({ kind: "Done" });
    expect(await carried(await world.transaction(wallet, PAY))).toMatchObject({ sequence: 0n });
    await follow();
    expect(await received()).toBe(5n);
  });
});

describe("INV-4 a replacement", () => {
  it("has the same nonce and higher fees, lands alone, and names itself where it won", async () => {
    const first = await carried(await world.transfer(wallet, 5n));
    const second = await carried(await world.transaction(wallet, PAY, first));
    expect(second).toMatchObject({ status: "Broadcasted", sequence: first.sequence });
    for (const fee of ["maxFeePerGas", "maxPriorityFeePerGas"] as const) {
      expect(feesOf(second)[fee]).toBeGreaterThanOrEqual(leastReplacing(feesOf(first)[fee]));
    }
    await follow();
    expect(await read(second)).toMatchObject({ status: "Confirmed" });
    // anvil's finalized block lies two blocks behind
    await follow();
    await follow();
    expect(await read(first)).toMatchObject({
      status: "Failed",
      replacementId: second.id,
      reason: `${second.id} has landed in its place; this one can never land`,
    });
    expect(await received()).toBe(5n);
    expect(await kinds(first)).toEqual(["broadcasted", "failed", "requested"]);
  });

  it("loses when the first one lands after all", async () => {
    const first = await carried(await world.transfer(wallet, 5n));
    quorum.away("waiting for signers");
    const second = await carried(await world.transaction(wallet, PAY, first));
    await mine();
    quorum.away(undefined);
    await carryOutRequest(handler, second.id);
    await followOnce(handler);
    expect((await read(first)).status).toBe("Confirmed");
    expect((await read(second)).status).toBe("Failed");
    expect(await received()).toBe(5n);
  });

  it("does not wait for other requests of the wallet, nor do they wait for it", async () => {
    const first = await carried(await world.transfer(wallet));
    quorum.away("waiting for signers");
    const second = await carried(await world.transaction(wallet, PAY, first));
    expect(second).toMatchObject({ status: "Executing", sequence: 0n });
    quorum.away(undefined);
    expect(await carried(await world.transfer(wallet))).toMatchObject({
      status: "Broadcasted",
      sequence: 1n,
    });
  });

  it("that comes to nothing leaves the first one as it was, to be replaced again", async () => {
    const first = await carried(await world.transfer(wallet));
    const vain = await carried(
      await world.transaction(wallet, { ...PAY, value: parseEther("1000000").toString() }, first),
    );
    expect(vain.status).toBe("Failed");
    expect(await read(first)).toMatchObject({ status: "Broadcasted", replacementId: undefined });
    const second = await carried(await world.transaction(wallet, PAY, await read(first)));
    await follow();
    expect(await read(second)).toMatchObject({ status: "Confirmed" });
  });

  it("is refused when the caller's fees are no 12.5 % higher", async () => {
    const first = await carried(await world.transfer(wallet));
    const { maxFeePerGas } = feesOf(first);
    const fees = { kind: "Eip1559", maxFeePerGas: (leastReplacing(maxFeePerGas) - 1n).toString() } as const;
    const second = await carried(await world.transaction(wallet, { ...PAY, fees }, first));
    expect(second.reason).toMatch(/^maxFeePerGas of \d+ wei is too low to replace the pending transaction/);
  });

  it("spends what the first one would have spent, not both", async () => {
    const half = parseEther("6000");
    const first = await carried(await world.transfer(wallet, half));
    const second = await carried(await world.transaction(wallet, { ...PAY, value: half.toString() }, first));
    expect(second.status).toBe("Broadcasted");
  });

  it("comes back when a reorganisation takes away what settled it, and so does what it replaced", async () => {
    const first = await carried(await world.transfer(wallet));
    const second = await carried(await world.transaction(wallet, PAY, first));
    for (let block = 0; block < 3; block += 1) await follow();
    expect((await read(first)).status).toBe("Failed");
    await world.anvil.reorganise(3);
    await followOnce(handler);
    expect([(await read(first)).status, (await read(second)).status]).toEqual(["Broadcasted", "Broadcasted"]);
    await followOnce(handler);
    for (let block = 0; block < 4; block += 1) await follow();
    const ends = [(await read(first)).status, (await read(second)).status].sort();
    expect(ends).toEqual(["Confirmed", "Failed"]);
  });
});

describe("a transaction that the chain reverted", () => {
  it("is Broadcasted again when a reorganisation takes its block away, and may succeed then", async () => {
    const contract = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
    const call: EvmCall = { kind: "Call", to: contract, value: "0", data: "00" };
    const sent = await carried(await world.transaction(wallet, { ...call, gasLimit: "60000" }));
    await world.anvil.control.setCode({ address: contract, bytecode: "0x5f5ffd" });
    await follow();
    expect(await read(sent)).toMatchObject({ status: "Failed", blockNumber: expect.any(BigInt) });
    await followOnce(handler);
    expect((await read(sent)).status).toBe("Failed");
    await world.anvil.reorganise(1);
    await world.anvil.control.setCode({ address: contract, bytecode: "0x00" });
    await followOnce(handler);
    expect(await read(sent)).toMatchObject({ status: "Broadcasted", fee: undefined, reason: undefined });
    await followOnce(handler);
    await follow();
    expect((await read(sent)).status).toBe("Confirmed");
  });
});
