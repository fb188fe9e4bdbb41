import { createHash, generateKeyPairSync, verify } from "node:crypto";
import { FAMILIES, makeRegistry } from "@conclave/chains";
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
  authorisedActSchema,
  type ChainRequestEvent,
  deadTransactionsSchema,
  fail,
  type KeyId,
  type KeyScheme,
  keyIdSchema,
  networkSchema,
  type OrganisationId,
  organisationIdSchema,
  transferIdSchema,
  userIdSchema,
} from "@conclave/custody";
import {
  askForDeathStatement,
  changeChainRequest,
  changeKey,
  freshId,
  insertKey,
  insertOrganisation,
  lockChainRequest,
  makeLogger,
  readDeathStatement,
  readTransfer,
} from "@conclave/platform";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeAuthority } from "../authority.ts";
import { errorOf, transferOf, walletOf } from "../testing/bodies.ts";
import { CLUSTER, startWorld, type World } from "../testing/world.ts";
import { answerAll, type DeathStatements } from "./death-statements.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const COSMOS = networkSchema.parse("CosmosIcsTestnet");
const TO = `toy1${"ab".repeat(20)}`;
const account = testAccount(TEST_SECRET_KEY);
const edwards = testEdwardsKey("07".repeat(32));
const cosigner = freshId(keyIdSchema, "key");

let world: World;
let chain: ToyChain;
let transfers: string;
let parts: DeathStatements;
const authority = generateKeyPairSync("ed25519");

const network: ToyNetwork = { network: COSMOS, family: "Cosmos", cosigner, feeCap: "100" };

beforeEach(async () => {
  chain = new ToyChain(Date.parse(DATE));
  const node = toyNode(network, chain);
  const family = makeRegistry([TOY_FAMILY]).familyOf(COSMOS);
  world = await startWorld({ further: { family, node } });
  const keyId = await enterKey("ECDSA", account.publicKey, world.caller.orgId);
  const made = await world.call("POST", "/wallets", { network: COSMOS, signingKey: { id: keyId } });
  transfers = `/wallets/${walletOf(made.body).id}/transfers`;
  parts = {
    database: world.database,
    families: makeRegistry([...FAMILIES.families, TOY_FAMILY]),
    chains: new Map([[COSMOS, node]]),
    authority: makeAuthority(authority.privateKey, CLUSTER, () => new Date()),
    now: () => new Date(DATE),
    logger: makeLogger({ name: "test", level: "silent" }),
  };
});
afterEach(() => world.stop());

const enterKey = async (
  scheme: KeyScheme,
  publicKey: Uint8Array,
  orgId: OrganisationId,
  id: KeyId = freshId(keyIdSchema, "key"),
): Promise<KeyId> => {
  await world.database.transaction(async (connection) => {
    await insertKey(connection, {
      id,
      orgId,
      name: undefined,
      scheme,
      origin: "generated",
      requester: { userId: freshId(userIdSchema, "us") },
      authorisation: { payload: new Uint8Array(1), signature: new Uint8Array(64) },
      isDelegable: false,
      delegatedTo: undefined,
      dateCreated: DATE,
      status: "Creating",
    });
    const digits = Buffer.from(publicKey).toString("hex");
    await changeKey(connection, id, {
      kind: "Activated",
      publicKey: digits,
      addresses: new Map(),
      date: DATE,
    });
  });
  return id;
};
const enterCosigner = () => enterKey("FROST-Ed25519", edwards.publicKey, world.caller.orgId, cosigner);
const send = () => world.call("POST", transfers, { kind: "Native", to: TO, amount: "5" });

describe("a transfer of a further family", () => {
  it("is authorised with its cosigner, in the words of its family", async () => {
    await enterCosigner();
    const { status, body } = await send();
    expect(status).toBe(200);
    const stored = await readTransfer(world.database, transferIdSchema.parse(transferOf(body).id));
    const text = Buffer.from(stored?.authorisation?.payload ?? expect.fail()).toString("utf8");
    expect(authorisedActSchema.parse(JSON.parse(text))).toMatchObject({
      version: 2,
      network: COSMOS,
      cosigners: [cosigner],
      transfer: { kind: "Native", to: TO, amount: "5" },
    });
  });

  it("INV-11 is refused when its cosigner is a stranger's key, or none", async () => {
    expect(errorOf((await send()).body).details.code).toBe("KeyNotFound");
    const stranger = freshId(organisationIdSchema, "or");
    await insertOrganisation(world.database, { id: stranger, name: "Other", dateCreated: DATE });
    await enterKey("FROST-Ed25519", edwards.publicKey, stranger, cosigner);
    expect(errorOf((await send()).body).details.code).toBe("KeyNotFound");
  });

  it("is refused when its cosigner has the scheme of the wallet's own key", async () => {
    await enterKey("ECDSA", testAccount("11".repeat(32)).publicKey, world.caller.orgId, cosigner);
    expect(errorOf((await send()).body).details.code).toBe("KeySchemeMismatch");
  });

  it.each([
    ["TransferKindNotSupported", { kind: "Erc20", contract: TO, to: TO, amount: "5" }],
    ["AddressInvalid", { kind: "Native", to: "0x00", amount: "5" }],
    ["AmountInvalid", { kind: "Native", to: TO, amount: "0" }],
  ])("is refused with %s by its family", async (code, body) => {
    await enterCosigner();
    expect(errorOf((await world.call("POST", transfers, body)).body).details.code).toBe(code);
  });
});

describe("the authority's word on dead transactions", () => {
  beforeEach(() => enterCosigner());

  /** A transfer that an orchestrator has signed and broadcast, and its unsigned bytes. */
  const signedTransfer = async () => {
    const id = transferIdSchema.parse(transferOf((await send()).body).id);
    const stored = (await readTransfer(world.database, id)) ?? expect.fail("it is gone");
    const act = authorisedActSchema.parse(
      JSON.parse(Buffer.from(stored.authorisation?.payload ?? "").toString("utf8")),
    );
    const built = await toyNode(network, chain).build({
      sender: TOY_FAMILY.addressOf(COSMOS, account.publicKey),
      keys: [account.publicKey, edwards.publicKey],
      act,
      priority: undefined,
      sequencing: { kind: "next", lowest: 0n },
    });
    const { unsigned } = built.ok ? built.value : expect.fail(built.problem.message);
    const read = TOY_FAMILY.read(network, unsigned, act);
    const { signables } = read.ok ? read.value : expect.fail(read.problem.message);
    const signatures = signables.map(({ scheme, bytes }) =>
      scheme === "CGGMP24" ? account.sign(bytes) : edwards.sign(bytes),
    );
    const attached = TOY_FAMILY.attach(unsigned, signatures, [account.publicKey, edwards.publicKey]);
    const { signed, txHash } = attached.ok ? attached.value : expect.fail(attached.problem.message);
    const written: ChainRequestEvent = {
      kind: "Built",
      sequence: undefined,
      exclusion: new Uint8Array(1),
      unsignedTransaction: unsigned,
      details: {},
    };
    const events: readonly ChainRequestEvent[] = [
      { kind: "Begun" },
      written,
      // a wrong hash: the orchestrator writes it, so the gateway must compute the hash itself
      { kind: "Signed", unsignedTransaction: unsigned, signedTransaction: signed, txHash: "ff".repeat(32) },
      { kind: "Broadcasted", date: DATE },
    ];
    await world.database.transaction(async (connection) => {
      for (const event of events) {
        const request = (await lockChainRequest(connection, id)) ?? expect.fail("it is gone");
        expect((await changeChainRequest(connection, request, event)).ok).toBe(true);
      }
    });
    return { id, unsigned, signed, txHash };
  };
  const ask = (id: string, transactions = 1) =>
    world.database.transaction((connection) =>
      askForDeathStatement(connection, transferIdSchema.parse(id), transactions),
    );

  it("INV-4 is signed once the gateway's own node finds the transaction dead", async () => {
    const { id, unsigned } = await signedTransfer();
    chain.mine(3, TOY_WINDOW_MS);
    await ask(id);
    expect(await answerAll(parts)).toBe(1);
    const { statement } = (await readDeathStatement(world.database, id, 1)) ?? expect.fail("nobody asked");
    const { payload, signature } = statement ?? expect.fail("nothing was said");
    expect(verify(null, payload, authority.publicKey, signature)).toBe(true);
    expect(deadTransactionsSchema.parse(JSON.parse(Buffer.from(payload).toString("utf8")))).toMatchObject({
      requestId: id,
      network: COSMOS,
      transactions: [createHash("sha256").update(unsigned).digest("hex")],
    });
    expect(await answerAll(parts)).toBe(0);
  });

  it("INV-4 is not given to an orchestrator that lies about a transaction in its window, or on the chain", async () => {
    const { id, signed } = await signedTransfer();
    await ask(id);
    await answerAll(parts);
    expect(await readDeathStatement(world.database, id, 1)).toBeUndefined();
    chain.take(signed);
    chain.mine(1);
    chain.mine(3, TOY_WINDOW_MS);
    await ask(id);
    await answerAll(parts);
    expect(await readDeathStatement(world.database, id, 1)).toBeUndefined();
  });

  it("INV-4 is about all transactions of the request, or about none", async () => {
    const { id } = await signedTransfer();
    chain.mine(3, TOY_WINDOW_MS);
    await ask(id, 2);
    await answerAll(parts);
    expect(await readDeathStatement(world.database, id, 2)).toBeUndefined();
  });

  it("does not wait behind questions that nobody can answer now", async () => {
    const asked = [await signedTransfer(), await signedTransfer(), await signedTransfer()];
    chain.mine(3, TOY_WINDOW_MS);
    for (const { id } of asked) await ask(id);
    const node = parts.chains.get(COSMOS) ?? expect.fail("it is served");
    let looks = 0;
    const fateOf: typeof node.fateOf = (sender, transactions) => {
      looks += 1;
      return looks === 1 ? Promise.resolve(fail("ServiceUnavailable")) : node.fateOf(sender, transactions);
    };
    const chains = new Map([[COSMOS, { fateOf }]]);
    expect(await answerAll({ ...parts, chains }, 1)).toBe(2);
    expect(await answerAll(parts, 1)).toBe(1);
  });

  it("waits while the gateway's node is away", async () => {
    const { id } = await signedTransfer();
    chain.mine(3, TOY_WINDOW_MS);
    await ask(id);
    chain.isAway = true;
    expect(await answerAll(parts)).toBe(0);
    expect((await readDeathStatement(world.database, id, 1))?.statement).toBeUndefined();
    chain.isAway = false;
    expect(await answerAll(parts)).toBe(1);
  });
});
