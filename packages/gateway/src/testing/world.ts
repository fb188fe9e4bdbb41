import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { type ChainFamily, FAMILIES, makeRegistry } from "@conclave/chains";
import {
  assignmentIdSchema,
  hasAddresses,
  type KeyEvent,
  type KeyId,
  keyIdSchema,
  makePrices,
  networkSchema,
  type Operation,
  type OrganisationId,
  organisationIdSchema,
  permissionIdSchema,
  priceListSchema,
  tokenIdSchema,
  userIdSchema,
  type World as WorldPort,
} from "@conclave/custody";
import {
  attend,
  bootstrapOrganisation,
  type Caller,
  changeKey,
  type Database,
  FairTurns,
  freshId,
  insertAssignment,
  insertPermission,
  insertUser,
  issueToken,
  listWalletsOfKey,
  makeHealth,
  makeLogger,
  makeMetrics,
  makeSender,
  makeTokenVerifier,
  makeWebhookKey,
  migrate,
  Outage,
  openDatabase,
  processWorld,
  type Stoppable,
  signersListing,
  webhookSecretsOf,
} from "@conclave/platform";
import { freshDatabase, type PostgresServer, startPostgresServer } from "@conclave/platform/testing";
import { z } from "zod";
import { ADMISSION_LIMITS, type AdmissionLimits } from "../admission/limits.ts";
import { shareDatabase } from "../admission/shared-database.ts";
import { makeApplication } from "../application.ts";
import { makeAuthority } from "../authority.ts";
import type { Dependencies, ReadableChain } from "../dependencies.ts";
import { type CallerBindings, proxiesSchema } from "../http/caller-address.ts";
import type { PageOrigins } from "../http/page-origin.ts";
import { makeDecoys } from "../login/decoys.ts";
import {
  type IdentityProviders,
  NO_IDENTITY_PROVIDERS,
} from "../login/identity-provider/identity-providers.ts";
import { makeTokenIssuer } from "../token-issuer.ts";
import { makeActionTokens } from "../user-action/action-tokens.ts";
import { makeUserActions } from "../user-action/user-actions.ts";
import { readingOf } from "./reading.ts";
import { makeScriptedBus, type ScriptedBus } from "./scripted-bus.ts";
import { makeScriptedChain, type ScriptedChain } from "./scripted-chain.ts";
import { signScripted } from "./scripted-signatures.ts";

const HOUR_SECONDS = 3_600;
/**
 * How long a test's gateway waits for the scripted orchestrator: enough for a busy machine, and short for a test that
 * waits until the end.
 */
const SETTLEMENT_WAIT_MS = 5_000;
export const CLUSTER = "test";
export const PUBLIC_KEY = `02${"ab".repeat(32)}`;
export const ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** A gateway with a real database, an organisation, another organisation of a stranger, and a scripted orchestrator. */
export interface World {
  readonly database: Database;
  /** with the login of the tables' owner */
  readonly databaseUrl: string;
  /** the server of a world that has its own */
  readonly postgres: PostgresServer | undefined;
  readonly bus: ScriptedBus;
  /** of EthereumSepolia */
  readonly chain: ScriptedChain;
  readonly tokenKey: KeyObject;
  readonly authorityKey: KeyObject;
  /** the authority's private key */
  readonly authoritySigningKey: KeyObject;
  readonly caller: Caller;
  readonly token: string;
  readonly strangersToken: string;
  /** Calls the application; a body that is not text goes as JSON. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** Calls another gateway of this cluster, on the same database and bus. */
  readonly callBeside: World["call"];
  raw(path: string, init: RequestInit, bindings?: CallerBindings): Promise<Response>;
  /** Sets the orchestrator's outcome for keys; undefined: it does not answer. */
  script(event: ScriptedEvent | undefined): void;
  tokenFor(orgId: OrganisationId, lifetimeSeconds?: number): Promise<string>;
  /** Makes a token as the launcher does, without a row. */
  issue(caller: Caller): Promise<string>;
  /** Makes a token of another user of the same organisation with exactly these permissions. */
  tokenOf(operations: readonly Operation[]): Promise<{ readonly caller: Caller; readonly token: string }>;
  /** The total number of keys, wallets, transfers, events, outbox messages and due requests. */
  rows(): Promise<number>;
  /** Moves the clock by which user actions expire. */
  advance(ms: number): void;
  /** Sets the gateway's clock ahead of the database's. */
  setAhead(ms: number): void;
  stop(): Promise<void>;
}

const RELYING_PARTY = { id: "localhost", origin: "http://localhost:8080" };

/** One ether costs 2000 dollars and 1800 euro; nothing else has a price. */
const PRICES = makePrices(
  priceListSchema(FAMILIES).parse([{ network: "EthereumSepolia", asset: "Native", EUR: 1800, USD: 2000 }]),
  FAMILIES,
);

/** Three signers, whose import keys are the generator of secp256k1, its double and its triple. */
const IMPORT_KEYS = [
  "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
  "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5",
  "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9",
];
const ROSTER = {
  clusterId: CLUSTER,
  threshold: 3,
  signers: IMPORT_KEYS.map((point, at) => ({
    index: at + 1,
    id: `signer-${at + 1}`,
    address: "127.0.0.1:1",
    identityKey: "",
    encryptionKey: "",
    importKey: `0102${point}`,
  })),
};

/** The outcome of a key; the scripted orchestrator uses one address for all chains. */
export type ScriptedEvent =
  | Omit<Extract<KeyEvent, { kind: "Activated" }>, "addresses">
  | Extract<KeyEvent, { kind: "GenerationFailed" }>;

export const ACTIVATED: ScriptedEvent = {
  kind: "Activated",
  publicKey: PUBLIC_KEY,
  date: "2026-01-02T03:04:05.678Z",
};

export interface WorldOptions {
  /** none by default */
  readonly identityProviders?: IdentityProviders;
  readonly userActionsRequired?: boolean;
  readonly pageOrigins?: PageOrigins;
  readonly requestsPerMinute?: number;
  readonly admission?: Partial<AdmissionLimits>;
  readonly allowPrivateAddresses?: boolean;
  /** whether the world has its own PostgreSQL, which a test may stop */
  readonly ownPostgres?: boolean;
  /** opens the application's database, if not directly */
  readonly reach?: (url: string) => Promise<Database>;
  /** how long a request waits for the orchestrator */
  readonly settlementWaitMs?: number;
  /** wraps the application's database */
  readonly wrapDatabase?: (database: Database) => Database;
  /** a network of another family, besides EthereumSepolia */
  readonly further?: { readonly family: ChainFamily; readonly node: ReadableChain };
}

interface WorldParts {
  readonly database: Database;
  readonly bus: ReturnType<typeof makeScriptedBus>;
  readonly chain: ReturnType<typeof makeScriptedChain>;
  readonly token: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly authority: KeyObject;
  readonly clock: { readonly offsetMs: number; readonly apartMs: number };
}

/** The parts of a world that have keys: verifier and issuer of tokens, user actions, and the authority. */
const identitiesOf = (
  database: Database,
  { token, authority, clock }: Pick<WorldParts, "token" | "authority" | "clock">,
): Pick<Dependencies, "verifyToken" | "authority" | "userActions" | "issuer" | "decoys"> => {
  const later: WorldPort = { ...processWorld, nowMs: () => clock.offsetMs + processWorld.nowMs() };
  const ours = { key: token.privateKey, clusterId: CLUSTER, world: later };
  return {
    verifyToken: makeTokenVerifier({ key: token.publicKey, clusterId: CLUSTER, now: () => new Date() }),
    authority: makeAuthority(authority, CLUSTER, () => new Date()),
    userActions: makeUserActions({ database, tokens: makeActionTokens(ours), world: later }),
    issuer: makeTokenIssuer(ours),
    decoys: makeDecoys(processWorld, token.privateKey, RELYING_PARTY),
  };
};

/** The dependencies of a world's application. */
const dependenciesOf = (
  options: WorldOptions,
  { database: whole, bus, chain, token, authority, clock }: WorldParts,
): Dependencies => {
  const limits = { ...ADMISSION_LIMITS, ...options.admission };
  const further: readonly ReadableChain[] = options.further === undefined ? [] : [options.further.node];
  const families =
    options.further === undefined ? FAMILIES : makeRegistry([...FAMILIES.families, options.further.family]);
  const chains = new Map([chain, ...further].map((node) => [node.network.network, node]));
  const { database, onBehalfOf } = shareDatabase(
    options.wrapDatabase?.(whole) ?? whole,
    processWorld,
    limits,
  );
  const allowPrivateAddresses = options.allowPrivateAddresses ?? true;
  return {
    database,
    onBehalfOf,
    keyTurns: new FairTurns(processWorld, limits.keys),
    contractTurns: new FairTurns(processWorld, limits.contracts),
    bus,
    ...identitiesOf(database, { token, authority, clock }),
    identityProviders: options.identityProviders ?? NO_IDENTITY_PROVIDERS,
    relyingParties: [RELYING_PARTY],
    pageOrigins: options.pageOrigins ?? [],
    proxies: proxiesSchema.parse(""),
    userActionsRequired: options.userActionsRequired ?? false,
    signers: signersListing(ROSTER),
    roster: ROSTER,
    requestsPerMinute: options.requestsPerMinute,
    admission: limits,
    webhooks: {
      secrets: webhookSecretsOf(makeWebhookKey()),
      send: makeSender({ allowPrivateAddresses }),
      allowPrivateAddresses,
    },
    threshold: 3,
    networks: [chain, ...further].map(({ network }) => networkSchema.parse(network.network)),
    prices: PRICES,
    families,
    chains,
    reading: readingOf(chains, families, limits),
    world: processWorld,
    now: () => new Date(),
    databaseClock: {
      get aheadMs() {
        return clock.apartMs;
      },
    },
    logger: makeLogger({ name: "gateway", level: "silent" }),
    metrics: makeMetrics("gateway"),
    health: makeHealth([
      { name: "database", check: async () => (await database.execute("select 1")) === 1 },
      { name: "message bus", check: bus.connected, isSpared: true },
    ]),
    settlementWaitMs: options.settlementWaitMs ?? SETTLEMENT_WAIT_MS,
    stopping: new AbortController().signal,
  };
};

const callerOf = (orgId: OrganisationId): Caller => ({
  orgId,
  userId: freshId(userIdSchema, "us"),
  tokenKind: "Token",
  tokenId: freshId(tokenIdSchema, "to"),
});

/** Adds an organisation with an administrator. */
const enterAdministrator = async (database: Database): Promise<Caller> => {
  const caller = callerOf(freshId(organisationIdSchema, "or"));
  const { orgId, userId } = caller;
  const users = [{ orgId, userId, username: "admin" }];
  await bootstrapOrganisation(
    processWorld,
    database,
    { id: orgId, name: "Acme" },
    { users, serviceAccounts: [] },
  );
  return caller;
};

/** Calls the application with a token and JSON. */
const callerTo =
  (raw: World["raw"], token: string): World["call"] =>
  async (method, path, body, headers = {}) => {
    const answer = await raw(path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json(), headers: answer.headers };
  };

/** A database whose announcements are delivered in this process. */
const openAudible = (url: string) => {
  const bells = new Set<() => void>();
  const announce = () => {
    for (const ring of bells) ring();
  };
  const hear = (ring: () => void): Stoppable => {
    bells.add(ring);
    return { stop: () => void bells.delete(ring) };
  };
  return { database: openDatabase({ url, name: "gateway", announce }), hear };
};

/** A database of the shared server, or of a server that a test may stop. */
const openOwn = async (isOwnServer: boolean) => {
  const postgres = isOwnServer ? await startPostgresServer() : undefined;
  const url = postgres === undefined ? await freshDatabase() : (await postgres.createDatabase()).url;
  const opened = openAudible(url);
  if (postgres !== undefined) await migrate(opened.database);
  return { postgres, url, ...opened };
};

export const startWorld = async (options: WorldOptions = {}): Promise<World> => {
  const clock = { offsetMs: 0, apartMs: 0 };
  const { postgres, url, database, hear } = await openOwn(options.ownPostgres === true);
  const token = generateKeyPairSync("ed25519");
  const authority = generateKeyPairSync("ed25519");
  const bus = makeScriptedBus();
  const chain = makeScriptedChain();
  const orchestrator = startScriptedOrchestrator(database, bus, hear);
  const reached = (await options.reach?.(url)) ?? database;
  const parts = { database: reached, bus, chain, token, authority: authority.privateKey, clock };
  const app = makeApplication(dependenciesOf(options, parts));
  const beside = makeApplication(dependenciesOf(options, parts));
  const issue = (caller: Caller, lifetimeSeconds = HOUR_SECONDS) =>
    issueToken(token.privateKey, {
      clusterId: CLUSTER,
      caller,
      username: "test",
      issuedAt: new Date(),
      lifetimeSeconds,
    });
  const caller = await enterAdministrator(database);
  const ownToken = await issue(caller);
  const raw: World["raw"] = async (path, init, bindings) => app.request(path, init, bindings);
  return {
    database,
    databaseUrl: url,
    postgres,
    bus,
    chain,
    tokenKey: token.privateKey,
    authorityKey: authority.publicKey,
    authoritySigningKey: authority.privateKey,
    caller,
    token: ownToken,
    strangersToken: await issue(await enterAdministrator(database)),
    raw,
    call: callerTo(raw, ownToken),
    callBeside: callerTo(async (path, init) => beside.request(path, init), ownToken),
    script: orchestrator.script,
    issue: (whom) => issue(whom),
    tokenFor: (orgId, lifetimeSeconds) => issue(callerOf(orgId), lifetimeSeconds),
    tokenOf: async (operations) => {
      const limited = callerOf(caller.orgId);
      await enterUser(database, limited, operations);
      return { caller: limited, token: await issue(limited) };
    },
    rows: () => countRows(database),
    advance: (ms) => {
      clock.offsetMs += ms;
    },
    setAhead: (ms) => {
      clock.apartMs = ms;
    },
    stop: async () => {
      await orchestrator.stop();
      for (const each of new Set([reached, database])) await each.close();
      await postgres?.stop();
    },
  };
};

/** Adds a user with exactly these operations. */
const enterUser = async (
  database: Database,
  { orgId, userId }: Caller,
  operations: readonly Operation[],
): Promise<void> => {
  const dateCreated = new Date().toISOString();
  const permissionId = freshId(permissionIdSchema, "pm");
  await insertUser(database, {
    id: userId,
    orgId,
    username: userId,
    name: userId,
    kind: "CustomerEmployee",
    isServiceAccount: false,
    isRegistered: true,
    isActive: true,
    externalId: undefined,
    dateCreated,
    dateArchived: undefined,
  });
  await insertPermission(database, {
    id: permissionId,
    orgId,
    name: permissionId,
    operations,
    grantsEverything: false,
    isImmutable: false,
    isArchived: false,
    dateCreated,
    dateUpdated: dateCreated,
  });
  await insertAssignment(database, {
    id: freshId(assignmentIdSchema, "as"),
    orgId,
    permissionId,
    identityId: userId,
    isImmutable: false,
    dateCreated,
    dateUpdated: dateCreated,
  });
};

const dueSchema = z.object({ id: z.string(), kind: z.string() });
const TAKE_NEW = "update due_requests set attempts = 1 where attempts = 0 returning id, kind";

/** Settles requests by a script, once each; settled ones stay due, for tests to read. */
const startScriptedOrchestrator = (
  database: Database,
  bus: ScriptedBus,
  hear: (ring: () => void) => Stoppable,
) => {
  let scripted: ScriptedEvent | undefined = ACTIVATED;
  const carryOut = async ({ id, kind }: z.output<typeof dueSchema>): Promise<void> => {
    if (scripted === undefined) return;
    if (kind === "signature") bus.settle(await signScripted(database, id));
    if (kind === "transaction") bus.settle(id);
    if (kind !== "key") return;
    await settle(database, keyIdSchema.parse(id), scripted);
    bus.settle(id);
  };
  const work = attend({
    world: processWorld,
    hear,
    round: async () => {
      const due = await database.rows(dueSchema, TAKE_NEW);
      for (const request of due) await carryOut(request);
      return due.length;
    },
    // while a test has stopped the database, it waits until that is back
    onFailure: (error) => {
      if (!(error instanceof Outage)) throw error;
    },
  });
  return {
    stop: () => work.stop(),
    script: (event: ScriptedEvent | undefined) => {
      scripted = event;
    },
  };
};

const settle = (database: Database, keyId: KeyId, event: ScriptedEvent) =>
  database.transaction(async (connection) => {
    const networks = (await listWalletsOfKey(connection, keyId)).map(({ network }) => network);
    const addresses = new Map(networks.filter(hasAddresses).map((network) => [network, ADDRESS]));
    const whole: KeyEvent = event.kind === "Activated" ? { ...event, addresses } : event;
    const changed = await changeKey(connection, keyId, whole);
    if (!changed.ok) throw new Error(changed.problem.message);
  });

const countRows = async (database: Database): Promise<number> => {
  const [row] = await database.rows(
    z.object({ total: z.string() }),
    `select (select count(*) from keys) + (select count(*) from wallets) + (select count(*) from chain_requests)
       + (select count(*) from events) + (select count(*) from outbox) + (select count(*) from due_requests) as total`,
  );
  return Number(row?.total);
};
