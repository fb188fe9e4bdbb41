import { FAMILIES } from "@conclave/chains";
import {
  type AuthorisedKey,
  type AuthorisedTransfer,
  allowWithoutPolicies,
  type ChainWallet,
  type CreatingKey,
  type CreatingWallet,
  chainRequestRequested,
  isChainWallet,
  isoNow,
  judgeClaimedKey,
  keyIdSchema,
  type OrganisationId,
  organisationIdSchema,
  type Transfer,
  transferIdSchema,
  userIdSchema,
  type WalletId,
  walletIdSchema,
} from "@conclave/custody";
import {
  attendAttestedKeys,
  type Database,
  dueChainRequest,
  dueKey,
  enqueue,
  insertChainRequest,
  insertKey,
  insertOrganisation,
  insertWallet,
  Outage,
  readWallet,
  recordEvents,
} from "@conclave/platform";
import { sampleTransfer } from "@conclave/platform/testing";
import { verifyEd25519 } from "@conclave/threshold";
import { connectProcessBus } from "../link/process-bus.ts";
import { openProcessDatabase } from "../store/process-database.ts";
import type { ProcessWorld } from "../time/process-world.ts";
import { beginLife, type SharedParts } from "./parts.ts";

const AGAIN_MS = 250;

/** A transfer that a client asked for. */
export interface AskedTransfer {
  readonly walletId: WalletId;
  /** lower-case hex with 0x */
  readonly to: string;
  /** wei */
  readonly amount: bigint;
}

/** The writes of a gateway in a simulated cluster: organisations, wallets, accepted transfers, and the activation of keys that signers attest. */
export class GatewayProcess {
  readonly #parts: SharedParts;
  readonly #world: ProcessWorld;
  readonly #database: Database;
  readonly #organisation: OrganisationId;
  readonly #requester;

  constructor(parts: SharedParts) {
    this.#parts = parts;
    const { world, linkTo } = beginLife(parts, "gateway-1", 1);
    this.#world = world;
    const bus = connectProcessBus(parts.broker, world, linkTo("bus"));
    this.#database = openProcessDatabase({
      store: parts.store,
      world,
      link: linkTo("database"),
      announce: (subject) => bus.signal(subject),
      // a statement that is not sent is tried again; no answer is lost, because a client would have to look first
      fate: () => (parts.isDatabaseAway() ? "unsent" : undefined),
    });
    this.#organisation = world.freshId(organisationIdSchema, "or");
    this.#requester = { userId: world.freshId(userIdSchema, "us") };
  }

  /** Makes its organisation, and activates keys from then on. */
  async start(): Promise<void> {
    const { roster } = this.#parts;
    const organisation = { id: this.#organisation, name: "Acme", dateCreated: isoNow(this.#world) };
    await insertOrganisation(this.#database, organisation);
    attendAttestedKeys({
      world: this.#world,
      database: this.#database,
      judge: (claimed) =>
        judgeClaimedKey(
          claimed,
          { isInternalKeyOf: () => false, addressOn: FAMILIES.addressOn, clusters: [roster], verify },
          isoNow(this.#world),
        ),
      settled: () => undefined,
      onFailure: (error) => {
        if (!(error instanceof Outage)) this.#parts.failed("gateway-1", error);
      },
    });
  }

  /** Accepts a new wallet, whose key the signers are to make. */
  async createWallet(): Promise<WalletId> {
    const { network } = this.#parts.chain.entry;
    const key = this.#newKey();
    const wallet: CreatingWallet = {
      id: this.#world.freshId(walletIdSchema, "wa"),
      orgId: this.#organisation,
      keyId: key.id,
      name: undefined,
      network,
      externalId: undefined,
      tags: [],
      requester: this.#requester,
      requestBody: { network },
      dateCreated: isoNow(this.#world),
      status: "Creating",
    };
    await this.#database.transaction(async (connection) => {
      await insertKey(connection, key);
      await insertWallet(connection, wallet);
      await enqueue(connection, dueKey(key));
    });
    return wallet.id;
  }

  /** @returns undefined while it has no key */
  async readWallet(id: WalletId): Promise<ChainWallet | undefined> {
    const wallet = await readWallet(this.#database, id);
    return wallet !== undefined && isChainWallet(wallet) ? wallet : undefined;
  }

  /** Accepts a transfer: its row, its event, and that it is due. It tries again while the database is away. */
  async accept(wallet: ChainWallet, { to, amount }: AskedTransfer): Promise<Transfer> {
    const transfer = this.#newTransfer(wallet, { kind: "Native", to, amount: amount.toString() });
    while (!(await this.#isStored(transfer))) await this.#world.sleep(AGAIN_MS);
    return transfer;
  }

  /** @returns false while the database is away */
  async #isStored(transfer: Transfer): Promise<boolean> {
    try {
      await this.#database.transaction(async (connection) => {
        await insertChainRequest(connection, transfer);
        await recordEvents(connection, [chainRequestRequested(transfer)]);
        await enqueue(connection, dueChainRequest(transfer, transfer.walletId));
      });
      return true;
    } catch (error) {
      if (error instanceof Outage) return false;
      throw error;
    }
  }

  #newKey(): CreatingKey {
    const { roster, authority } = this.#parts;
    const id = this.#world.freshId(keyIdSchema, "key");
    const date = isoNow(this.#world);
    const content: AuthorisedKey = {
      version: 1,
      kind: "key",
      orgId: this.#organisation,
      keyId: id,
      threshold: roster.threshold,
      scheme: "ECDSA",
      curve: "secp256k1",
      policy: allowWithoutPolicies(date),
      dateRequested: date,
    };
    return {
      id,
      orgId: this.#organisation,
      name: undefined,
      scheme: "ECDSA",
      origin: "generated",
      requester: this.#requester,
      authorisation: authority.authorise(this.#dated(content)),
      isDelegable: false,
      delegatedTo: undefined,
      dateCreated: date,
      status: "Creating",
    };
  }

  #newTransfer(
    wallet: ChainWallet,
    body: Transfer["requestBody"] & AuthorisedTransfer["transfer"],
  ): Transfer {
    const id = this.#world.freshId(transferIdSchema, "xfr");
    const date = isoNow(this.#world);
    const policy = allowWithoutPolicies(date);
    const content: AuthorisedTransfer = {
      version: 2,
      cosigners: [],
      kind: "transfer",
      requestId: id,
      orgId: this.#organisation,
      walletId: wallet.id,
      keyId: wallet.keyId,
      network: wallet.network,
      transfer: body,
      policy,
      dateRequested: date,
    };
    return sampleTransfer(wallet, {
      id,
      requestBody: body,
      policyDecision: policy,
      authorisation: this.#parts.authority.authorise(this.#dated(content)),
      dateRequested: date,
      datePolicyResolved: date,
    });
  }

  #dated(content: object): object {
    return { ...content, cluster: this.#parts.roster.clusterId, dateAuthorised: isoNow(this.#world) };
  }
}

const verify = (signature: Uint8Array, message: Uint8Array, identityKey: string): boolean =>
  verifyEd25519(signature, message, new Uint8Array(Buffer.from(identityKey, "hex")));
