import type { EvmNetwork, EvmTransaction, EvmTransfer } from "@conclave/chains/evm";
import {
  type Anvil,
  RECIPIENT,
  SEPOLIA,
  startAnvil,
  TEST_SECRET_KEY,
  type TestAccount,
  testAccount,
} from "@conclave/chains/testing";
import {
  type AuthorisedAct,
  type AuthorisedKey,
  type ChainRequest,
  type ChainWallet,
  type CreatingKey,
  type CreatingWallet,
  chainRequestRequested,
  isChainWallet,
  type KeyId,
  type KeyScheme,
  keyIdSchema,
  type Network,
  networkSchema,
  organisationIdSchema,
  type Transaction,
  type Transfer,
  transactionIdSchema,
  transferIdSchema,
  userIdSchema,
  walletIdSchema,
} from "@conclave/custody";
import {
  changeChainRequest,
  changeKey,
  type Database,
  dueChainRequest,
  dueKey,
  enqueue,
  freshId,
  insertChainRequest,
  insertKey,
  insertOrganisation,
  insertWallet,
  lockChainRequest,
  openDatabase,
  readWallet,
  recordEvents,
} from "@conclave/platform";
import {
  freshDatabase,
  orchestratorLogin,
  sampleTransaction,
  sampleTransfer,
} from "@conclave/platform/testing";

/** Date of lasting entities. A request is dated when it is made, as its authorisation lapses after some minutes. */
const DATE = new Date().toISOString();
const NETWORK = networkSchema.parse("EthereumSepolia");
export const POLICY = { outcome: "Allowed", policies: [], date: DATE } as const;

/** A real database and a real chain, with requests as the gateway would have stored them. */
export interface World {
  /** with the login of the tables' owner, for setup and inspection */
  readonly database: Database;
  /** with the orchestrators' login */
  readonly orchestratorDatabase: Database;
  readonly orchestratorUrl: string;
  readonly anvil: Anvil;
  readonly network: EvmNetwork & { readonly network: Network };
  /** anvil's first account: well funded, and its key is that of every wallet here */
  readonly account: TestAccount;
  wallet(): Promise<ChainWallet>;
  /** a wallet whose key is still to be made, with the key's due row */
  creatingWallet(network?: string): Promise<CreatingWallet>;
  /** a key that is still to be made, with its due row */
  creatingKey(scheme: KeyScheme): Promise<CreatingKey>;
  /** an accepted transfer with its due row, in wei */
  transfer(wallet: ChainWallet, amount?: bigint): Promise<Transfer>;
  /** an ERC-20 transfer */
  tokenTransfer(wallet: ChainWallet, contract: string, amount: bigint): Promise<Transfer>;
  /** an accepted transaction; a replacement if `replaced` is given */
  transaction(wallet: ChainWallet, wanted: Wanted, replaced?: ChainRequest): Promise<Transaction>;
  stop(): Promise<void>;
}

type Wanted = EvmTransaction;

const bytes = (value: AuthorisedAct | AuthorisedKey): Uint8Array => Buffer.from(JSON.stringify(value));

const organisation = freshId(organisationIdSchema, "or");
const requester = { userId: freshId(userIdSchema, "us") };

const creatingKey = (scheme: KeyScheme): CreatingKey => {
  const id = freshId(keyIdSchema, "key");
  const date = new Date().toISOString();
  const facts = { version: 1, kind: "key", orgId: organisation, keyId: id, threshold: 3 } as const;
  const more = { policy: { ...POLICY, policies: [] }, dateRequested: date };
  const payload = bytes(
    scheme === "FROST-Ed25519"
      ? { ...facts, ...more, scheme, curve: "ed25519" }
      : { ...facts, ...more, scheme, curve: "secp256k1" },
  );
  return {
    id,
    orgId: organisation,
    name: undefined,
    scheme,
    origin: "generated",
    requester,
    authorisation: { payload, signature: new Uint8Array(64) },
    isDelegable: false,
    delegatedTo: undefined,
    dateCreated: date,
    status: "Creating",
  };
};

const creatingWallet = (keyId: KeyId, network: Network): CreatingWallet => ({
  id: freshId(walletIdSchema, "wa"),
  orgId: organisation,
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

const pending = (wallet: ChainWallet, transfer: EvmTransfer): Transfer => {
  const id = freshId(transferIdSchema, "xfr");
  const date = new Date().toISOString();
  const payload = bytes({
    version: 2,
    cosigners: [],
    kind: "transfer",
    requestId: id,
    orgId: organisation,
    walletId: wallet.id,
    keyId: wallet.keyId,
    network: NETWORK,
    transfer,
    policy: { ...POLICY, policies: [] },
    dateRequested: date,
  });
  return sampleTransfer(wallet, {
    id,
    requestBody: transfer,
    policyDecision: { ...POLICY, policies: [] },
    authorisation: { payload, signature: new Uint8Array(64) },
    dateRequested: date,
    datePolicyResolved: date,
  });
};

const asked = (wallet: ChainWallet, wanted: Wanted, replaced: ChainRequest | undefined): Transaction => {
  const id = freshId(transactionIdSchema, "tx");
  const date = new Date().toISOString();
  const payload = bytes({
    version: 2,
    cosigners: [],
    kind: "transaction",
    requestId: id,
    orgId: organisation,
    walletId: wallet.id,
    keyId: wallet.keyId,
    network: NETWORK,
    ...(replaced?.sequence === undefined
      ? { transaction: wanted }
      : { transaction: { ...wanted, nonce: Number(replaced.sequence) }, replaces: [replaced.id] }),
    policy: { ...POLICY, policies: [] },
    dateRequested: date,
  });
  return sampleTransaction(wallet, {
    id,
    requestBody: { kind: "Evm" },
    replacesId: replaced?.id,
    policyDecision: { ...POLICY, policies: [] },
    authorisation: { payload, signature: new Uint8Array(64) },
    dateRequested: date,
    datePolicyResolved: date,
  });
};

/** Stores a transaction, and names it on the request that it replaces; the gateway does both in one database transaction. */
const acceptTransaction = async (
  database: Database,
  transaction: Transaction,
  replaced: ChainRequest | undefined,
): Promise<Transaction> => {
  await accept(database, transaction);
  if (replaced === undefined) return transaction;
  await database.transaction(async (connection) => {
    const current = await lockChainRequest(connection, replaced.id);
    if (current === undefined) throw new Error(`${replaced.id} is gone`);
    const named = await changeChainRequest(connection, current, { kind: "Replaced", by: transaction.id });
    if (!named.ok) throw new Error(named.problem.message);
  });
  return transaction;
};

/** Stores a request as the gateway does: row, event and due row in one transaction. */
const accept = async <R extends ChainRequest>(database: Database, request: R): Promise<R> => {
  await database.transaction(async (connection) => {
    await insertChainRequest(connection, request);
    await recordEvents(connection, [chainRequestRequested(request)]);
    await enqueue(
      connection,
      dueChainRequest(request, request.replacesId === undefined ? request.walletId : undefined),
    );
  });
  return request;
};

const activate = async (database: Database, account: TestAccount): Promise<ChainWallet> => {
  const key = creatingKey("ECDSA");
  const wallet = creatingWallet(key.id, NETWORK);
  await database.transaction(async (connection) => {
    await insertKey(connection, key);
    await insertWallet(connection, wallet);
    await changeKey(connection, key.id, {
      kind: "Activated",
      publicKey: Buffer.from(account.publicKey).toString("hex"),
      addresses: new Map([[NETWORK, account.address]]),
      date: DATE,
    });
  });
  const active = await readWallet(database, wallet.id);
  if (active === undefined || !isChainWallet(active)) throw new Error("the wallet is not active");
  return active;
};

const requestKey = async (database: Database, scheme: KeyScheme): Promise<CreatingKey> => {
  const key = creatingKey(scheme);
  await database.transaction(async (connection) => {
    await insertKey(connection, key);
    await enqueue(connection, dueKey(key));
  });
  return key;
};

const requestWallet = async (database: Database, network: Network): Promise<CreatingWallet> => {
  const key = creatingKey("ECDSA");
  const wallet = creatingWallet(key.id, network);
  await database.transaction(async (connection) => {
    await insertWallet(connection, wallet);
    await insertKey(connection, key);
    await enqueue(connection, dueKey(key));
  });
  return wallet;
};

/** A fresh database and a fresh chain. */
export const startWorld = async (): Promise<World> => {
  const [url, anvil] = await Promise.all([freshDatabase(), startAnvil(SEPOLIA.chainId)]);
  const database = openDatabase({ url, name: "test" });
  const orchestratorUrl = await orchestratorLogin(url);
  const orchestratorDatabase = openDatabase({ url: orchestratorUrl, name: "orchestrator" });
  await insertOrganisation(database, { id: organisation, name: "Acme", dateCreated: DATE });
  const account = testAccount(TEST_SECRET_KEY);
  return {
    orchestratorUrl,
    orchestratorDatabase,
    database,
    anvil,
    network: { ...SEPOLIA, network: NETWORK, family: "Evm", rpcUrl: anvil.rpcUrl, confirmations: 1 },
    account,
    wallet: () => activate(database, account),
    creatingWallet: (name = NETWORK) => requestWallet(database, networkSchema.parse(name)),
    creatingKey: (scheme) => requestKey(database, scheme),
    transfer: (wallet, amount = 1n) =>
      accept(database, pending(wallet, { kind: "Native", to: RECIPIENT, amount: amount.toString() })),
    tokenTransfer: (wallet, contract, amount) =>
      accept(
        database,
        pending(wallet, { kind: "Erc20", contract, to: RECIPIENT, amount: amount.toString() }),
      ),
    transaction: (wallet, wanted, replaced) =>
      acceptTransaction(database, asked(wallet, wanted, replaced), replaced),
    stop: async () => {
      await Promise.all([anvil.stop(), database.close(), orchestratorDatabase.close()]);
    },
  };
};
