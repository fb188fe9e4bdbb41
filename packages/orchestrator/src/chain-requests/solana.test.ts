import { createHash } from "node:crypto";
import { FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import {
  SOLANA_DEVNET,
  SOLANA_KEY,
  SOLANA_RECIPIENT,
  SOLANA_SENDER,
  StubSolana,
  solanaBytes,
  stubBlockhash,
} from "@conclave/chains/testing";
import {
  type AuthorisedAct,
  type ChainRequest,
  type ChainWallet,
  type FamilyContent,
  isChainWallet,
  isPlainText,
  keyIdSchema,
  networkSchema,
  organisationIdSchema,
  type Transaction,
  type Transfer,
  type TransferBody,
  transactionIdSchema,
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
const network = networkSchema.parse(SOLANA_DEVNET.network);
const policy = { outcome: "Allowed" as const, policies: [], date: DATE };
const requester = { userId: freshId(userIdSchema, "us") };
const orgId = freshId(organisationIdSchema, "or");
const digits = Buffer.from(SOLANA_KEY.publicKey).toString("hex");
const payment = { from: SOLANA_SENDER, to: SOLANA_RECIPIENT };
const lamports = { kind: "Native", ...payment, amount: "1500000000" };

let database: Database;
let own: Database;
let stub: StubSolana;
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
  stub = await StubSolana.start();
  stub.accounts.set(SOLANA_SENDER, { lamports: 10_000_000_000n });
  const url = await freshDatabase();
  database = openDatabase({ url, name: "test" });
  own = openDatabase({ url: await orchestratorLogin(url), name: "orchestrator" });
  await insertOrganisation(database, { id: orgId, name: "Acme", dateCreated: DATE });
  wallet = await enterWallet();
  const node = NODES.connect(Object.assign({}, SOLANA_DEVNET, { solanaUrl: stub.url }));
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
        return signedBy(request.signables.map(({ bytes }) => SOLANA_KEY.sign(bytes)));
      },
    },
    logger: makeLogger({ name: "test", level: "silent" }),
    world: processWorld,
    broadcasted: () => undefined,
    signal: () => undefined,
  };
});
afterEach(async () => {
  await Promise.all([database.close(), own.close(), stub.stop()]);
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
  const requestBody: TransferBody = { kind: "Native", to: SOLANA_RECIPIENT, amount: "1500000000" };
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
    datePolicyResolved: DATE,
  };
  await insertChainRequest(database, request);
  return request;
};

/** A caller's own bytes as the gateway stores them. */
const enterBytes = async (transaction: string): Promise<Transaction["id"]> => {
  const id = freshId(transactionIdSchema, "tx");
  const facts = {
    version: 2,
    orgId,
    walletId: wallet.id,
    keyId: wallet.keyId,
    cosigners: [],
    network,
    policy,
  };
  const act = {
    ...facts,
    kind: "transaction",
    requestId: id,
    transaction: { kind: "Exact", from: SOLANA_SENDER, unsigned: transaction.slice(2) },
    dateRequested: DATE,
    dateAuthorised: new Date().toISOString(),
  };
  await insertChainRequest(database, {
    ...UNTOUCHED,
    kind: "Transaction",
    id,
    orgId,
    walletId: wallet.id,
    network,
    requester,
    requestBody: { kind: "Transaction", transaction },
    externalId: undefined,
    status: "Pending",
    reason: undefined,
    approvalId: undefined,
    replacesId: undefined,
    policyDecision: policy,
    authorisation: { payload: Buffer.from(JSON.stringify(act)), signature: new Uint8Array(64) },
    dateRequested: DATE,
    datePolicyResolved: DATE,
  });
  return id;
};

const read = async (id: ChainRequest["id"]) =>
  (await readChainRequest(database, id)) ?? expect.fail("it is gone");

const landsIn = (transaction: Uint8Array | undefined, slot: bigint): void => {
  if (transaction === undefined) expect.fail("it is not signed");
  stub.landings.push({ slot, transaction, of: SOLANA_SENDER });
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

describe("a transfer on Solana", () => {
  it("is signed, handed over and confirmed with the fee that it paid", async () => {
    const { id } = await enter(lamports);
    expect(await carryOutRequest(handler, id)).toEqual({ kind: "Done" });
    expect(asked[0]?.signables.map(({ scheme }) => scheme)).toEqual(["FROST-Ed25519"]);
    const { signedTransaction } = await read(id);
    expect(Buffer.from(stub.posted.at(-1) ?? [])).toEqual(signedTransaction);
    landsIn(signedTransaction, 5_001n);
    stub.slot = 5_010n;
    await followOnce(handler);
    expect((await read(id)).status).toBe("Broadcasted");
    stub.slot = 5_033n;
    await followOnce(handler);
    expect(await read(id)).toMatchObject({ status: "Confirmed", fee: "5000", blockNumber: 5_001n });
  });

  it("that the chain executed and undid has failed, in its words, with its fee", async () => {
    const { id } = await enter(lamports);
    await carryOutRequest(handler, id);
    const { signedTransaction = new Uint8Array(0) } = await read(id);
    const err = { InstructionError: [2, { Custom: 1 }] };
    stub.landings.push({ slot: 5_001n, transaction: signedTransaction, of: SOLANA_SENDER, err });
    stub.slot = 5_033n;
    await followOnce(handler);
    expect(await read(id)).toMatchObject({
      status: "Failed",
      fee: "5000",
      reason: 'the chain executed it and reverted it: {"InstructionError":[2,{"Custom":1}]}',
    });
  });

  it("INV-4 does not wait for others of its wallet: the very same payment twice is two transactions", async () => {
    const [first, second] = [await enter(lamports), await enter(lamports)];
    await carryOutRequest(handler, second.id);
    await carryOutRequest(handler, first.id);
    const [one, other] = [await read(first.id), await read(second.id)];
    expect([one.status, other.status]).toEqual(["Broadcasted", "Broadcasted"]);
    expect(one.unsignedTransaction).not.toEqual(other.unsignedTransaction);
  });

  it("that is impossible has failed in words, and nothing was signed", async () => {
    const { id } = await enter({ ...lamports, amount: "890879" });
    expect(await carryOutRequest(handler, id)).toEqual({ kind: "Done" });
    expect(await read(id)).toMatchObject({
      status: "Failed",
      reason: expect.stringContaining("send at least 890880"),
    });
    expect(asked).toEqual([]);
  });

  it("waits for a node that is away, and says so", async () => {
    stub.spoilt.set("", { status: 503, text: "" });
    const { id } = await enter(lamports);
    expect(await carryOutRequest(handler, id)).toMatchObject({ kind: "Again" });
    expect(await read(id)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("does not answer"),
    });
    stub.spoilt.clear();
    await carryOutRequest(handler, id);
    expect((await read(id)).status).toBe("Broadcasted");
  });

  it("INV-4 sends the very same bytes again when the node's answer was lost", async () => {
    const { id } = await enter(lamports);
    stub.spoilt.set("sendTransaction", { status: 502, text: "" });
    expect(await carryOutRequest(handler, id)).toMatchObject({ kind: "Again" });
    stub.spoilt.clear();
    stub.refusal = "AlreadyProcessed";
    expect(await carryOutRequest(handler, id)).toEqual({ kind: "Done" });
    expect([
      asked.length,
      new Set(stub.posted.map((bytes) => Buffer.from(bytes).toString("hex"))).size,
    ]).toEqual([1, 1]);
    expect(Buffer.from(stub.posted.at(-1) ?? [])).toEqual((await read(id)).signedTransaction);
  });

  it("INV-4 is built again only when its blockhash is over and nothing of it landed, and the authority says so", async () => {
    const { id } = await enter(lamports);
    await carryOutRequest(handler, id);
    const first = await read(id);
    stub.refusal = "BlockhashNotFound";
    stub.slot = 5_151n;
    await followOnce(handler);
    expect(await listDeathQuestions(database, undefined, 9)).toEqual([]);
    stub.slot = 5_152n;
    await followOnce(handler);
    expect(await listDeathQuestions(database, undefined, 9)).toEqual([{ requestId: id, transactions: 1 }]);
    expect((await read(id)).txHash).toBe(first.txHash);
    await speak();
    await followOnce(handler);
    expect(await read(id)).toMatchObject({ status: "Executing", deadTransactions: 1, txHash: undefined });
    stub.refusal = undefined;
    await carryOutRequest(handler, id);
    const second = await read(id);
    expect([second.status, second.txHash === first.txHash, asked.length]).toEqual(["Broadcasted", false, 2]);
    expect(asked[1]?.dead).toBeDefined();
  });

  it("INV-4 is confirmed, and not built again, when its message landed with another signature", async () => {
    const { id } = await enter(lamports);
    await carryOutRequest(handler, id);
    const { txHash, signedTransaction = new Uint8Array(0) } = await read(id);
    // the count of signatures, another one, and the very same message
    const other = signedTransaction.map((byte, at) => (at > 0 && at < 65 ? byte ^ 3 : byte));
    landsIn(other, 5_020n);
    stub.refusal = "BlockhashNotFound";
    stub.slot = 5_200n;
    await followOnce(handler);
    expect(await listDeathQuestions(database, undefined, 9)).toEqual([]);
    await followOnce(handler);
    const confirmed = await read(id);
    expect(confirmed).toMatchObject({ status: "Confirmed", blockNumber: 5_020n, fee: "5000" });
    expect(confirmed.txHash).not.toBe(txHash);
    expect(confirmed.signedTransaction).toEqual(other);
  });

  it("INV-5 ends, and lets others end, whatever words a node has for it", async () => {
    const [first, second] = [await enter(lamports), await enter(lamports)];
    await carryOutRequest(handler, first.id);
    await carryOutRequest(handler, second.id);
    const signed = (await read(first.id)).signedTransaction ?? expect.fail("it is not signed");
    const err = `\0${"\u{1f600}".repeat(300)}`;
    stub.landings.push({ slot: 5_001n, transaction: signed, of: SOLANA_SENDER, err });
    landsIn((await read(second.id)).signedTransaction, 5_001n);
    stub.slot = 5_033n;
    await followOnce(handler);
    const [undone, other] = [await read(first.id), await read(second.id)];
    expect([undone.status, other.status]).toEqual(["Failed", "Confirmed"]);
    expect(isPlainText(undone.reason ?? "")).toBe(true);
  });

  it("INV-5 waits, and says so, while a node is away with words that nobody can store", async () => {
    const { id } = await enter(lamports);
    const error = { code: -32_005, message: `\0x${"\u{1f600}".repeat(300)}` };
    stub.spoilt.set("", { status: 200, text: JSON.stringify({ jsonrpc: "2.0", id: 1, error }) });
    expect(await carryOutRequest(handler, id)).toMatchObject({ kind: "Again" });
    expect(isPlainText((await read(id)).reason ?? "\0")).toBe(true);
  });
});

describe("a caller's own bytes on Solana", () => {
  it("INV-4 that two requests hold are one transaction, of the first request alone", async () => {
    const bytes = solanaBytes({ blockhash: stubBlockhash(4_960n) });
    const [first, second] = [await enterBytes(bytes), await enterBytes(bytes)];
    expect(await carryOutRequest(handler, first)).toEqual({ kind: "Done" });
    await carryOutRequest(handler, second);
    expect(await read(second)).toMatchObject({
      status: "Failed",
      reason: "another request of the wallet has this very transaction",
    });
    landsIn((await read(first)).signedTransaction, 5_001n);
    stub.slot = 5_033n;
    await followOnce(handler);
    const third = await enterBytes(bytes);
    await carryOutRequest(handler, third);
    expect([(await read(first)).status, await read(third)]).toMatchObject([
      "Confirmed",
      { status: "Failed", reason: expect.stringContaining("the chain has this very transaction already") },
    ]);
    expect(asked.length).toBe(1);
  });
});
