import { createHash } from "node:crypto";
import { FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import {
  StubRippled,
  stubLedgerHash,
  XRPL_EDWARDS_KEY,
  XRPL_KEY,
  XRPL_RECIPIENT,
  XRPL_TESTNET,
} from "@conclave/chains/testing";
import {
  type AuthorisedAct,
  type ChainWallet,
  isChainWallet,
  type KeyScheme,
  keyIdSchema,
  networkSchema,
  organisationIdSchema,
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
const network = networkSchema.parse(XRPL_TESTNET.network);
const policy = { outcome: "Allowed" as const, policies: [], date: DATE };
const requester = { userId: freshId(userIdSchema, "us") };
const orgId = freshId(organisationIdSchema, "or");
/** The keys of the samples by their schemes. */
const KEYS = { ECDSA: XRPL_KEY, "FROST-Ed25519": XRPL_EDWARDS_KEY } as const;

let database: Database;
let own: Database;
let rippled: StubRippled;
let wallet: ChainWallet;
let handler: RequestHandler;
let asked: SigningRequest[];

const enterWallet = async (scheme: keyof typeof KEYS & KeyScheme): Promise<ChainWallet> => {
  const keyId = freshId(keyIdSchema, "key");
  const walletId = freshId(walletIdSchema, "wa");
  const publicKey = Buffer.from(KEYS[scheme].publicKey).toString("hex");
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
    const addresses = new Map([[network, FAMILIES.addressOn(network, publicKey) ?? ""]]);
    await changeKey(connection, keyId, { kind: "Activated", publicKey, addresses, date: DATE });
  });
  const found = await readWallet(database, walletId);
  return found !== undefined && isChainWallet(found) ? found : expect.fail("the wallet is not active");
};

/** Sets the state of the wallet's account on the chain. */
const stands = (sequence: number): void => {
  rippled.accounts.set(wallet.address, { balance: 100_000_000n, sequence });
};

const signWith = (scheme: keyof typeof KEYS): void => {
  handler = {
    ...handler,
    quorum: {
      shortage: () => undefined,
      isBegun: () => false,
      askSigned: noneSigned,
      sign: async (request) => {
        asked.push(request);
        return signedBy(request.signables.map(({ bytes }) => KEYS[scheme].sign(bytes)));
      },
    },
  };
};

beforeEach(async () => {
  rippled = await StubRippled.start();
  rippled.accounts.set(XRPL_RECIPIENT, { balance: 1_000_000n, sequence: 7 });
  const url = await freshDatabase();
  database = openDatabase({ url, name: "test" });
  own = openDatabase({ url: await orchestratorLogin(url), name: "orchestrator" });
  await insertOrganisation(database, { id: orgId, name: "Acme", dateCreated: DATE });
  wallet = await enterWallet("ECDSA");
  stands(500);
  const node = NODES.connect(Object.assign({}, XRPL_TESTNET, { rippledUrl: rippled.url }));
  asked = [];
  handler = {
    database: own,
    chains: new Map([[network, { family: FAMILIES.familyOf(network), node }]]),
    quorum: {
      shortage: () => undefined,
      isBegun: () => false,
      askSigned: noneSigned,
      sign: async () => signedBy([]),
    },
    logger: makeLogger({ name: "test", level: "silent" }),
    world: processWorld,
    broadcasted: () => undefined,
    signal: () => undefined,
  };
  signWith("ECDSA");
});
afterEach(async () => {
  await Promise.all([database.close(), own.close(), rippled.stop()]);
});

/** A transfer as the gateway stores it. */
const enter = async (change: object = {}): Promise<Transfer> => {
  const id = freshId(transferIdSchema, "xfr");
  const requestBody = { kind: "Native" as const, to: XRPL_RECIPIENT, amount: "1500000" };
  const act: AuthorisedAct = {
    version: 2,
    kind: "transfer",
    requestId: id,
    orgId,
    walletId: wallet.id,
    keyId: wallet.keyId,
    cosigners: [],
    network,
    transfer: { ...requestBody, from: wallet.address, ...change },
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

const landsIn = (id: string, ledger: number, result = "tesSUCCESS"): void => {
  rippled.validated = ledger;
  rippled.transactions.set(id, {
    hash: id,
    ledger_hash: stubLedgerHash(ledger),
    ledger_index: ledger,
    validated: true,
    tx_json: { Fee: "12", DeliverMax: "1500000" },
    meta: {
      TransactionResult: result,
      ...(result === "tesSUCCESS" ? { delivered_amount: "1500000" } : {}),
    },
  });
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

describe("a transfer on the XRP Ledger", () => {
  it.each([
    ["ECDSA", "CGGMP24"],
    ["FROST-Ed25519", "FROST-Ed25519"],
  ] as const)(
    "is signed, handed over and confirmed with the fee that it paid: a key of %s",
    async (scheme, signing) => {
      wallet = await enterWallet(scheme);
      stands(500);
      signWith(scheme);
      const { id } = await enter({ tag: 7 });
      expect(await carry(id)).toEqual({ kind: "Done" });
      expect(asked[0]?.signables.map((each) => each.scheme)).toEqual([signing]);
      const { txHash = "", signedTransaction = new Uint8Array(), sequence } = await read(id);
      expect([rippled.submitted, sequence]).toEqual([
        [Buffer.from(signedTransaction).toString("hex").toUpperCase()],
        500n,
      ]);
      await followOnce(handler);
      expect((await read(id)).status).toBe("Broadcasted");
      landsIn(txHash, 1_003);
      await followOnce(handler);
      expect(await read(id)).toMatchObject({ status: "Confirmed", fee: "12", blockNumber: 1_003n });
    },
  );

  it("that the chain took and refused has failed with the chain's word, and has cost its fee", async () => {
    const { id } = await enter();
    await carry(id);
    landsIn((await read(id)).txHash ?? "", 1_003, "tecUNFUNDED_PAYMENT");
    await followOnce(handler);
    expect(await read(id)).toMatchObject({
      status: "Failed",
      fee: "12",
      reason: "the chain executed it and reverted it: tecUNFUNDED_PAYMENT",
    });
  });

  it("stands behind the others of its wallet, which are on their way", async () => {
    const [first, second] = [await enter(), await enter()];
    await carry(first.id);
    stands(501);
    await carry(second.id);
    const [one, other] = [await read(first.id), await read(second.id)];
    expect([one.status, other.status]).toEqual(["Broadcasted", "Broadcasted"]);
    expect([one.sequence, other.sequence]).toEqual([500n, 501n]);
  });

  it("waits while its node does not have the one before it, and says so", async () => {
    const [first, second] = [await enter(), await enter()];
    await carry(first.id);
    expect(await carry(second.id)).toMatchObject({ kind: "Again" });
    expect((await read(second.id)).reason).toContain("the Sequence 500 yet");
    stands(501);
    expect(await carry(second.id)).toEqual({ kind: "Done" });
  });

  it("that is impossible has failed in words, and nothing was signed", async () => {
    rippled.accounts.set(XRPL_RECIPIENT, { balance: 1n, sequence: 7, flags: 0x0002_0000 });
    const { id } = await enter();
    expect(await carry(id)).toEqual({ kind: "Done" });
    expect(await read(id)).toMatchObject({
      status: "Failed",
      reason: expect.stringContaining("wants a destination tag with each payment"),
    });
    expect(asked).toEqual([]);
  });

  it("waits for a node that is away, and says so", async () => {
    rippled.spoilt.set("", { status: 503, text: "" });
    const { id } = await enter();
    expect(await carry(id)).toMatchObject({ kind: "Again" });
    expect(await read(id)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("does not answer"),
    });
    rippled.spoilt.clear();
    await carry(id);
    expect((await read(id)).status).toBe("Broadcasted");
  });

  it.each(["terPRE_SEQ", "telCAN_NOT_QUEUE_FULL", "telINSUF_FEE_P", "nothing that anybody knows"])(
    "INV-4 sends the very same bytes again when the node says %s, or its answer was lost",
    async (engine_result) => {
      const { id } = await enter();
      rippled.engine = { engine_result };
      expect(await carry(id)).toMatchObject({ kind: "Again" });
      expect((await read(id)).reason).toContain(engine_result);
      rippled.engine = { engine_result: "tefALREADY" };
      expect(await carry(id)).toEqual({ kind: "Done" });
      expect([asked.length, new Set(rippled.submitted).size]).toEqual([1, 1]);
    },
  );
});

describe("INV-4 a transfer on the XRP Ledger whose transaction did not land", () => {
  it("is built again in the same place, only when its ledgers are over and the authority says so", async () => {
    const { id } = await enter();
    await carry(id);
    const first = await read(id);
    rippled.engine = { engine_result: "tefMAX_LEDGER" };
    rippled.validated = 1_050;
    await followOnce(handler);
    expect(await listDeathQuestions(database, undefined, 9)).toEqual([]);
    rippled.validated = 1_051;
    await followOnce(handler);
    expect(await listDeathQuestions(database, undefined, 9)).toEqual([{ requestId: id, transactions: 1 }]);
    expect((await read(id)).txHash).toBe(first.txHash);
    await speak();
    await followOnce(handler);
    expect(await read(id)).toMatchObject({ status: "Executing", deadTransactions: 1, txHash: undefined });
    rippled.engine = { engine_result: "tesSUCCESS" };
    await carry(id);
    const second = await read(id);
    expect([second.status, second.txHash === first.txHash, second.sequence]).toEqual([
      "Broadcasted",
      false,
      500n,
    ]);
    expect([asked.length, asked[1]?.dead === undefined]).toEqual([2, false]);
  });

  it("is built again in the next place when another transaction has its own", async () => {
    const { id } = await enter();
    await carry(id);
    rippled.engine = { engine_result: "tefPAST_SEQ" };
    stands(501);
    // the node does not show which one it was: there is no verdict
    await followOnce(handler);
    expect(await listDeathQuestions(database, undefined, 9)).toEqual([]);
    rippled.landed = [{ hash: "AB".repeat(32), account: wallet.address, sequence: 500, signature: "AB" }];
    await followOnce(handler);
    await speak();
    await followOnce(handler);
    rippled.engine = { engine_result: "tesSUCCESS" };
    await carry(id);
    expect(await read(id)).toMatchObject({ status: "Broadcasted", sequence: 501n, deadTransactions: 1 });
  });

  it("takes the empty place below its successors again, which land only behind it", async () => {
    const [first, second] = [await enter(), await enter()];
    await carry(first.id);
    stands(501);
    await carry(second.id);
    // the node has lost the first one, whose ledgers are over; the second one is younger
    stands(500);
    rippled.validated = 1_051;
    rippled.engine = { engine_result: "tefMAX_LEDGER" };
    const { txHash = "" } = await read(second.id);
    rippled.transactions.set(txHash, { hash: txHash, validated: false });
    await followOnce(handler);
    await speak();
    await followOnce(handler);
    expect(await read(first.id)).toMatchObject({ status: "Executing", deadTransactions: 1 });
    rippled.engine = { engine_result: "tesSUCCESS" };
    expect(await carry(first.id)).toMatchObject({ kind: "Again" });
    rippled.validated = 1_055;
    expect(await carry(first.id)).toEqual({ kind: "Done" });
    expect(await read(first.id)).toMatchObject({ status: "Broadcasted", sequence: 500n });
    expect((await read(second.id)).sequence).toBe(501n);
  });
});
