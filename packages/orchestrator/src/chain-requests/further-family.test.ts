import { createHash } from "node:crypto";
import { makeRegistry } from "@conclave/chains";
import {
  TEST_SECRET_KEY,
  TOY_FAMILY,
  TOY_WINDOW_MS,
  ToyChain,
  type ToyNetwork,
  testAccount,
  testEdwardsKey,
  toyNode,
} from "@conclave/chains/testing";
import {
  type AuthorisedAct,
  type ChainWallet,
  isChainWallet,
  type KeyId,
  type KeyScheme,
  keyIdSchema,
  networkSchema,
  organisationIdSchema,
  type SchemeSignature,
  type Signable,
  type SignedAuthorisation,
  type Transfer,
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
  listDeadTransactions,
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
const policy = { outcome: "Allowed" as const, policies: [], date: DATE };
const requester = { userId: freshId(userIdSchema, "us") };
const COSMOS = networkSchema.parse("CosmosIcsTestnet");
const TO = `toy1${"ab".repeat(20)}`;
const account = testAccount(TEST_SECRET_KEY);
const edwards = testEdwardsKey("07".repeat(32));
const registry = makeRegistry([TOY_FAMILY]);

let database: Database;
let own: Database;
let chain: ToyChain;
let wallet: ChainWallet;
let cosigner: KeyId;
let handler: RequestHandler;
let asked: SigningRequest[];
const orgId = freshId(organisationIdSchema, "or");

const enterKey = async (scheme: KeyScheme, publicKey: Uint8Array, withWallet: boolean): Promise<KeyId> => {
  const id = freshId(keyIdSchema, "key");
  await database.transaction(async (connection) => {
    await insertKey(connection, {
      id,
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
    const walletId = freshId(walletIdSchema, "wa");
    if (withWallet) {
      await insertWallet(connection, {
        id: walletId,
        orgId,
        keyId: id,
        name: undefined,
        network: COSMOS,
        externalId: undefined,
        tags: [],
        requester,
        requestBody: { network: COSMOS },
        dateCreated: DATE,
        status: "Creating",
      });
    }
    const digits = Buffer.from(publicKey).toString("hex");
    const addresses = new Map([[COSMOS, registry.addressOn(COSMOS, digits) ?? ""]]);
    await changeKey(connection, id, { kind: "Activated", publicKey: digits, addresses, date: DATE });
    if (!withWallet) return;
    const found = await readWallet(connection, walletId);
    if (found === undefined || !isChainWallet(found)) throw new Error("the wallet is not active");
    wallet = found;
  });
  return id;
};

/** Both keys in one place, as only a test has them. */
const signOne = ({ scheme, bytes }: Signable): SchemeSignature =>
  scheme === "CGGMP24" ? account.sign(bytes) : edwards.sign(bytes);

beforeEach(async () => {
  const url = await freshDatabase();
  database = openDatabase({ url, name: "test" });
  own = openDatabase({ url: await orchestratorLogin(url), name: "orchestrator" });
  await insertOrganisation(database, { id: orgId, name: "Acme", dateCreated: DATE });
  cosigner = await enterKey("FROST-Ed25519", edwards.publicKey, false);
  await enterKey("ECDSA", account.publicKey, true);
  chain = new ToyChain(Date.parse(DATE));
  const network: ToyNetwork = { network: COSMOS, family: "Cosmos", cosigner, feeCap: "100" };
  asked = [];
  handler = {
    database: own,
    chains: new Map([[COSMOS, { family: registry.familyOf(COSMOS), node: toyNode(network, chain) }]]),
    quorum: {
      shortage: () => undefined,
      isBegun: () => false,
      askSigned: noneSigned,
      sign: async (request) => {
        asked.push(request);
        return signedBy(request.signables.map(signOne));
      },
    },
    logger: makeLogger({ name: "test", level: "silent" }),
    world: processWorld,
    broadcasted: () => undefined,
    signal: () => undefined,
  };
});
afterEach(async () => {
  await Promise.all([database.close(), own.close()]);
});

/** A transfer as the gateway stores it. */
const transfer = async (amount = "5"): Promise<Transfer> => {
  const id = freshId(transferIdSchema, "xfr");
  const act: AuthorisedAct = {
    version: 2,
    kind: "transfer",
    requestId: id,
    orgId,
    walletId: wallet.id,
    keyId: wallet.keyId,
    cosigners: [cosigner],
    network: COSMOS,
    transfer: { kind: "Native", to: TO, amount },
    policy,
    dateRequested: DATE,
    dateAuthorised: new Date().toISOString(),
  };
  const request: Transfer = {
    ...UNTOUCHED,
    kind: "Transfer",
    id,
    orgId,
    walletId: wallet.id,
    network: COSMOS,
    requester,
    requestBody: { kind: "Native", to: TO, amount },
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

const read = async (id: Transfer["id"]) =>
  (await readChainRequest(database, id)) ?? expect.fail("it is gone");

/** Answers the question of a death as a gateway does once it has looked for itself. */
const speak = async (): Promise<SignedAuthorisation> => {
  const [question] = await listDeathQuestions(database, undefined, 1);
  if (question === undefined) expect.fail("nobody asked");
  const { unsignedTransaction = new Uint8Array(0) } = await read(transferIdSchema.parse(question.requestId));
  const latest = createHash("sha256").update(unsignedTransaction).digest("hex");
  const transactions = Array.from({ length: question.transactions }, () => latest);
  const payload = Buffer.from(JSON.stringify({ transactions }));
  const statement = { payload, signature: new Uint8Array(64) };
  await answerDeathQuestion(database, question, statement);
  return statement;
};

const expire = () => chain.mine(3, TOY_WINDOW_MS);

describe("a transfer of a family with two signatures and a window", () => {
  it("is signed by both keys, lands and is confirmed", async () => {
    const { id } = await transfer();
    expect(await carryOutRequest(handler, id)).toEqual({ kind: "Done" });
    expect(asked.map(({ signables }) => signables.map(({ scheme }) => scheme))).toEqual([
      ["CGGMP24", "FROST-Ed25519"],
    ]);
    expect(await read(id)).toMatchObject({ status: "Broadcasted", sequence: undefined, deadTransactions: 0 });
    chain.mine();
    await followOnce(handler);
    expect((await read(id)).status).toBe("Broadcasted");
    chain.mine();
    await followOnce(handler);
    expect(await read(id)).toMatchObject({ status: "Confirmed", fee: "10", blockNumber: 1n });
  });

  it("does not wait for others of its wallet", async () => {
    const [first, second] = [await transfer(), await transfer("6")];
    await Promise.all([carryOutRequest(handler, first.id), carryOutRequest(handler, second.id)]);
    chain.mine(2);
    await followOnce(handler);
    expect([(await read(first.id)).status, (await read(second.id)).status]).toEqual([
      "Confirmed",
      "Confirmed",
    ]);
  });

  it("INV-4 is built again only with the authority's word, which goes with the signing command", async () => {
    chain.losesAll = true;
    const { id } = await transfer();
    await carryOutRequest(handler, id);
    const first = await read(id);
    await followOnce(handler);
    expect(await listDeathQuestions(database, undefined, 9)).toEqual([]);
    expire();
    await followOnce(handler);
    await followOnce(handler);
    expect(await listDeathQuestions(database, undefined, 9)).toEqual([{ requestId: id, transactions: 1 }]);
    expect((await read(id)).txHash).toBe(first.txHash);
    const statement = await speak();
    await followOnce(handler);
    expect(await read(id)).toMatchObject({ status: "Executing", deadTransactions: 1, txHash: undefined });
    expect(await listDeadTransactions(database, id)).toEqual([
      { unsigned: first.unsignedTransaction, signed: first.signedTransaction },
    ]);
    chain.losesAll = false;
    await carryOutRequest(handler, id);
    expect(asked.map(({ dead }) => dead)).toEqual([
      undefined,
      { ...statement, payload: Buffer.from(statement.payload), signature: Buffer.alloc(64) },
    ]);
    const second = await read(id);
    expect(
      createHash("sha256")
        .update(second.unsignedTransaction ?? "")
        .digest("hex"),
    ).not.toBe(
      createHash("sha256")
        .update(first.unsignedTransaction ?? "")
        .digest("hex"),
    );
    chain.mine(2);
    await followOnce(handler);
    expect((await read(id)).status).toBe("Confirmed");
    expect(new Set(chain.broadcasts).size).toBe(2);
  });

  it("INV-4 asks before its first broadcast as well, when its time was over by then", async () => {
    const { id } = await transfer();
    const { quorum } = handler;
    const slow = {
      ...handler,
      quorum: {
        ...quorum,
        sign: async (...given: Parameters<typeof quorum.sign>) => {
          expire();
          return quorum.sign(...given);
        },
      },
    };
    expect(await carryOutRequest(slow, id)).toMatchObject({ kind: "Again" });
    expect(await read(id)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("time is over"),
    });
    await speak();
    await carryOutRequest(handler, id);
    expect(await read(id)).toMatchObject({ status: "Broadcasted", deadTransactions: 1 });
  });

  it("INV-4 gives no verdict while its node is away", async () => {
    chain.losesAll = true;
    const { id } = await transfer();
    await carryOutRequest(handler, id);
    expire();
    chain.isAway = true;
    await followOnce(handler);
    expect(await listDeathQuestions(database, undefined, 9)).toEqual([]);
    expect((await read(id)).status).toBe("Broadcasted");
  });
});
