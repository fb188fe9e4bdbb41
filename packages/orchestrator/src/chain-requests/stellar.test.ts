import { createHash } from "node:crypto";
import { FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import {
  STELLAR_KEY,
  STELLAR_RECIPIENT,
  STELLAR_SENDER,
  STELLAR_TESTNET,
  STELLAR_TOKEN,
  StubHorizon,
} from "@conclave/chains/testing";
import {
  type AuthorisedAct,
  type ChainWallet,
  type FamilyContent,
  isChainWallet,
  keyIdSchema,
  networkSchema,
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
const network = networkSchema.parse(STELLAR_TESTNET.network);
const policy = { outcome: "Allowed" as const, policies: [], date: DATE };
const requester = { userId: freshId(userIdSchema, "us") };
const orgId = freshId(organisationIdSchema, "or");
const digits = Buffer.from(STELLAR_KEY.publicKey).toString("hex");
const payment = { from: STELLAR_SENDER, to: STELLAR_RECIPIENT };
const lumens = { kind: "Native", ...payment, amount: "15000000" };
const asset = {
  kind: "Sep41",
  assetCode: STELLAR_TOKEN.code,
  issuer: STELLAR_TOKEN.issuer,
  ...payment,
  amount: "5",
};

const trustlines = [{ ...STELLAR_TOKEN, balance: 10n, limit: 1_000n }];
const ACCOUNT = { sequence: 100n, balance: 100_000_000n, trustlines };

let database: Database;
let own: Database;
let horizon: StubHorizon;
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
  horizon = await StubHorizon.start();
  for (const address of [STELLAR_SENDER, STELLAR_RECIPIENT]) horizon.accounts.set(address, ACCOUNT);
  const url = await freshDatabase();
  database = openDatabase({ url, name: "test" });
  own = openDatabase({ url: await orchestratorLogin(url), name: "orchestrator" });
  await insertOrganisation(database, { id: orgId, name: "Acme", dateCreated: DATE });
  wallet = await enterWallet();
  asked = [];
  handler = {
    database: own,
    chains: served(),
    quorum: {
      shortage: () => undefined,
      isBegun: () => false,
      askSigned: noneSigned,
      sign: async (request) => {
        asked.push(request);
        return signedBy(request.signables.map(({ bytes }) => STELLAR_KEY.sign(bytes)));
      },
    },
    logger: makeLogger({ name: "test", level: "silent" }),
    world: processWorld,
    broadcasted: () => undefined,
    signal: () => undefined,
  };
});
afterEach(async () => {
  await Promise.all([database.close(), own.close(), horizon.stop()]);
});

const served = () => {
  const node = NODES.connect(Object.assign({}, STELLAR_TESTNET, { horizonUrl: horizon.url }));
  return new Map([[network, { family: FAMILIES.familyOf(network), node }]]);
};

/** Another orchestrator, which does not remember what the node took. */
const renewed = (): RequestHandler => ({ ...handler, chains: served() });

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
  const requestBody: TransferBody = { kind: "Native", to: STELLAR_RECIPIENT, amount: "15000000" };
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

const read = async (id: Transfer["id"]) =>
  (await readChainRequest(database, id)) ?? expect.fail("it is gone");

const carry = (id: Transfer["id"]) => carryOutRequest(handler, id);

/** A ledger closes with a transaction of the sender in it. */
const landsIn = (hash: string, ledger: number, sequence: bigint, change: object = {}): void => {
  horizon.ledger = ledger;
  horizon.landed.push({ hash, ledger, from: STELLAR_SENDER, sequence, ...change });
  horizon.accounts.set(STELLAR_SENDER, { ...ACCOUNT, sequence });
};

const TOO_LATE = {
  status: 400,
  body: { tx_status: "ERROR", error_result_xdr: "AAAAAAAAAAD////9AAAAAA==" },
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

describe("a transfer on Stellar", () => {
  it.each([lumens, asset])(
    "is signed, handed over and confirmed with the fee that it paid: $kind",
    async (transfer) => {
      const { id } = await enter(transfer);
      expect(await carry(id)).toEqual({ kind: "Done" });
      expect(asked[0]?.signables.map(({ scheme, bytes }) => [scheme, bytes.length])).toEqual([
        ["FROST-Ed25519", 32],
      ]);
      const { txHash = "", signedTransaction = new Uint8Array(0), sequence } = await read(id);
      expect([horizon.posted.at(-1), sequence]).toEqual([
        Buffer.from(signedTransaction).toString("base64"),
        101n,
      ]);
      await followOnce(handler);
      expect([(await read(id)).status, horizon.posted.length]).toEqual(["Broadcasted", 1]);
      landsIn(txHash, 1_003, 101n);
      await followOnce(handler);
      expect(await read(id)).toMatchObject({ status: "Confirmed", fee: "100", blockNumber: 1_003n });
    },
  );

  it("that the chain undid has failed, with the fee that it paid", async () => {
    const { id } = await enter(lumens);
    await carry(id);
    landsIn((await read(id)).txHash ?? "", 1_003, 101n, { succeeded: false });
    await followOnce(handler);
    expect(await read(id)).toMatchObject({ status: "Failed", fee: "100", blockNumber: 1_003n });
  });

  it("waits for the one before it, and takes its place behind it when that has landed", async () => {
    const [first, second] = [await enter(lumens), await enter(lumens)];
    await carry(first.id);
    expect(await carry(second.id)).toMatchObject({ kind: "Again" });
    expect(await read(second.id)).toMatchObject({
      status: "Executing",
      reason: "waiting for an earlier transaction of the wallet to land",
      sequence: undefined,
    });
    const { txHash = "" } = await read(first.id);
    landsIn(txHash, 1_001, 101n);
    await carry(second.id);
    expect(await read(second.id)).toMatchObject({ status: "Broadcasted", sequence: 102n });
  });

  it("is not kept waiting by one that was built as often as it may be, and never landed", async () => {
    const [first, second] = [await enter(lumens), await enter(lumens)];
    await carry(first.id);
    await database.execute(
      "update chain_requests set status = 'Failed', dead_transactions = 64 where id = $1",
      [first.id],
    );
    await carry(second.id);
    expect(await read(second.id)).toMatchObject({ status: "Broadcasted", sequence: 101n });
  });

  it("to an account that is not there makes it", async () => {
    horizon.accounts.delete(STELLAR_RECIPIENT);
    const { id } = await enter(lumens);
    expect(await carry(id)).toEqual({ kind: "Done" });
    expect((await read(id)).status).toBe("Broadcasted");
  });

  it("that is impossible has failed in words, and nothing was signed", async () => {
    horizon.accounts.set(STELLAR_RECIPIENT, { ...ACCOUNT, trustlines: [] });
    const { id } = await enter(asset);
    expect(await carry(id)).toEqual({ kind: "Done" });
    expect(await read(id)).toMatchObject({
      status: "Failed",
      reason: "the recipient has no trustline for USDC: have it make one",
    });
    expect(asked).toEqual([]);
  });

  it("waits for a node that is away, and says so", async () => {
    horizon.spoilt.set("/", { status: 503, text: "" });
    const { id } = await enter(lumens);
    expect(await carryOutRequest(handler, id)).toMatchObject({ kind: "Again" });
    expect(await read(id)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("does not answer"),
    });
    horizon.spoilt.clear();
    await carry(id);
    expect((await read(id)).status).toBe("Broadcasted");
  });

  it("INV-4 sends the very same bytes again when the node's answer was lost, or it takes none now", async () => {
    const { id } = await enter(lumens);
    for (const verdict of [
      { status: 504, body: { title: "Timeout" } },
      { status: 503, body: { tx_status: "TRY_AGAIN_LATER" } },
    ]) {
      horizon.verdict = verdict;
      expect(await carryOutRequest(handler, id)).toMatchObject({ kind: "Again" });
    }
    horizon.verdict = { status: 409, body: { tx_status: "DUPLICATE" } };
    expect(await carryOutRequest(handler, id)).toEqual({ kind: "Done" });
    expect([asked.length, horizon.posted.length, new Set(horizon.posted).size]).toEqual([1, 3, 1]);
  });

  it("INV-4 is built again only when it is void and its sequence number free, and the authority says so", async () => {
    const { id } = await enter(lumens);
    // so long ago that signers believe that it is void
    horizon.firstClosedAt = Math.floor(Date.now() / 1_000) - 3_600;
    await carry(id);
    const first = await read(id);
    horizon.spoilt.set("/transactions/", { status: 404, text: "{}" });
    horizon.verdict = TOO_LATE;
    horizon.ledger += 60;
    handler = renewed();
    await followOnce(handler);
    expect(await listDeathQuestions(database, undefined, 9)).toEqual([]);
    horizon.ledger += 1;
    await followOnce(handler);
    expect(await listDeathQuestions(database, undefined, 9)).toEqual([{ requestId: id, transactions: 1 }]);
    expect((await read(id)).txHash).toBe(first.txHash);
    await speak();
    await followOnce(handler);
    expect(await read(id)).toMatchObject({ status: "Executing", deadTransactions: 1, txHash: undefined });
    horizon.verdict = { status: 201, body: { tx_status: "PENDING" } };
    await carry(id);
    const second = await read(id);
    expect([second.status, second.txHash === first.txHash, asked.length]).toEqual(["Broadcasted", false, 2]);
    expect([second.sequence, asked[1]?.dead]).toEqual([101n, expect.anything()]);
  });

  it("INV-4 is confirmed, and not built again, when it took its sequence number itself", async () => {
    const { id } = await enter(lumens);
    await carry(id);
    const { txHash = "" } = await read(id);
    landsIn(txHash, 1_061, 101n);
    horizon.verdict = TOO_LATE;
    // the node that is asked for the transaction is behind the one that is asked for the account
    horizon.spoilt.set("/transactions/", { status: 404, text: "{}" });
    handler = renewed();
    await followOnce(handler);
    expect(await listDeathQuestions(database, undefined, 9)).toEqual([]);
    horizon.spoilt.clear();
    await followOnce(handler);
    expect(await read(id)).toMatchObject({ status: "Confirmed", txHash, blockNumber: 1_061n, fee: "100" });
  });
});
