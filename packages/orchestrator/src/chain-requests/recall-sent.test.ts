import { type ChainNode, FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import { RECIPIENT, TEST_SECRET_KEY } from "@conclave/chains/testing";
import { type ChainWallet, fail, ok, type Transfer, type TransferId } from "@conclave/custody";
import { listUnsure, makeLogger, readTransfer, ruleOut } from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import {
  createPublicClient,
  createWalletClient,
  getAddress,
  http,
  type PublicClient,
  parseEther,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withOtherFees } from "../testing/other-fees.ts";
import { noneSigned, signedBy } from "../testing/plain-signers.ts";
import { carryToItsEnd, NOT_BUILT, NOT_SIGNED, putBack, signAnew } from "../testing/put-back.ts";
import { startWorld, type World } from "../testing/world.ts";
import { carryOutRequest, type RequestHandler } from "./work.ts";

const AMOUNT = parseEther("1");

let world: World;
let wallet: ChainWallet;
let client: PublicClient;
let handler: RequestHandler;
let signatures: number;
let searches: number;
/** replaces the node's search */
let findInstead: ChainNode["findSent"];

beforeEach(async () => {
  world = await startWorld();
  await world.anvil.control.setAutomine(false);
  wallet = await world.wallet();
  client = createPublicClient({ transport: http(world.anvil.rpcUrl), cacheTime: 0 });
  [signatures, searches, findInstead] = [0, 0, undefined];
  const { network } = world.network;
  const connected = NODES.connect(world.network);
  const node: ChainNode = {
    ...connected,
    findSent: async (sender, search) => {
      searches += 1;
      return (findInstead ?? connected.findSent ?? expect.fail("it finds nothing"))(sender, search);
    },
  };
  handler = {
    database: world.orchestratorDatabase,
    chains: new Map([[network, { family: FAMILIES.familyOf(network), node }]]),
    quorum: {
      shortage: () => undefined,
      isBegun: () => false,
      // the signers' stores were restored as well
      askSigned: noneSigned,
      sign: async ({ signables }) => {
        signatures += 1;
        return signedBy(signables.map(({ bytes }) => signAnew(bytes)));
      },
    },
    logger: makeLogger({ name: "test", level: "silent" }),
    world: processWorld,
    broadcasted: () => undefined,
    signal: () => undefined,
  };
});
afterEach(() => world.stop());

const read = async (id: TransferId): Promise<Transfer> =>
  (await readTransfer(world.database, id)) ?? expect.fail("it is gone");
const carry = (id: TransferId) => carryOutRequest(handler, id);
const mine = (blocks = 1) => world.anvil.control.mine({ blocks });
const paid = () => client.getBalance({ address: getAddress(RECIPIENT) });
const goBack = (to: string, ...transfers: readonly Pick<Transfer, "id">[]) =>
  putBack(world, to, ...transfers);
const toItsEnd = (id: TransferId) => carryToItsEnd(world, handler, id);

describe("INV-4 INV-5 the database and all signers' stores are put back to before a transfer landed", () => {
  it.each([
    ["to before it was built", NOT_BUILT],
    ["to when it was built", `${NOT_SIGNED}, status = 'Executing'`],
    ["to when it waited for signers", `${NOT_SIGNED}, status = 'Executing', reason = 'waiting for signers'`],
  ])("%s: it is Confirmed as what it was, and nothing is signed", async (_, to) => {
    const { id } = await world.transfer(wallet, AMOUNT);
    const before = await toItsEnd(id);
    expect(before.status).toBe("Confirmed");
    const had = await paid();
    await goBack(to, before);
    const { txHash, blockHash, fee, sequence, details } = before;
    expect(await toItsEnd(id)).toMatchObject({
      status: "Confirmed",
      txHash,
      blockHash,
      fee,
      sequence,
      details,
    });
    expect([await paid(), signatures]).toEqual([had, 1]);
  });

  it("does not fail what was paid because it could not be paid again", async () => {
    const { id } = await world.transfer(wallet, AMOUNT);
    const before = await toItsEnd(id);
    await world.anvil.control.setBalance({ address: getAddress(wallet.address), value: 1n });
    await goBack(NOT_BUILT, before);
    expect(await toItsEnd(id)).toMatchObject({ status: "Confirmed", txHash: before.txHash });
  });

  it("takes it over where other fees were bid in its place than those on record", async () => {
    const { id } = await world.transfer(wallet, AMOUNT);
    const before = await toItsEnd(id);
    const had = await paid();
    const other = Buffer.from(withOtherFees(before.unsignedTransaction ?? expect.fail("nothing was signed")));
    await goBack(
      `${NOT_SIGNED}, status = 'Executing', unsigned_transaction = '\\x${other.toString("hex")}'`,
      before,
    );
    expect(await toItsEnd(id)).toMatchObject({ status: "Confirmed", txHash: before.txHash });
    expect(await paid()).toBe(had);
  });

  it("takes no other request for it: of two, one has landed, and the other is carried out first", async () => {
    const [first, second] = [await world.transfer(wallet, AMOUNT), await world.transfer(wallet, 2n * AMOUNT)];
    const before = await toItsEnd(second.id);
    const had = await paid();
    await goBack(NOT_BUILT, second);
    expect(await toItsEnd(first.id)).toMatchObject({ status: "Confirmed", sequence: 1n });
    expect(await toItsEnd(second.id)).toMatchObject({ status: "Confirmed", txHash: before.txHash });
    expect(await paid()).toBe(had + AMOUNT);
  });

  it("gives what landed to the earlier of two that pay the same, and pays the other", async () => {
    const [first, second] = [await world.transfer(wallet, AMOUNT), await world.transfer(wallet, AMOUNT)];
    const before = await toItsEnd(first.id);
    const had = await paid();
    await goBack(NOT_BUILT, first);
    const [one, other] = [await toItsEnd(second.id), await toItsEnd(first.id)];
    expect([other.status, other.txHash, one.status]).toEqual(["Confirmed", before.txHash, "Confirmed"]);
    expect([other.txHash === one.txHash, await paid()]).toEqual([false, had + AMOUNT]);
  });

  it("gives it to the earlier of them where the later one's landed", async () => {
    const [first, second] = [await world.transfer(wallet, AMOUNT), await world.transfer(wallet, AMOUNT)];
    const before = await toItsEnd(second.id);
    const had = await paid();
    await goBack(NOT_BUILT, second);
    const [one, other] = [await toItsEnd(first.id), await toItsEnd(second.id)];
    expect([one.status, one.txHash, other.status]).toEqual(["Confirmed", before.txHash, "Confirmed"]);
    expect([other.txHash === one.txHash, await paid()]).toEqual([false, had + AMOUNT]);
  });

  it("pays none of them again where all landed, whichever looks first", async () => {
    const all = [];
    for (let made = 0; made < 3; made += 1) all.push(await world.transfer(wallet, AMOUNT));
    const landed = new Set<string | undefined>();
    for (const { id } of all) landed.add((await toItsEnd(id)).txHash);
    const had = await paid();
    await goBack(NOT_BUILT, ...all);
    const ends = [];
    for (const { id } of all.toReversed()) ends.push(await toItsEnd(id));
    expect(ends.map(({ status }) => status)).toEqual(["Confirmed", "Confirmed", "Confirmed"]);
    expect([await paid(), new Set(ends.map(({ txHash }) => txHash))]).toEqual([had, landed]);
  });

  it("leaves nothing to an earlier one of which an operator has ruled out that it was paid", async () => {
    const [first, second] = [await world.transfer(wallet, AMOUNT), await world.transfer(wallet, AMOUNT)];
    const { txHash } = await toItsEnd(second.id);
    const had = await paid();
    await goBack(NOT_BUILT, second);
    await world.database.execute(
      "insert into unsure_requests (request_id, why, ruled_out) values ($1, 'nothing shown', now())",
      [first.id],
    );
    expect(await toItsEnd(second.id)).toMatchObject({ status: "Confirmed", txHash });
    expect((await toItsEnd(first.id)).status).toBe("Confirmed");
    expect(await paid()).toBe(had + AMOUNT);
  });

  it("gives it to one of them where both look at once", async () => {
    const both = [await world.transfer(wallet, AMOUNT), await world.transfer(wallet, AMOUNT)] as const;
    await toItsEnd(both[0].id);
    const had = await paid();
    await goBack(NOT_BUILT, both[0]);
    await Promise.all(both.map(({ id }) => carry(id)));
    const ends = [await toItsEnd(both[0].id), await toItsEnd(both[1].id)];
    expect(new Set(ends.map(({ txHash }) => txHash)).size).toBe(2);
    expect([ends.map(({ status }) => status), await paid()]).toEqual([
      ["Confirmed", "Confirmed"],
      had + AMOUNT,
    ]);
  });
});

describe("INV-4 a wallet whose chain is ahead of its records", () => {
  /** A transaction with the wallet's key from outside the service. */
  const elsewhere = async (value: bigint): Promise<void> => {
    const account = privateKeyToAccount(`0x${TEST_SECRET_KEY}`);
    const other = createWalletClient({ account, transport: http(world.anvil.rpcUrl) });
    const fees = { maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 1n, gas: 21_000n };
    await other.sendTransaction({ chain: null, to: getAddress(RECIPIENT), value, ...fees });
    await mine();
  };

  it("pays what nothing on the chain has paid", async () => {
    await elsewhere(7n);
    const { id } = await world.transfer(wallet, AMOUNT);
    expect(await toItsEnd(id)).toMatchObject({ status: "Confirmed", sequence: 1n });
    expect([searches > 0, signatures]).toEqual([true, 1]);
  });

  it("does not take what another request paid, also where its node shows it", async () => {
    const [first, second] = [await world.transfer(wallet, AMOUNT), await world.transfer(wallet, AMOUNT)];
    const { txHash = "", unsignedTransaction, signedTransaction } = await toItsEnd(first.id);
    await elsewhere(7n);
    const [unsigned, signed] = [
      unsignedTransaction ?? new Uint8Array(),
      signedTransaction ?? new Uint8Array(),
    ];
    const sent = { unsigned, signed, txHash };
    findInstead = async (_, { isIt }) => ok((await isIt(sent)) ? sent : undefined);
    const other = await toItsEnd(second.id);
    expect([other.status, other.txHash === txHash, signatures]).toEqual(["Confirmed", false, 2]);
  });

  it("asks the chain for nothing where nobody has put the records back since a request was authorised", async () => {
    await elsewhere(7n);
    const { id, dateRequested } = await world.transfer(wallet, AMOUNT);
    const minutesBefore = (count: number) => ({
      since: async () => Date.parse(dateRequested) - count * 60_000,
    });
    handler = { ...handler, records: minutesBefore(1) };
    findInstead = async () => fail("ServiceUnavailable", {}, "the node has forgotten it");
    await carry(id);
    // one minute is within the tolerance for clocks: the records may have been restored since
    expect([(await read(id)).reason, searches]).toEqual(["the node has forgotten it", 1]);
    handler = { ...handler, records: minutesBefore(3) };
    expect((await toItsEnd(id)).status).toBe("Confirmed");
    expect(searches).toBe(1);
  });

  it("waits while its node does not show what is ahead, and nothing is signed", async () => {
    await elsewhere(7n);
    const { id } = await world.transfer(wallet, AMOUNT);
    findInstead = async () => fail("ServiceUnavailable", {}, "the node does not show it");
    await carry(id);
    expect(await read(id)).toMatchObject({
      status: "Executing",
      unsignedTransaction: undefined,
      reason: "the node does not show it",
    });
    expect(signatures).toBe(0);
    findInstead = undefined;
    expect((await toItsEnd(id)).status).toBe("Confirmed");
  });

  it("pays what is asked for afterwards, while one of before is held (INV-5)", async () => {
    await elsewhere(7n);
    const { id: held } = await world.transfer(wallet, AMOUNT);
    findInstead = async () => fail("ServiceUnavailable", {}, "the node has forgotten it");
    await carry(held);
    const { id, dateRequested } = await world.transfer(wallet, 2n * AMOUNT);
    handler = { ...handler, records: { since: async () => Date.parse(dateRequested) - 3 * 60_000 } };
    expect((await toItsEnd(id)).status).toBe("Confirmed");
    expect(await read(held)).toMatchObject({ status: "Executing", reason: "the node has forgotten it" });
  });

  it("is paid once an operator has ruled out that it was, though the node shows nothing", async () => {
    await elsewhere(7n);
    const { id } = await world.transfer(wallet, AMOUNT);
    findInstead = async () => fail("ServiceUnavailable", {}, "the node has forgotten it");
    await carry(id);
    expect(await listUnsure(world.database, 10)).toMatchObject([{ id, why: "the node has forgotten it" }]);
    expect(await ruleOut(world.database, [id])).toEqual([id]);
    expect((await toItsEnd(id)).status).toBe("Confirmed");
    expect([await listUnsure(world.database, 10), signatures]).toEqual([[], 1]);
  });

  it("takes over nothing that is dearer than the network allows, and does not pay again", async () => {
    const { id } = await world.transfer(wallet, AMOUNT);
    const before = await toItsEnd(id);
    const had = await paid();
    await goBack(NOT_BUILT, before);
    const { network } = world.network;
    const family = FAMILIES.familyOf(network);
    const lower = NODES.connect({ ...world.network, ...{ feeCap: "1" } });
    handler = { ...handler, chains: new Map([[network, { family, node: lower }]]) };
    await carry(id);
    expect(await read(id)).toMatchObject({ status: "Executing", signedTransaction: undefined });
    expect(await paid()).toBe(had);
  });
});

it("asks the chain for nothing while the records of a wallet explain all of its places", async () => {
  for (let sent = 0; sent < 3; sent += 1) {
    const { id } = await world.transfer(wallet, AMOUNT);
    expect((await toItsEnd(id)).status).toBe("Confirmed");
  }
  const [one, other] = [await world.transfer(wallet, AMOUNT), await world.transfer(wallet, AMOUNT)];
  await carry(one.id);
  await carry(other.id);
  expect(searches).toBe(0);
});
