import { type ChainNode, FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import { BITCOIN_KEY, BITCOIN_RECIPIENT, BITCOIN_SIGNET, BTC_TRANSFER } from "@conclave/chains/testing";
import {
  type ChainRequest,
  type ChainWallet,
  type FamilyContent,
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
import { expect } from "vitest";
import { z } from "zod";
import { carryOutRequest, type RequestHandler } from "../chain-requests/work.ts";
import type { SigningQuorum, SigningRequest } from "../signing-quorum.ts";
import { followOnce } from "./follow-once.ts";
import { noneSigned, signedBy } from "./plain-quorum.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const START_MS = 1_795_132_800_000;
const NETWORK = networkSchema.parse(BITCOIN_SIGNET.network);
const FAMILY = FAMILIES.familyOf(NETWORK);
const POLICY = { outcome: "Allowed" as const, policies: [], date: DATE };

/** A simulated bitcoind, an orchestrator's database, and signers that sign whatever a test lets them. */
export class BitcoinWorld {
  readonly #ledger: RunningLedger;
  readonly #own: Database;
  readonly #orgId = freshId(organisationIdSchema, "or");
  readonly #requester = { userId: freshId(userIdSchema, "us") };
  readonly database: Database;
  readonly node: ChainNode;
  readonly asked: SigningRequest[] = [];
  #wallet: ChainWallet | undefined;
  shortage: string | undefined;
  isBegun = false;
  askSigned: SigningQuorum["askSigned"] = noneSigned;
  gathered: RequestHandler["gathered"];
  signOne: (bytes: Uint8Array) => SchemeSignature = (bytes) => BITCOIN_KEY.sign(bytes);

  constructor(ledger: RunningLedger, genesisHash: string, database: Database, own: Database) {
    this.#ledger = ledger;
    this.#own = own;
    this.database = database;
    this.node = NODES.connect(Object.assign({}, BITCOIN_SIGNET, { genesisHash, bitcoindUrl: ledger.url }));
  }

  get handler(): RequestHandler {
    return {
      database: this.#own,
      chains: new Map([[NETWORK, { family: FAMILY, node: this.node }]]),
      quorum: {
        shortage: () => this.shortage,
        isBegun: () => this.isBegun,
        askSigned: (asked) => this.askSigned(asked),
        sign: async (request) => {
          this.asked.push(request);
          return signedBy(request.signables.map(({ bytes }) => this.signOne(bytes)));
        },
      },
      logger: makeLogger({ name: "test", level: "silent" }),
      world: processWorld,
      broadcasted: () => undefined,
      signal: () => undefined,
      gathered: this.gathered,
    };
  }

  get wallet(): ChainWallet {
    return this.#wallet ?? expect.fail("there is no wallet yet");
  }

  readonly begin = async (): Promise<void> => {
    await insertOrganisation(this.database, { id: this.#orgId, name: "Acme", dateCreated: DATE });
    await this.enterWallet("ECDSA", BITCOIN_KEY.publicKey);
  };

  readonly admin = (action: string, input: object = {}) => commandLedger(this.#ledger, action, input);
  readonly mine = (blocks = 1) => this.admin("mine", { blocks });
  readonly fund = async (address: string, ...amounts: readonly number[]): Promise<void> => {
    for (const amount of amounts) await this.admin("fund", { address, amount });
    await this.mine();
  };

  /** Makes a wallet, whose requests are made from now on. */
  readonly enterWallet = async (scheme: KeyScheme, publicKey: Uint8Array): Promise<void> => {
    const made = { orgId: this.#orgId, name: undefined, requester: this.#requester, dateCreated: DATE };
    const keyId = freshId(keyIdSchema, "key");
    const walletId = freshId(walletIdSchema, "wa");
    const digits = Buffer.from(publicKey).toString("hex");
    await this.database.transaction(async (connection) => {
      await insertKey(connection, {
        ...made,
        id: keyId,
        scheme,
        origin: "generated",
        authorisation: { payload: new Uint8Array(1), signature: new Uint8Array(64) },
        isDelegable: false,
        delegatedTo: undefined,
        status: "Creating",
      });
      await insertWallet(connection, {
        ...made,
        id: walletId,
        keyId,
        network: NETWORK,
        externalId: undefined,
        tags: [],
        requestBody: { network: NETWORK },
        status: "Creating",
      });
      const addresses = new Map([[NETWORK, FAMILIES.addressOn(NETWORK, digits) ?? ""]]);
      await changeKey(connection, keyId, { kind: "Activated", publicKey: digits, addresses, date: DATE });
    });
    const found = await readWallet(this.database, walletId);
    if (found === undefined || !isChainWallet(found)) expect.fail("the wallet is not active");
    this.#wallet = found;
  };

  readonly #common = () => ({
    ...UNTOUCHED,
    orgId: this.#orgId,
    walletId: this.wallet.id,
    network: NETWORK,
    requester: this.#requester,
    externalId: undefined,
    status: "Pending" as const,
    reason: undefined,
    approvalId: undefined,
    policyDecision: POLICY,
    dateRequested: DATE,
    datePolicyResolved: DATE,
  });
  readonly #authorised = (act: object) => {
    const { id: walletId, keyId } = this.wallet;
    const facts = { orgId: this.#orgId, walletId, keyId, cosigners: [], network: NETWORK, policy: POLICY };
    const dates = { dateRequested: DATE, dateAuthorised: new Date().toISOString() };
    return {
      payload: Buffer.from(JSON.stringify({ version: 2, ...facts, ...dates, ...act })),
      signature: new Uint8Array(64),
    };
  };

  /** A transfer as the gateway stores it. */
  readonly enter = async (transfer: FamilyContent = BTC_TRANSFER): Promise<Transfer> => {
    const id = freshId(transferIdSchema, "xfr");
    const act = { kind: "transfer", requestId: id, transfer };
    const request: Transfer = {
      ...this.#common(),
      kind: "Transfer",
      id,
      requestBody: { kind: "Native", to: BITCOIN_RECIPIENT, amount: "120000" },
      metadata: { asset: {} },
      replacesId: undefined,
      authorisation: this.#authorised(act),
    };
    await insertChainRequest(this.database, request);
    return request;
  };

  /** A transaction, before it is stored. */
  readonly transactionOf = (
    transaction: FamilyContent,
    facts: Pick<Transaction, "requestBody" | "replacesId" | "isGathering">,
  ): Transaction => {
    const id = freshId(transactionIdSchema, "tx");
    const replaces = facts.replacesId === undefined ? {} : { replaces: [facts.replacesId] };
    const act = { kind: "transaction", requestId: id, transaction, ...replaces };
    return { ...this.#common(), kind: "Transaction", id, ...facts, authorisation: this.#authorised(act) };
  };

  /** A request that replaces another, as the gateway stores it. */
  readonly replace = async (
    replaced: ChainRequest,
    transaction: FamilyContent,
    kind: "SpeedUpTransaction" | "CancelTransaction" = "SpeedUpTransaction",
  ): Promise<Transaction> => {
    const requestBody = { kind, txHash: "", signedTx: "0x" };
    const facts = { requestBody, replacesId: replaced.id, isGathering: false };
    const request = this.transactionOf(transaction, facts);
    await this.database.transaction(async (connection) => {
      await insertChainRequest(connection, request);
      const current = (await lockChainRequest(connection, replaced.id)) ?? expect.fail("it is gone");
      await changeChainRequest(connection, current, { kind: "Replaced", by: request.id });
    });
    return request;
  };

  readonly read = async ({ id }: Pick<ChainRequest, "id">): Promise<ChainRequest> =>
    (await readChainRequest(this.database, id)) ?? expect.fail("it is gone");
  readonly carry = ({ id }: Pick<ChainRequest, "id">) => carryOutRequest(this.handler, id);
  readonly follow = async (blocks: number): Promise<void> => {
    await this.mine(blocks);
    await followOnce(this.handler);
  };

  readonly stop = async (): Promise<void> => {
    await Promise.all([this.database.close(), this.#own.close(), this.#ledger.stop()]);
  };
}

/** Starts a ledger and makes a database with one P2WPKH wallet, whose key is BITCOIN_KEY. */
export const startBitcoinWorld = async (): Promise<BitcoinWorld> => {
  const ledger = await startBitcoinLedger({
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
  const database = openDatabase({ url, name: "test" });
  const own = openDatabase({ url: await orchestratorLogin(url), name: "orchestrator" });
  const world = new BitcoinWorld(ledger, genesisHash, database, own);
  await world.begin();
  return world;
};
