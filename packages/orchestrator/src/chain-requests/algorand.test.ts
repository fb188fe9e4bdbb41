import { createHash } from "node:crypto";
import { FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import {
  ALGORAND_KEY,
  ALGORAND_RECIPIENT,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  ASSET_ID,
  StubAlgod,
} from "@conclave/chains/testing";
import {
  type AuthorisedAct,
  type ChainWallet,
  type FamilyContent,
  isChainWallet,
  keyIdSchema,
  networkSchema,
  ok,
  organisationIdSchema,
  type Transfer,
  type TransferBody,
  transferIdSchema,
  UNTOUCHED,
  userIdSchema,
  walletIdSchema,
} from "@conclave/custody";
import {
  answerDeathQuestion,
  changeKey,
  type Database,
  freshId,
  insertChainRequest,
  insertKey,
  insertOrganisation,
  insertWallet,
  listDeathQuestions,
  makeLogger,
  openDatabase,
  readChainRequest,
  readWallet,
} from "@conclave/platform";
import { freshDatabase, orchestratorLogin } from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SigningRequest } from "../signing-quorum.ts";
import { followOnce } from "../testing/follow-once.ts";
import { noneSigned, signedBy } from "../testing/plain-quorum.ts";
import { carryOutRequest, type RequestHandler } from "./work.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const network = networkSchema.parse(ALGORAND_TESTNET.network);
const policy = { outcome: "Allowed" as const, policies: [], date: DATE };
const requester = { userId: freshId(userIdSchema, "us") };
const orgId = freshId(organisationIdSchema, "or");
const digits = Buffer.from(ALGORAND_KEY.publicKey).toString("hex");
const payment = { from: ALGORAND_SENDER, to: ALGORAND_RECIPIENT };
const algos = { kind: "Native", ...payment, amount: "1500000" };
const asset = { kind: "Asa", assetId: ASSET_ID, ...payment, amount: "5" };

let database: Database;
let own: Database;
let algod: StubAlgod;
let wallet: ChainWallet;
let handler: RequestHandler;
let asked: SigningRequest[];

const enterWallet = async (): Promise<ChainWallet> => {
  const keyId = freshId(keyIdSchema, "key");
  const walletId = freshId(walletIdSchema, "wa");
  await database.transaction(async (connection) => {
    await insertKey(connection, {
      id: keyId,
      orgId,
      name: undefined,
      scheme: "FROST-Ed25519",
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
  algod = await StubAlgod.start();
  const holdings = { [ASSET_ID]: { amount: 10n, isFrozen: false } };
  algod.accounts.set(ALGORAND_SENDER, { amount: 10_000_000n, least: 200_000n, holdings });
  algod.accounts.set(ALGORAND_RECIPIENT, { amount: 200_000n, least: 200_000n, holdings });
  const url = await freshDatabase();
  database = openDatabase({ url, name: "test" });
  own = openDatabase({ url: await orchestratorLogin(url), name: "orchestrator" });
  await insertOrganisation(database, { id: orgId, name: "Acme", dateCreated: DATE });
  wallet = await enterWallet();
  const node = NODES.connect(Object.assign({}, ALGORAND_TESTNET, { algodUrl: algod.url }));
  asked = [];
  handler = {
    database: own,
    chains: new Map([[network, { family: FAMILIES.familyOf(network), node }]]),
    quorum: {
      shortage: () => undefined,
      isBegun: () => false,
      askSigned: noneSigned,
      sign: async (request) => {
        asked.push(request);
        return signedBy(request.signables.map(({ bytes }) => ALGORAND_KEY.sign(bytes)));
      },
    },
    logger: makeLogger({ name: "test", level: "silent" }),
    world: processWorld,
    broadcasted: () => undefined,
    signal: () => undefined,
  };
});
afterEach(async () => {
  await Promise.all([database.close(), own.close(), algod.stop()]);
});

/** A transfer as the gateway stores it. */
const enter = async (transfer: FamilyContent): Promise<Transfer> => {
  const id = freshId(transferIdSchema, "xfr");
  const act: AuthorisedAct = {
    version: 2,
    kind: "transfer",
    requestId: id,
    orgId,
    walletId: wallet.id,
    keyId: wallet.keyId,
    cosigners: [],
    network,
    transfer,
    policy,
    dateRequested: DATE,
    dateAuthorised: new Date().toISOString(),
  };
  const requestBody: TransferBody = { kind: "Native", to: ALGORAND_RECIPIENT, amount: "1500000" };
  const request: Transfer = {
    ...UNTOUCHED,
    kind: "Transfer",
    id,
    orgId,
    walletId: wallet.id,
    network,
    requester,
    requestBody,
    metadata: { asset: {} },
    externalId: undefined,
    status: "Pending",
    reason: undefined,
    approvalId: undefined,
    replacesId: undefined,
    policyDecision: policy,
    authorisation: { payload: Buffer.from(JSON.stringify(act)), signature: new Uint8Array(64) },
    dateRequested: DATE,
    datePolicyResolved: new Date().toISOString(),
  };
  await insertChainRequest(database, request);
  return request;
};

const read = async (id: Transfer["id"]) =>
  (await readChainRequest(database, id)) ?? expect.fail("it is gone");

/** The node names the transaction that it is handed next. */
const carry = async (id: Transfer["id"]) => {
  let disposition = await carryOutRequest(handler, id);
  const { txHash } = await read(id);
  if (disposition.kind === "Again" && txHash !== undefined) {
    algod.takenId = txHash;
    disposition = await carryOutRequest(handler, id);
  }
  return disposition;
};

const landsIn = (id: string, round: bigint): void => {
  algod.lastRound = round;
  algod.rounds.set(round, [id]);
  algod.pending.set(id, { "pool-error": "", "confirmed-round": round, txn: { txn: { fee: 1_000 } } });
};

/** Answers the question of a death as a gateway does once it has looked for itself. */
const speak = async (): Promise<void> => {
  const [question] = await listDeathQuestions(database, undefined, 1);
  if (question === undefined) expect.fail("nobody asked");
  const { unsignedTransaction = new Uint8Array(0) } = await read(transferIdSchema.parse(question.requestId));
  const latest = createHash("sha256").update(unsignedTransaction).digest("hex");
  const transactions = Array.from({ length: question.transactions }, () => latest);
  const payload = Buffer.from(JSON.stringify({ transactions }));
  await answerDeathQuestion(database, question, { payload, signature: new Uint8Array(64) });
};

describe("a transfer on Algorand", () => {
  it.each([algos, asset])(
    "is signed, handed over and confirmed with the fee that it paid: $kind",
    async (transfer) => {
      const { id } = await enter(transfer);
      expect(await carry(id)).toEqual({ kind: "Done" });
      expect(asked[0]?.signables.map(({ scheme }) => scheme)).toEqual(["FROST-Ed25519"]);
      const { txHash = "", signedTransaction } = await read(id);
      expect(algod.posted.at(-1)).toEqual(signedTransaction);
      await followOnce(handler);
      expect((await read(id)).status).toBe("Broadcasted");
      landsIn(txHash, 1_003n);
      await followOnce(handler);
      expect(await read(id)).toMatchObject({ status: "Confirmed", fee: "1000", blockNumber: 1_003n });
    },
  );

  it("does not wait for others of its wallet", async () => {
    const [first, second] = [await enter(algos), await enter(algos)];
    await carry(second.id);
    await carry(first.id);
    const [one, other] = [await read(first.id), await read(second.id)];
    expect([one.status, other.status]).toEqual(["Broadcasted", "Broadcasted"]);
    // the very same payment twice: only the leases tell them apart
    expect(one.txHash).not.toBe(other.txHash);
  });

  it("that is impossible has failed in words, and nothing was signed", async () => {
    algod.accounts.set(ALGORAND_RECIPIENT, { amount: 0n, least: 100_000n });
    const { id } = await enter(asset);
    expect(await carry(id)).toEqual({ kind: "Done" });
    expect(await read(id)).toMatchObject({
      status: "Failed",
      reason: `the recipient has not opted in to the asset ${ASSET_ID}: have it send 0 units of it to itself`,
    });
    expect(asked).toEqual([]);
  });

  it("waits for a node that is away, and says so", async () => {
    algod.spoilt.set("/", { status: 503, text: "" });
    const { id } = await enter(algos);
    expect(await carryOutRequest(handler, id)).toMatchObject({ kind: "Again" });
    expect(await read(id)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("does not answer"),
    });
    algod.spoilt.clear();
    await carry(id);
    expect((await read(id)).status).toBe("Broadcasted");
  });

  it("INV-4 sends the very same bytes again when the node's answer was lost", async () => {
    const { id } = await enter(algos);
    // it takes the bytes, and what comes back is not an answer to them
    algod.takenId = "";
    expect(await carryOutRequest(handler, id)).toMatchObject({ kind: "Again" });
    const { txHash = "", signedTransaction } = await read(id);
    algod.refusal = `TransactionPool.Remember: transaction already in ledger: ${txHash}`;
    expect(await carryOutRequest(handler, id)).toEqual({ kind: "Done" });
    expect([
      asked.length,
      new Set(algod.posted.map((bytes) => Buffer.from(bytes).toString("hex"))).size,
    ]).toEqual([1, 1]);
    expect((await read(id)).signedTransaction).toEqual(signedTransaction);
  });

  it("INV-4 is built again only when its rounds are over and hold none of it, and the authority says so", async () => {
    const { id } = await enter(algos);
    await carry(id);
    const first = await read(id);
    const dead = "TransactionPool.Remember: txn dead: round 1201 outside of 1000--1200";
    algod.refusal = dead;
    algod.lastRound = 1_200n;
    await followOnce(handler);
    expect(await listDeathQuestions(database, undefined, 9)).toEqual([]);
    algod.lastRound = 1_201n;
    await followOnce(handler);
    expect(await listDeathQuestions(database, undefined, 9)).toEqual([{ requestId: id, transactions: 1 }]);
    expect((await read(id)).txHash).toBe(first.txHash);
    await speak();
    await followOnce(handler);
    expect(await read(id)).toMatchObject({ status: "Executing", deadTransactions: 1, txHash: undefined });
    algod.refusal = undefined;
    await carry(id);
    const second = await read(id);
    expect([second.status, second.txHash === first.txHash, asked.length]).toEqual(["Broadcasted", false, 2]);
    expect(asked[1]?.dead).toBeDefined();
  });

  it("INV-5 is confirmed though what the node says of another one cannot be recorded, and that one is once it can", async () => {
    const [first, second] = [await enter(algos), await enter(algos)];
    for (const { id } of [first, second]) await carry(id);
    const chain = handler.chains.get(network) ?? expect.fail("the network is served");
    const { txHash } = await read(first.id);
    const included = { height: 1_003n, isFinal: true, fee: 1_000n, succeeded: true } as const;
    const saying = (blockHash: string) => ({
      ...handler,
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
    expect([(await read(first.id)).status, (await read(second.id)).status]).toEqual([
      "Broadcasted",
      "Confirmed",
    ]);
    await followOnce(saying("b"));
    expect((await read(first.id)).status).toBe("Confirmed");
  });

  it("INV-4 is confirmed, and not built again, when its rounds hold it after the node forgot", async () => {
    const { id } = await enter(algos);
    await carry(id);
    const { txHash = "" } = await read(id);
    algod.rounds.set(1_150n, [txHash]);
    algod.lastRound = 3_000n;
    algod.refusal = "TransactionPool.Remember: txn dead: round 3001 outside of 1000--1200";
    await followOnce(handler);
    expect(await listDeathQuestions(database, undefined, 9)).toEqual([]);
    await followOnce(handler);
    expect(await read(id)).toMatchObject({ status: "Confirmed", txHash, blockNumber: 1_150n, fee: "1000" });
  });
});
