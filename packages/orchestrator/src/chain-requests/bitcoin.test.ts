import { type ChainNode, FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import {
  authorisedBitcoin,
  BITCOIN_KEY,
  BITCOIN_RECIPIENT,
  BITCOIN_SENDER,
  BITCOIN_SIGNET,
  BTC_TRANSFER,
  inEarlierEncoding,
  TAPROOT_KEY,
} from "@conclave/chains/testing";
import {
  type ChainRequest,
  type ChainWallet,
  type FamilyContent,
  fail,
  isChainWallet,
  type KeyScheme,
  keyIdSchema,
  networkSchema,
  organisationIdSchema,
  type SchemeSignature,
  type Transaction,
  type Transfer,
  transactionIdSchema,
  transferIdSchema,
  UNTOUCHED,
  userIdSchema,
  walletIdSchema,
} from "@conclave/custody";
import { type RunningLedger, startBitcoinLedger } from "@conclave/ledgers";
import { commandLedger, HandClock } from "@conclave/ledgers/testing";
import {
  changeChainRequest,
  changeKey,
  type Database,
  freshId,
  insertChainRequest,
  insertKey,
  insertOrganisation,
  insertWallet,
  lockChainRequest,
  makeLogger,
  openDatabase,
  readChainRequest,
  readWallet,
} from "@conclave/platform";
import { freshDatabase, orchestratorLogin } from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { SigningRequest } from "../signing-quorum.ts";
import { followOnce } from "../testing/follow-once.ts";
import { signedBy } from "../testing/plain-quorum.ts";
import { carryOutRequest, type RequestHandler } from "./work.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const START_MS = 1_795_132_800_000;
const network = networkSchema.parse(BITCOIN_SIGNET.network);
const family = FAMILIES.familyOf(network);
const policy = { outcome: "Allowed" as const, policies: [], date: DATE };
const requester = { userId: freshId(userIdSchema, "us") };
const orgId = freshId(organisationIdSchema, "or");

let database: Database;
let own: Database;
let ledger: RunningLedger;
let node: ChainNode;
let wallet: ChainWallet;
let handler: RequestHandler;
let asked: SigningRequest[];
let shortage: string | undefined;
let isBegun: boolean;
let signOne: (bytes: Uint8Array) => SchemeSignature;

const admin = (action: string, input: object = {}) => commandLedger(ledger, action, input);
const mine = (blocks = 1) => admin("mine", { blocks });
const fund = async (address: string, ...amounts: readonly number[]): Promise<void> => {
  for (const amount of amounts) await admin("fund", { address, amount });
  await mine();
};

const enterWallet = async (scheme: KeyScheme, publicKey: Uint8Array): Promise<ChainWallet> => {
  const keyId = freshId(keyIdSchema, "key");
  const walletId = freshId(walletIdSchema, "wa");
  const digits = Buffer.from(publicKey).toString("hex");
  await database.transaction(async (connection) => {
    await insertKey(connection, {
      id: keyId,
      orgId,
      name: undefined,
      scheme,
      origin: "generated",
      requester,
      authorisation: { payload: new Uint8Array(1), signature: new Uint8Array(64) },
      isDelegable: false,
      delegatedTo: undefined,
      dateCreated: DATE,
      status: "Creating",
    });
    await insertWallet(connection, {
      id: walletId,
      orgId,
      keyId,
      name: undefined,
      network,
      externalId: undefined,
      tags: [],
      requester,
      requestBody: { network },
      dateCreated: DATE,
      status: "Creating",
    });
    const addresses = new Map([[network, FAMILIES.addressOn(network, digits) ?? ""]]);
    await changeKey(connection, keyId, { kind: "Activated", publicKey: digits, addresses, date: DATE });
  });
  const found = await readWallet(database, walletId);
  return found !== undefined && isChainWallet(found) ? found : expect.fail("the wallet is not active");
};

beforeEach(async () => {
  ledger = await startBitcoinLedger({
    clock: new HandClock(START_MS),
    chain: "signet",
    seed: "tests",
    blockMs: 0,
    listen: { host: "127.0.0.1", port: 0 },
    adminPort: 0,
    token: undefined,
  });
  const view = await (await fetch(ledger.adminUrl)).json();
  const { genesisHash } = z.object({ genesisHash: z.string() }).parse(view);
  const url = await freshDatabase();
  database = openDatabase({ url, name: "test" });
  own = openDatabase({ url: await orchestratorLogin(url), name: "orchestrator" });
  await insertOrganisation(database, { id: orgId, name: "Acme", dateCreated: DATE });
  wallet = await enterWallet("ECDSA", BITCOIN_KEY.publicKey);
  signOne = (bytes) => BITCOIN_KEY.sign(bytes);
  node = NODES.connect(Object.assign({}, BITCOIN_SIGNET, { genesisHash, bitcoindUrl: ledger.url }));
  asked = [];
  shortage = undefined;
  isBegun = false;
  handler = {
    database: own,
    chains: new Map([[network, { family, node }]]),
    quorum: {
      shortage: () => shortage,
      isBegun: () => isBegun,
      sign: async (request) => {
        asked.push(request);
        return signedBy(request.signables.map(({ bytes }) => signOne(bytes)));
      },
    },
    logger: makeLogger({ name: "test", level: "silent" }),
    world: processWorld,
    broadcasted: () => undefined,
    signal: () => undefined,
  };
});
afterEach(async () => {
  await Promise.all([database.close(), own.close(), ledger.stop()]);
});

const common = () => ({
  ...UNTOUCHED,
  orgId,
  walletId: wallet.id,
  network,
  requester,
  externalId: undefined,
  status: "Pending" as const,
  reason: undefined,
  approvalId: undefined,
  policyDecision: policy,
  dateRequested: DATE,
  datePolicyResolved: DATE,
});
const authorised = (act: object) => {
  const facts = {
    version: 2,
    orgId,
    walletId: wallet.id,
    keyId: wallet.keyId,
    cosigners: [],
    network,
    policy,
  };
  const dates = { dateRequested: DATE, dateAuthorised: new Date().toISOString() };
  return {
    payload: Buffer.from(JSON.stringify({ ...facts, ...dates, ...act })),
    signature: new Uint8Array(64),
  };
};

/** A transfer as the gateway stores it. */
const enter = async (transfer: FamilyContent = BTC_TRANSFER): Promise<Transfer> => {
  const id = freshId(transferIdSchema, "xfr");
  const act = { kind: "transfer", requestId: id, transfer };
  const request: Transfer = {
    ...common(),
    kind: "Transfer",
    id,
    requestBody: { kind: "Native", to: BITCOIN_RECIPIENT, amount: "120000" },
    metadata: { asset: {} },
    replacesId: undefined,
    authorisation: authorised(act),
  };
  await insertChainRequest(database, request);
  return request;
};

/** A transaction, before it is stored. */
const transactionOf = (
  transaction: FamilyContent,
  facts: Pick<Transaction, "requestBody" | "replacesId" | "isGathering">,
): Transaction => {
  const id = freshId(transactionIdSchema, "tx");
  const replaces = facts.replacesId === undefined ? {} : { replaces: [facts.replacesId] };
  const act = { kind: "transaction", requestId: id, transaction, ...replaces };
  return { ...common(), kind: "Transaction", id, ...facts, authorisation: authorised(act) };
};

/** What replaces a request, as the gateway stores it. */
const replace = async (replaced: ChainRequest, transaction: FamilyContent): Promise<Transaction> => {
  const requestBody = { kind: "SpeedUpTransaction", txHash: "", signedTx: "0x" } as const;
  const request = transactionOf(transaction, { requestBody, replacesId: replaced.id, isGathering: false });
  await database.transaction(async (connection) => {
    await insertChainRequest(connection, request);
    const current = (await lockChainRequest(connection, replaced.id)) ?? expect.fail("it is gone");
    await changeChainRequest(connection, current, { kind: "Replaced", by: request.id });
  });
  return request;
};

const read = async ({ id }: Pick<ChainRequest, "id">) =>
  (await readChainRequest(database, id)) ?? expect.fail("it is gone");
const carry = ({ id }: Pick<ChainRequest, "id">) => carryOutRequest(handler, id);
/** Which coins the transaction of a request spends, as its exclusion tells. */
const sharesCoins = (one: ChainRequest, other: ChainRequest): boolean =>
  family.excludes(one.exclusion ?? new Uint8Array(0), other.exclusion ?? new Uint8Array(0));
const follow = async (blocks: number): Promise<void> => {
  await mine(blocks);
  await followOnce(handler);
};

describe("a transfer on Bitcoin", () => {
  it("of an ECDSA wallet is signed coin by coin, and confirmed with the fee that it paid", async () => {
    await fund(BITCOIN_SENDER, 70_000, 60_000);
    const request = await enter();
    expect(await carry(request)).toEqual({ kind: "Done" });
    expect(asked[0]?.signables.map(({ scheme }) => scheme)).toEqual(["CGGMP24", "CGGMP24"]);
    await follow(5);
    expect((await read(request)).status).toBe("Broadcasted");
    await follow(1);
    const { details } = await read(request);
    expect(await read(request)).toMatchObject({ status: "Confirmed", fee: details?.["fee"] });
    const paid = await node.balance(BITCOIN_RECIPIENT);
    expect(paid.ok && paid.value).toBe(120_000n);
  });

  it("of a Taproot wallet is confirmed as well", async () => {
    wallet = await enterWallet("FROST-Taproot", TAPROOT_KEY.publicKey);
    signOne = (bytes) => TAPROOT_KEY.sign(bytes);
    await fund(TAPROOT_KEY.address, 70_000, 60_000);
    const request = await enter({ ...BTC_TRANSFER, from: TAPROOT_KEY.address });
    await carry(request);
    expect(asked[0]?.signables.map(({ scheme }) => scheme)).toEqual(["FROST-Taproot", "FROST-Taproot"]);
    await follow(6);
    expect(await read(request)).toMatchObject({ status: "Confirmed" });
  });

  it("that is impossible has failed in words, and nothing was signed", async () => {
    await fund(BITCOIN_SENDER, 1_000);
    const request = await enter();
    expect(await carry(request)).toEqual({ kind: "Done" });
    expect(await read(request)).toMatchObject({
      status: "Failed",
      reason: expect.stringMatching(/^insufficient funds: .* the wallet can spend 1000$/),
    });
    expect(asked).toEqual([]);
  });

  it("waits for a node that is away, and says so", async () => {
    await fund(BITCOIN_SENDER, 200_000);
    await admin("warm-up", { count: 3 });
    const request = await enter();
    expect(await carry(request)).toMatchObject({ kind: "Again" });
    expect(await read(request)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("starting"),
    });
    await expect.poll(async () => (await carry(request)).kind).toBe("Done");
    expect((await read(request)).status).toBe("Broadcasted");
  });

  it("INV-4 finds what it has sent when the node's answer was lost, and signs nothing else", async () => {
    await fund(BITCOIN_SENDER, 200_000);
    const request = await enter();
    await admin("lose-replies", { count: 1 });
    expect(await carry(request)).toEqual({ kind: "Done" });
    expect((await read(request)).status).toBe("Broadcasted");
    expect(await carry(request)).toEqual({ kind: "Done" });
    expect(asked).toHaveLength(1);
  });
});

describe("K7 coins that the service gathers by itself", () => {
  /** As the gateway stores it, which found that fees are low. */
  const gather = async (isGathering = true): Promise<Transaction> => {
    const requestBody = { kind: "Consolidate", maxFee: "20000" } as const;
    const transaction = { ...requestBody, from: BITCOIN_SENDER };
    const request = transactionOf(transaction, { requestBody, replacesId: undefined, isGathering });
    await insertChainRequest(database, request);
    return request;
  };
  const coinsAt = async (rate: number) => {
    await fund(BITCOIN_SENDER, ...Array.from({ length: 8 }, () => 20_000));
    await admin("set-fees", { young: false, estimates: [{ blocks: 1, rate }] });
  };
  const spent = (count: number) => ({ status: "Broadcasted", details: { inputs: count } });

  it("are gathered as long as fees are low", async () => {
    await coinsAt(10_000);
    const request = await gather();
    await carry(request);
    expect(await read(request)).toMatchObject(spent(8));
  });

  it("stay as they are once fees have risen, and whoever asks for it gathers as many as that pays for", async () => {
    await coinsAt(100_000);
    const request = await gather();
    expect(await carry(request)).toEqual({ kind: "Done" });
    expect(await read(request)).toMatchObject({
      status: "Failed",
      reason: expect.stringContaining("fees are not low any more"),
    });
    expect(asked).toEqual([]);
    const wanted = await gather(false);
    await carry(wanted);
    expect(await read(wanted)).toMatchObject(spent(2));
  });

  it("wait for signers, and stay as they are where fees rise meanwhile", async () => {
    await coinsAt(1_000);
    const request = await gather();
    shortage = "too few signers live";
    await carry(request);
    await coinsAt(15_000);
    shortage = undefined;
    expect(await carry(request)).toEqual({ kind: "Done" });
    expect((await read(request)).status).toBe("Failed");
    expect(asked).toEqual([]);
  });
});

describe("INV-5 a transfer while blocks are undone", () => {
  it("waits for the payment before it to come into a block again", async () => {
    await fund(BITCOIN_SENDER, 900_000);
    const first = await enter();
    await carry(first);
    await follow(6);
    expect((await read(first)).status).toBe("Confirmed");
    await admin("reorg", { depth: 6 });
    const second = await enter();
    expect(await carry(second)).toMatchObject({ kind: "Again" });
    expect(await read(second)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("waiting for transactions that spend coins of the wallet"),
    });
    await mine();
    expect(await carry(second)).toEqual({ kind: "Done" });
    expect((await read(second)).status).toBe("Broadcasted");
  });
});

describe("INV-4 a transfer whose node's answer was lost", () => {
  it("is sent again, the very same bytes, when the node does not tell of it either", async () => {
    await fund(BITCOIN_SENDER, 200_000);
    const request = await enter();
    const lossy: ChainNode = {
      ...node,
      broadcast: async (signed) => {
        await node.broadcast(signed);
        return { kind: "refused", reason: "no answer" };
      },
      sight: async () => fail("ServiceUnavailable", { network }),
    };
    const chains = new Map([[network, { family, node: lossy }]]);
    expect(await carryOutRequest({ ...handler, chains }, request.id)).toMatchObject({ kind: "Again" });
    const { signedTransaction, txHash, status } = await read(request);
    expect(status).toBe("Executing");
    expect(await carry(request)).toEqual({ kind: "Done" });
    expect(await read(request)).toMatchObject({ status: "Broadcasted", signedTransaction, txHash });
    expect(asked).toHaveLength(1);
  });
});

describe("two transfers of one wallet", () => {
  it.each(["one after the other", "at once"])("take different coins %s", async (how) => {
    await fund(BITCOIN_SENDER, 130_000, 140_000);
    const both = [await enter(), await enter()];
    if (how === "at once") await Promise.all(both.map(carry));
    else for (const each of both) await carry(each);
    const [one, other] = await Promise.all(both.map(read));
    if (one === undefined || other === undefined) expect.fail("there are two");
    expect([one.status, other.status, sharesCoins(one, other)]).toEqual([
      "Broadcasted",
      "Broadcasted",
      false,
    ]);
    await follow(6);
    expect((await Promise.all(both.map(read))).map(({ status }) => status)).toEqual([
      "Confirmed",
      "Confirmed",
    ]);
  });

  it("of one coin: the second waits for the change of the first", async () => {
    await fund(BITCOIN_SENDER, 400_000);
    const [first, second] = [await enter(), await enter()];
    await carry(first);
    expect(await carry(second)).toMatchObject({ kind: "Again" });
    expect(await read(second)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("waiting for the change"),
    });
    await mine();
    await expect.poll(async () => (await carry(second)).kind).toBe("Done");
    expect((await read(second)).status).toBe("Broadcasted");
    await follow(6);
    expect([(await read(first)).status, (await read(second)).status]).toEqual(["Confirmed", "Confirmed"]);
  });
});

describe("INV-4 a transfer that was broadcast", () => {
  it("lands again with the same bytes after a reorganisation, however deep", async () => {
    await fund(BITCOIN_SENDER, 200_000);
    const request = await enter();
    await carry(request);
    await follow(6);
    const { blockHash, signedTransaction, status } = await read(request);
    expect(status).toBe("Confirmed");
    await admin("reorg", { depth: 6 });
    await followOnce(handler);
    expect((await read(request)).status).toBe("Broadcasted");
    await followOnce(handler);
    await follow(6);
    const after = await read(request);
    expect(after).toMatchObject({ status: "Confirmed", signedTransaction });
    expect(after.blockHash).not.toBe(blockHash);
    expect(asked).toHaveLength(1);
  });

  it("has failed once another transaction has spent its coin for good, and not before", async () => {
    await fund(BITCOIN_SENDER, 200_000);
    const request = await enter();
    await carry(request);
    const { txHash } = await read(request);
    await admin("drop", { id: txHash });
    // somebody with the whole key spends the coin elsewhere
    const act = authorisedBitcoin({ ...BTC_TRANSFER, amount: "50000" });
    const sequencing = { kind: "next", lowest: 0n } as const;
    const built = await node.build({
      sender: BITCOIN_SENDER,
      keys: [],
      act,
      priority: undefined,
      sequencing,
    });
    if (!built.ok) expect.fail(built.problem.message);
    const reading = family.read(node.network, built.value.unsigned, act);
    const signatures = reading.ok ? reading.value.signables.map(({ bytes }) => BITCOIN_KEY.sign(bytes)) : [];
    const foreign = family.attach(built.value.unsigned, signatures, [BITCOIN_KEY.publicKey]);
    if (!foreign.ok) expect.fail(foreign.problem.message);
    expect(await node.broadcast(foreign.value.signed)).toEqual({ kind: "accepted" });
    await follow(5);
    expect((await read(request)).status).toBe("Broadcasted");
    await follow(1);
    expect(await read(request)).toMatchObject({
      status: "Failed",
      reason: expect.stringContaining(`${foreign.value.txHash} has spent its coin`),
    });
    expect(asked).toHaveLength(1);
  });

  it("that waited for its signers keeps its coins, at the fees of then", async () => {
    await fund(BITCOIN_SENDER, 200_000, 300_000);
    const [request, other] = [await enter(), await enter()];
    shortage = "too few signers live";
    expect(await carry(request)).toMatchObject({ kind: "Again" });
    const before = await read(request);
    expect(before).toMatchObject({ status: "Executing", reason: shortage });
    expect(await carry(other)).toMatchObject({ kind: "Again" });
    await admin("set-fees", { young: false, estimates: [{ blocks: 6, rate: 40_000 }] });
    shortage = undefined;
    await carry(request);
    await carry(other);
    const [after, beside] = [await read(request), await read(other)];
    expect([after.status, beside.status]).toEqual(["Broadcasted", "Broadcasted"]);
    expect([sharesCoins(before, after), sharesCoins(after, beside)]).toEqual([true, false]);
    expect(Number(after.details?.["fee"]) > Number(before.details?.["fee"])).toBe(true);
  });

  it("of which a part is signed keeps its bytes when it has to wait: the rest is asked for", async () => {
    await fund(BITCOIN_SENDER, 200_000);
    const request = await enter();
    shortage = "too few signers live";
    await carry(request);
    const before = await read(request);
    await admin("set-fees", { young: false, estimates: [{ blocks: 6, rate: 40_000 }] });
    [shortage, isBegun] = [undefined, true];
    await carry(request);
    const after = await read(request);
    expect([after.status, after.reason]).toEqual(["Broadcasted", undefined]);
    expect(after.unsignedTransaction).toEqual(before.unsignedTransaction);
  });

  it("is sped up: one of the two lands, and the other one ends", async () => {
    await fund(BITCOIN_SENDER, 200_000);
    const request = await enter();
    await carry(request);
    const { from, to, amount } = BTC_TRANSFER;
    const faster = await replace(await read(request), { kind: "SpeedUp", from, to, amount });
    expect(await carry(faster)).toEqual({ kind: "Done" });
    const [before, after] = [await read(request), await read(faster)];
    expect([after.status, sharesCoins(before, after)]).toEqual(["Broadcasted", true]);
    expect(Number(after.details?.["fee"]) > Number(before.details?.["fee"])).toBe(true);
    await follow(6);
    expect([(await read(request)).status, (await read(faster)).status]).toEqual(["Failed", "Confirmed"]);
    const paid = await node.balance(BITCOIN_RECIPIENT);
    expect(paid.ok && paid.value).toBe(120_000n);
  });

  it("is cancelled: its coins come back, and nobody is paid", async () => {
    await fund(BITCOIN_SENDER, 200_000);
    const request = await enter();
    await carry(request);
    const back = await replace(await read(request), { kind: "Cancel", from: BITCOIN_SENDER });
    expect(await carry(back)).toEqual({ kind: "Done" });
    await follow(6);
    expect([(await read(request)).status, (await read(back)).status]).toEqual(["Failed", "Confirmed"]);
    const paid = await node.balance(BITCOIN_RECIPIENT);
    expect(paid.ok && paid.value).toBe(0n);
  });
});

describe("INV-4 a transfer that an earlier version built and nobody signed", () => {
  /** Its row as an orchestrator of that version left it, which died before it asked the signers. */
  const builtEarlier = async (exclusion?: Uint8Array) => {
    const request = await enter();
    shortage = "too few signers live";
    await carry(request);
    shortage = undefined;
    const { unsignedTransaction = expect.fail("it is not built"), exclusion: own } = await read(request);
    const earlier = inEarlierEncoding(unsignedTransaction);
    await database.execute(
      "update chain_requests set unsigned_transaction = $2, exclusion = $3, reason = null where id = $1",
      [request.id, earlier, exclusion ?? own],
    );
    return { request, earlier };
  };

  it("is built again in the encoding of now, of the same coins, and lands", async () => {
    await fund(BITCOIN_SENDER, 70_000, 60_000);
    const { request, earlier } = await builtEarlier();
    const before = await read(request);
    expect(await carry(request)).toEqual({ kind: "Done" });
    const after = await read(request);
    expect([after.status, sharesCoins(before, after)]).toEqual(["Broadcasted", true]);
    expect(after.unsignedTransaction).not.toEqual(Buffer.from(earlier));
    expect(asked.map(({ unsigned }) => unsigned)).toEqual([after.unsignedTransaction]);
    await follow(6);
    expect((await read(request)).status).toBe("Confirmed");
  });

  it("waits for a node that is away, and is built again then", async () => {
    await fund(BITCOIN_SENDER, 70_000, 60_000);
    const { request } = await builtEarlier();
    await admin("warm-up", { count: 3 });
    expect(await carry(request)).toMatchObject({ kind: "Again" });
    expect((await read(request)).status).toBe("Executing");
    await expect.poll(async () => (await carry(request)).kind).toBe("Done");
    expect((await read(request)).status).toBe("Broadcasted");
  });

  it("has failed where the new bytes do not exclude the old, and nothing is signed", async () => {
    await fund(BITCOIN_SENDER, 70_000, 60_000);
    const { request } = await builtEarlier(new Uint8Array(36).fill(7));
    expect(await carry(request)).toEqual({ kind: "Done" });
    expect(await read(request)).toMatchObject({
      status: "Failed",
      reason: expect.stringContaining("not in its one encoding"),
    });
    expect(asked).toEqual([]);
  });
});
