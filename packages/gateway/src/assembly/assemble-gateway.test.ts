import { generateKeyPairSync, sign } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { inspect } from "node:util";
import { FAMILIES } from "@conclave/chains";
import { makeNodeRegistry } from "@conclave/chains/node";
import { openMemoryChain, SEPOLIA } from "@conclave/chains/testing";
import { openVirtualWorld, type VirtualWorld } from "@conclave/cluster/testing";
import {
  attestationBytes,
  fail,
  type KeyAttestation,
  keyIdSchema,
  NO_PRICES,
  networkSchema,
  organisationIdSchema,
  type Result,
  statementBytes,
  tokenIdSchema,
  userIdSchema,
} from "@conclave/custody";
import {
  bootstrapOrganisation,
  insertAttestedKey,
  makeLogger,
  makeMetrics,
  makeWebhookKey,
  migrate,
  webhookSecretsOf,
} from "@conclave/platform";
import { type MemoryStore, openMemoryBroker, openMemoryStore } from "@conclave/platform/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createTransfer } from "../chain-request/create-transfer.ts";
import { proxiesSchema } from "../http/caller-address.ts";
import { NO_IDENTITY_PROVIDERS } from "../login/identity-provider/identity-providers.ts";
import type { Viewer } from "../people/viewer.ts";
import { createWallet } from "../wallet/create-wallet.ts";
import { assembleGateway } from "./assemble-gateway.ts";
import type { GatewayParts } from "./parts.ts";

const START_MS = Date.parse("2030-01-01T00:00:00.000Z");
const NETWORK = networkSchema.parse(SEPOLIA.network);
const ENTRY = {
  ...SEPOLIA,
  network: NETWORK,
  rpcUrl: "http://127.0.0.1:1",
  confirmations: 1,
  feeBumps: { afterBlocks: 2, most: 1, cap: "100000000000" },
};
/** the generator of secp256k1, and its address on EVM chains */
const PUBLIC_KEY = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
const ADDRESS = "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf";
const RECIPIENT = "0x2B5AD5c4795c026514f8317c7a215E218DcCD6cF";

const identities = [1, 2, 3].map((index) => ({ index, ...generateKeyPairSync("ed25519") }));
const ROSTER: GatewayParts["roster"] = {
  clusterId: "test",
  threshold: 2,
  parameters: "INSECURE-TEST",
  authorityKey: "00".repeat(32),
  signers: identities.map(({ index, publicKey }) => {
    const { x = "" } = publicKey.export({ format: "jwk" });
    return {
      index,
      id: `signer-${index}`,
      address: `127.0.0.1:${index}`,
      identityKey: Buffer.from(x, "base64url").toString("hex"),
      encryptionKey: "00".repeat(32),
    };
  }),
};

const absent = (): Promise<never> => Promise.reject(new Error("this world has no such part"));
const SETTINGS: Omit<
  GatewayParts,
  "world" | "metrics" | "nodes" | "openDatabase" | "prepareDatabase" | "connectBus"
> = {
  roster: ROSTER,
  networks: [ENTRY],
  families: FAMILIES,
  prices: NO_PRICES,
  authorityKey: generateKeyPairSync("ed25519").privateKey,
  tokens: {
    verify: async () => fail("TokenInvalid"),
    issuer: { bearer: absent, challenge: absent, read: absent },
    actions: { issue: absent, read: absent },
  },
  decoys: () => [],
  identityProviders: NO_IDENTITY_PROVIDERS,
  webhooks: { secrets: webhookSecretsOf(makeWebhookKey()), send: absent, allowPrivateAddresses: true },
  relyingParties: [{ id: "localhost", origin: "http://localhost:8080" }],
  pageOrigins: [],
  proxies: proxiesSchema.parse(""),
  userActionsRequired: false,
  requestsPerMinute: undefined,
  logger: makeLogger({ name: "gateway", level: "silent" }),
};

let migrated: MemoryStore;
let copy: Blob;
beforeAll(async () => {
  const world = openVirtualWorld(START_MS, "migrations");
  migrated = await openMemoryStore(world);
  await migrate(migrated.connect(world));
  copy = await migrated.copy();
});
afterAll(() => migrated?.close());

const must = <T>(result: Result<T>): T => (result.ok ? result.value : expect.fail(result.problem.message));

/** The parts of a gateway over a database, a bus and a chain in memory, with an organisation and its administrator. */
const openWorld = (world: VirtualWorld, store: MemoryStore) => {
  const chain = openMemoryChain({ world, chainId: SEPOLIA.chainId });
  const orgId = world.freshId(organisationIdSchema, "or");
  const userId = world.freshId(userIdSchema, "us");
  const caller: Viewer = { orgId, userId, tokenKind: "Token", tokenId: world.freshId(tokenIdSchema, "to") };
  const statements: string[] = [];
  const parts: GatewayParts = {
    ...SETTINGS,
    world,
    metrics: makeMetrics("gateway"),
    nodes: makeNodeRegistry({ Evm: (entry) => chain.connect(entry) }),
    openDatabase: ({ announce }) =>
      store.connect({
        freshId: world.freshId,
        announce,
        fate: (text, values) => {
          statements.push(`${world.nowMs()} ${text} ${inspect(values)}`);
          return undefined;
        },
      }),
    prepareDatabase: (database) =>
      bootstrapOrganisation(
        world,
        database,
        { id: orgId, name: "Acme" },
        { users: [{ orgId, userId, username: "admin" }], serviceAccounts: [] },
      ),
    connectBus: async () => openMemoryBroker(world).connect(),
  };
  return { world, parts, caller, statements, observer: store.connect(world) };
};
type MemoryWorld = ReturnType<typeof openWorld>;

/** Lets virtual time pass until a promise is settled. */
const passing = async <T>({ world }: Pick<MemoryWorld, "world">, promise: Promise<T>): Promise<T> => {
  let isSettled = false;
  const settled = promise.finally(() => {
    isSettled = true;
  });
  settled.catch(() => undefined);
  for (await turn(); !isSettled; await turn()) world.step(Number.MAX_SAFE_INTEGER);
  return settled;
};

const dueKeySchema = z.object({ id: keyIdSchema }).transform(({ id }) => id);

/** Does the work of orchestrator and signers: waits for the due key, and reports that all signers made it. */
const makeKey = async ({ world, caller, observer }: MemoryWorld): Promise<void> => {
  const due = () => observer.rows(dueKeySchema, "select id from due_requests where kind = 'key'");
  let [keyId] = await due();
  for (; keyId === undefined; [keyId] = await due()) await world.sleep(10);
  const made = { keyId, scheme: "ECDSA", publicKey: PUBLIC_KEY } as const;
  const cluster = { cluster: ROSTER.clusterId, threshold: ROSTER.threshold, total: ROSTER.signers.length };
  const date = new Date(world.nowMs()).toISOString();
  const attestations = identities.map(({ index: signer, privateKey }): KeyAttestation => {
    const signed = (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, privateKey));
    const stated = { ...cluster, ...made, orgId: caller.orgId, origin: "generated", date, signer } as const;
    const statement = statementBytes(stated);
    return { signature: signed(attestationBytes(made)), stated: { statement, signature: signed(statement) } };
  });
  await observer.transaction((connection) => insertAttestedKey(connection, { ...made, attestations }));
};

/** Has a gateway make a wallet and accept a transfer by its use cases, and stops it. */
const payOnce = async (seed: string) => {
  const timed = openVirtualWorld(START_MS, seed);
  const store = await openMemoryStore(timed, copy);
  onTestFinished(() => store.close());
  const opened = openWorld(timed, store);
  const { parts, caller, world, statements } = opened;
  const gateway = await passing(opened, assembleGateway(parts));
  const creating = createWallet(gateway.dependencies, caller, { network: NETWORK });
  await passing(opened, makeKey(opened));
  const wallet = must(await passing(opened, creating));
  const body = { kind: "Native", to: RECIPIENT, amount: "5" } as const;
  const accepting = createTransfer(gateway.dependencies, caller, wallet.id, body);
  const transfer = must(await passing(opened, accepting));
  await passing(opened, gateway.stop());
  return { ...opened, wallet, transfer, isOver: !world.step(Number.MAX_SAFE_INTEGER), statements };
};

describe("a gateway in a virtual world", () => {
  it("activates a wallet and accepts a transfer without a server, and leaves no loop when it stops", async () => {
    const { wallet, transfer, isOver } = await payOnce("a payment");
    expect(wallet).toMatchObject({ status: "Active", network: NETWORK, address: ADDRESS });
    expect(transfer).toMatchObject({ status: "Pending", walletId: wallet.id, requestBody: { amount: "5" } });
    expect(isOver).toBe(true);
  });

  it("sends the same statements at the same times for the same seed", async () => {
    const [first, again] = [await payOnce("a seed"), await payOnce("a seed")];
    expect(first.statements.length).toBeGreaterThan(20);
    expect(again.statements).toEqual(first.statements);
  });
});

describe("a gateway that cannot start", () => {
  /** Starts a gateway whose parts note their end. @param change makes it fail */
  const failing = async (change: (parts: GatewayParts) => Partial<GatewayParts>) => {
    const opened = openWorld(openVirtualWorld(START_MS, "a failure"), migrated);
    const closed: string[] = [];
    const noted = (name: string) => async (): Promise<void> => void closed.push(name);
    const reader = { signature: absent, networkOf: absent, transaction: absent, act: absent };
    const noting: GatewayParts = {
      ...opened.parts,
      openDatabase: (listeners) => ({ ...opened.parts.openDatabase(listeners), close: noted("database") }),
      connectBus: async () => ({ ...(await opened.parts.connectBus()), close: noted("bus") }),
      reader: { reader, begin: async () => undefined, stop: noted("reader") },
    };
    const starting = assembleGateway({ ...noting, ...change(noting) });
    const error = await passing(
      opened,
      starting.catch((reason: unknown) => reason),
    );
    return { error, closed, isOver: !opened.world.step(Number.MAX_SAFE_INTEGER) };
  };
  const REFUSED = new Error("refused");
  const refuse = (): Promise<never> => Promise.reject(REFUSED);

  it("for want of a node closes all that was opened, in the reverse order", async () => {
    const { error, closed, isOver } = await failing(() => ({
      nodes: {
        connect: () => {
          throw REFUSED;
        },
      },
    }));
    expect(error).toBe(REFUSED);
    expect(closed).toEqual(["bus", "database", "reader"]);
    expect(isOver).toBe(true);
  });

  it("for want of a reader opens no database, and migrates nothing", async () => {
    const { error, closed } = await failing(({ reader }) => ({
      reader: reader && { ...reader, begin: refuse },
    }));
    expect(error).toBe(REFUSED);
    expect(closed).toEqual(["reader"]);
  });

  it("waits for no part that does not end, and throws the first error", async () => {
    const { error, isOver } = await failing(({ openDatabase, connectBus }) => ({
      openDatabase: (listeners) => ({
        ...openDatabase(listeners),
        close: () => new Promise(() => undefined),
      }),
      connectBus: () => connectBus().then(refuse),
    }));
    expect([error, isOver]).toEqual([REFUSED, true]);
  });
});
