import { createHash } from "node:crypto";
import { type ChainNode, FAMILIES, type FamilyRegistry } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import type { WalletSample } from "@conclave/chains/testing/ledgers";
import {
  type ChainRequest,
  type ChainRequestId,
  type ChainWallet,
  type FamilyContent,
  isChainWallet,
  type KeyId,
  type KeyScheme,
  keyIdSchema,
  type Network,
  networkSchema,
  organisationIdSchema,
  type SchemeSignature,
  type Signable,
  type SignedAuthorisation,
  type Transaction,
  type Transfer,
  transactionIdSchema,
  transferIdSchema,
  UNTOUCHED,
  userIdSchema,
  type WalletId,
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
import { expect } from "vitest";
import { carryOutRequest, type RequestHandler } from "../chain-requests/work.ts";
import type { SigningRequest } from "../signing-port.ts";
import { noneSigned, signedBy } from "./plain-signers.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const POLICY = { outcome: "Allowed" as const, policies: [], date: DATE };

/** The key of a wallet, which signs at once. */
export interface WalletKey {
  readonly publicKey: Uint8Array;
  sign(bytes: Uint8Array): SchemeSignature;
}

interface Databases {
  readonly database: Database;
  readonly own: Database;
}

export const freshDatabases = async (): Promise<Databases> => {
  const url = await freshDatabase();
  return {
    database: openDatabase({ url, name: "test" }),
    own: openDatabase({ url: await orchestratorLogin(url), name: "orchestrator" }),
  };
};

/** An orchestrator's database with one wallet on a network, a node of the network, and signers that sign everything. */
export class WalletWorld {
  readonly network: Network;
  readonly database: Database;
  /** cosigners of each transaction of the wallet */
  cosigners: readonly KeyId[] = [];
  handler: RequestHandler;
  asked: SigningRequest[] = [];
  /** date when policies allowed a request: earlier blocks are not searched for its transactions */
  dateResolved = (): string => DATE;
  signOne: (signable: Signable) => SchemeSignature = () => expect.fail("there is no wallet yet");
  readonly #own: Database;
  readonly #families: FamilyRegistry;
  readonly #orgId = freshId(organisationIdSchema, "or");
  readonly #requester = { userId: freshId(userIdSchema, "us") };
  #wallet: ChainWallet | undefined;

  constructor({ database, own }: Databases, network: string, node: ChainNode, families = FAMILIES) {
    this.network = networkSchema.parse(network);
    this.database = database;
    this.#own = own;
    this.#families = families;
    this.handler = {
      database: own,
      chains: new Map(),
      quorum: {
        shortage: () => undefined,
        isBegun: () => false,
        askSigned: noneSigned,
        sign: async (request) => {
          this.asked.push(request);
          return signedBy(request.signables.map((each) => this.signOne(each)));
        },
      },
      logger: makeLogger({ name: "test", level: "silent" }),
      world: processWorld,
      broadcasted: () => undefined,
      signal: () => undefined,
    };
    this.speakTo(node);
  }

  get wallet(): ChainWallet {
    return this.#wallet ?? expect.fail("there is no wallet yet");
  }

  /** Makes the orchestrator use this node from now on. */
  readonly speakTo = (node: ChainNode): void => {
    const chain = { family: this.#families.familyOf(this.network), node };
    this.handler = { ...this.handler, chains: new Map([[this.network, chain]]) };
  };

  readonly begin = async (scheme: KeyScheme, key: WalletKey): Promise<void> => {
    await insertOrganisation(this.database, { id: this.#orgId, name: "Acme", dateCreated: DATE });
    await this.enterWallet(scheme, key);
  };

  /** Makes an active key. @param walletId of a wallet for the key */
  readonly enterKey = async (
    scheme: KeyScheme,
    key: Pick<WalletKey, "publicKey">,
    {
      id = freshId(keyIdSchema, "key"),
      walletId,
    }: { readonly id?: KeyId; readonly walletId?: WalletId } = {},
  ): Promise<void> => {
    const { network } = this;
    const made = {
      orgId: this.#orgId,
      name: undefined,
      requester: this.#requester,
      dateCreated: DATE,
      status: "Creating" as const,
    };
    const publicKey = Buffer.from(key.publicKey).toString("hex");
    await this.database.transaction(async (connection) => {
      await insertKey(connection, {
        ...made,
        id,
        scheme,
        origin: "generated",
        authorisation: { payload: new Uint8Array(1), signature: new Uint8Array(64) },
        isDelegable: false,
        delegatedTo: undefined,
      });
      if (walletId !== undefined) {
        const wallet = { id: walletId, keyId: id, network, externalId: undefined, tags: [] };
        await insertWallet(connection, { ...made, ...wallet, requestBody: { network } });
      }
      const addresses = new Map([[network, this.#families.addressOn(network, publicKey) ?? ""]]);
      await changeKey(connection, id, { kind: "Activated", publicKey, addresses, date: DATE });
    });
  };

  /** Makes a wallet that all later requests use. */
  readonly enterWallet = async (scheme: KeyScheme, key: WalletKey): Promise<void> => {
    const walletId = freshId(walletIdSchema, "wa");
    await this.enterKey(scheme, key, { walletId });
    const found = await readWallet(this.database, walletId);
    if (found === undefined || !isChainWallet(found)) expect.fail("the wallet is not active");
    this.#wallet = found;
    this.signOne = ({ bytes }) => key.sign(bytes);
  };

  readonly #common = () => ({
    ...UNTOUCHED,
    orgId: this.#orgId,
    walletId: this.wallet.id,
    network: this.network,
    requester: this.#requester,
    externalId: undefined,
    status: "Pending" as const,
    reason: undefined,
    approvalId: undefined,
    policyDecision: POLICY,
    dateRequested: DATE,
    datePolicyResolved: this.dateResolved(),
  });
  readonly #authorised = (act: object) => {
    const { id: walletId, keyId } = this.wallet;
    const facts = {
      orgId: this.#orgId,
      walletId,
      keyId,
      cosigners: this.cosigners,
      network: this.network,
      policy: POLICY,
    };
    const dates = { dateRequested: DATE, dateAuthorised: new Date().toISOString() };
    return {
      payload: Buffer.from(JSON.stringify({ version: 2, ...facts, ...dates, ...act })),
      signature: new Uint8Array(64),
    };
  };

  /** A transfer as the gateway stores it. */
  readonly enter = async (transfer: FamilyContent): Promise<Transfer> => {
    const id = freshId(transferIdSchema, "xfr");
    const request: Transfer = {
      ...this.#common(),
      kind: "Transfer",
      id,
      requestBody: { kind: "Native", to: this.wallet.address, amount: "120000" },
      metadata: { asset: {} },
      replacesId: undefined,
      authorisation: this.#authorised({ kind: "transfer", requestId: id, transfer }),
    };
    await insertChainRequest(this.database, request);
    return request;
  };

  /** A transaction that is not stored yet. */
  readonly transactionOf = (
    transaction: FamilyContent,
    facts: Pick<Transaction, "requestBody" | "replacesId"> & Partial<Pick<Transaction, "isGathering">>,
  ): Transaction => {
    const id = freshId(transactionIdSchema, "tx");
    const replaces = facts.replacesId === undefined ? {} : { replaces: [facts.replacesId] };
    const act = { kind: "transaction", requestId: id, transaction, ...replaces };
    return { ...this.#common(), kind: "Transaction", id, ...facts, authorisation: this.#authorised(act) };
  };

  /** A caller's own bytes as the gateway stores them. @param bytes hex with 0x */
  readonly enterBytes = async (bytes: string): Promise<Transaction> => {
    const content = { kind: "Exact", from: this.wallet.address, unsigned: bytes.slice(2) };
    const requestBody = { kind: "Transaction" as const, transaction: bytes };
    const request = this.transactionOf(content, { requestBody, replacesId: undefined });
    await insertChainRequest(this.database, request);
    return request;
  };

  readonly read = async (of: ChainRequestId | Pick<ChainRequest, "id">): Promise<ChainRequest> =>
    (await readChainRequest(this.database, idIn(of))) ?? expect.fail("it is gone");
  readonly carry = (of: ChainRequestId | Pick<ChainRequest, "id">) => carryOutRequest(this.handler, idIn(of));

  /** Questions about dead transactions that no gateway has answered. */
  readonly questions = () => listDeathQuestions(this.database, undefined, 9);

  /** Answers such a question as a gateway does after its own look at the chain. @returns the authority's statement */
  readonly speak = async (): Promise<SignedAuthorisation> => {
    const [question] = await this.questions();
    if (question === undefined) expect.fail("nobody asked");
    const { unsignedTransaction = new Uint8Array(0) } = await this.read(
      transferIdSchema.parse(question.requestId),
    );
    const latest = createHash("sha256").update(unsignedTransaction).digest("hex");
    const transactions = Array.from({ length: question.transactions }, () => latest);
    const payload = Buffer.from(JSON.stringify({ transactions }));
    const statement = { payload, signature: new Uint8Array(64) };
    await answerDeathQuestion(this.database, question, statement);
    return statement;
  };

  readonly close = async (): Promise<void> => {
    await Promise.all([this.database.close(), this.#own.close()]);
  };
}

const idIn = (of: ChainRequestId | Pick<ChainRequest, "id">): ChainRequestId =>
  typeof of === "string" ? of : of.id;

/** A world with the wallet of a sample. @param url of a node of its network */
export const startWalletWorld = async (
  { entryAt, scheme, key }: WalletSample,
  url: string,
): Promise<WalletWorld> => {
  const entry = entryAt(url);
  const world = new WalletWorld(await freshDatabases(), entry.network, NODES.connect(entry));
  await world.begin(scheme, key);
  return world;
};
