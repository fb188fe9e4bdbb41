import type { EvmNetwork } from "@conclave/chains";
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
  type ActiveWallet,
  type AuthorisedKey,
  type AuthorisedTransfer,
  type CreatingWallet,
  keyIdSchema,
  networkSchema,
  organisationIdSchema,
  type Transfer,
  transferIdSchema,
  transferRequested,
  userIdSchema,
  walletIdSchema,
} from "@conclave/custody";
import {
  appendToOutbox,
  type Database,
  type EnabledNetwork,
  freshId,
  insertOrganisation,
  insertTransfer,
  insertWallet,
  migrate,
  openDatabase,
  recordEvents,
  transferRequest,
  updateWallet,
  walletRequest,
} from "@conclave/platform";
import { type PostgresServer, startPostgresServer } from "@conclave/platform/testing";

const DATE = "2026-01-02T03:04:05.678Z";
const NETWORK = networkSchema.parse("EthereumSepolia");
export const POLICY = { outcome: "Allowed", policies: [], date: DATE } as const;

/** A real database and a real chain, and requests as the gateway would have stored them. */
export interface World {
  readonly databaseUrl: string;
  readonly database: Database;
  readonly anvil: Anvil;
  readonly network: EnabledNetwork & EvmNetwork;
  /** anvil's first account: rich, and the key of every wallet here */
  readonly account: TestAccount;
  wallet(): Promise<ActiveWallet>;
  /** a wallet whose key is still to be made, with its message */
  creatingWallet(): Promise<CreatingWallet>;
  /** an accepted transfer with its message, in wei */
  transfer(wallet: ActiveWallet, amount?: bigint): Promise<Transfer>;
  /** an ERC-20 transfer */
  tokenTransfer(wallet: ActiveWallet, contract: string, amount: bigint): Promise<Transfer>;
  stop(): Promise<void>;
}

const bytes = (value: AuthorisedTransfer | AuthorisedKey): Uint8Array => Buffer.from(JSON.stringify(value));

const organisation = freshId(organisationIdSchema, "or");
const requester = { userId: freshId(userIdSchema, "us") };

const creating = (): CreatingWallet => {
  const id = freshId(walletIdSchema, "wa");
  const keyId = freshId(keyIdSchema, "key");
  const payload = bytes({
    version: 1,
    kind: "key",
    orgId: organisation,
    walletId: id,
    keyId,
    curve: "secp256k1",
    scheme: "ECDSA",
    threshold: 3,
    policy: { ...POLICY, policies: [] },
    dateRequested: DATE,
  });
  return {
    id,
    orgId: organisation,
    keyId,
    name: undefined,
    network: NETWORK,
    externalId: undefined,
    tags: [],
    requester,
    requestBody: { network: NETWORK },
    authorisation: { payload, signature: new Uint8Array(64) },
    dateCreated: DATE,
    status: "Creating",
  };
};

const pending = (wallet: ActiveWallet, transfer: AuthorisedTransfer["transfer"]): Transfer => {
  const id = freshId(transferIdSchema, "xfr");
  const payload = bytes({
    version: 1,
    kind: "transfer",
    requestId: id,
    orgId: organisation,
    walletId: wallet.id,
    keyId: wallet.keyId,
    network: NETWORK,
    transfer,
    policy: { ...POLICY, policies: [] },
    dateRequested: DATE,
  });
  return {
    id,
    orgId: organisation,
    walletId: wallet.id,
    network: NETWORK,
    requester,
    requestBody: transfer,
    metadata: { asset: { symbol: "ETH", decimals: 18, verified: true } },
    externalId: undefined,
    status: "Pending",
    reason: undefined,
    policyDecision: { ...POLICY, policies: [] },
    authorisation: { payload, signature: new Uint8Array(64) },
    nonce: undefined,
    unsignedTransaction: undefined,
    signedTransaction: undefined,
    txHash: undefined,
    blockNumber: undefined,
    blockHash: undefined,
    fee: undefined,
    dateRequested: DATE,
    datePolicyResolved: DATE,
    dateBroadcasted: undefined,
    dateConfirmed: undefined,
  };
};

/** Stores a transfer as the gateway does: row, event and message in one transaction. */
const accept = async (database: Database, transfer: Transfer): Promise<Transfer> => {
  await database.transaction(async (connection) => {
    await insertTransfer(connection, transfer);
    await recordEvents(connection, [transferRequested(transfer)]);
    await appendToOutbox(connection, transferRequest(transfer.id));
  });
  return transfer;
};

const activate = async (database: Database, account: TestAccount): Promise<ActiveWallet> => {
  const wallet = creating();
  const publicKey = Buffer.from(account.publicKey).toString("hex");
  const active: ActiveWallet = { ...wallet, status: "Active", publicKey, address: account.address };
  await database.transaction(async (connection) => {
    await insertWallet(connection, wallet);
    await updateWallet(connection, active);
  });
  return active;
};

const request = async (database: Database): Promise<CreatingWallet> => {
  const wallet = creating();
  await database.transaction(async (connection) => {
    await insertWallet(connection, wallet);
    await appendToOutbox(connection, walletRequest(wallet.id));
  });
  return wallet;
};

/** A fresh database of a running server, and a fresh chain. */
export const startWorld = async (server: PostgresServer): Promise<World> => {
  const [{ url }, anvil] = await Promise.all([server.createDatabase(), startAnvil(SEPOLIA.chainId)]);
  const database = openDatabase({ url, name: "test" });
  await migrate(database);
  await insertOrganisation(database, { id: organisation, name: "Acme", dateCreated: DATE });
  const account = testAccount(TEST_SECRET_KEY);
  return {
    databaseUrl: url,
    database,
    anvil,
    network: { ...SEPOLIA, network: NETWORK, family: "Evm", rpcUrl: anvil.rpcUrl, confirmations: 1 },
    account,
    wallet: () => activate(database, account),
    creatingWallet: () => request(database),
    transfer: (wallet, amount = 1n) =>
      accept(database, pending(wallet, { kind: "Native", to: RECIPIENT, amount: amount.toString() })),
    tokenTransfer: (wallet, contract, amount) =>
      accept(
        database,
        pending(wallet, { kind: "Erc20", contract, to: RECIPIENT, amount: amount.toString() }),
      ),
    stop: async () => {
      await Promise.all([anvil.stop(), database.close()]);
    },
  };
};

export { startPostgresServer };
