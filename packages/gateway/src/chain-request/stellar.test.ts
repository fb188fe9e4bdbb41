import { FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import {
  STELLAR_KEY,
  STELLAR_RECIPIENT,
  STELLAR_SENDER,
  STELLAR_TESTNET,
  STELLAR_TOKEN,
  type StellarOperation,
  StubHorizon,
  stellarBytes,
  testEdwardsKey,
} from "@conclave/chains/testing";
import {
  authorisedActSchema,
  authorisedSignatureSchema,
  type KeyId,
  networkSchema,
  signatureIdSchema,
  stellarAddress,
  transferIdSchema,
  userIdSchema,
  walletIdSchema,
} from "@conclave/custody";
import {
  freshId,
  insertWallet,
  listSignatures,
  lockKey,
  readSignature,
  readTransfer,
} from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { activateKey } from "../testing/activate-key.ts";
import { errorOf, transferOf } from "../testing/bodies.ts";
import { approverOf } from "../testing/people.ts";
import { ACTIVATED, ADDRESS, startWorld, type World } from "../testing/world.ts";

const { network } = STELLAR_TESTNET;
const DATE = "2026-01-02T03:04:05.678Z";
const PUBLIC_KEY = Buffer.from(STELLAR_KEY.publicKey).toString("hex");

let world: World;
let horizon: StubHorizon;
let wallet: { readonly id: string; readonly address: string };
let path: string;

beforeAll(async () => {
  horizon = await StubHorizon.start();
  horizon.accounts.set(STELLAR_SENDER, {
    sequence: 100n,
    balance: 50_000_000n,
    trustlines: [{ ...STELLAR_TOKEN, balance: 2n ** 63n - 1n, limit: 2n ** 63n - 1n }],
  });
  const [entry] = FAMILIES.networksSchema.parse([{ ...STELLAR_TESTNET, horizonUrl: horizon.url }]);
  if (entry === undefined) throw new Error("the network is not enabled");
  world = await startWorld({ further: { family: FAMILIES.familyOf(network), node: NODES.connect(entry) } });
  const { body } = await world.call("POST", "/wallets", {
    network,
    signingKey: { id: await activateKey(world, "FROST-Ed25519", STELLAR_KEY.publicKey) },
  });
  wallet = z.object({ id: z.string(), address: z.string() }).parse(body);
  path = `/wallets/${wallet.id}`;
});
afterAll(async () => {
  await world.stop();
  await horizon.stop();
});

const codeOf = ({ status, body }: { readonly status: number; readonly body: unknown }) => [
  status,
  errorOf(body).details.code,
];
const ASSET = { issuer: STELLAR_TOKEN.issuer, assetCode: STELLAR_TOKEN.code };
const native = { kind: "Native", to: STELLAR_RECIPIENT, amount: "15000000", memo: "Invoice7" };
const sep41 = { kind: "Sep41", ...ASSET, to: STELLAR_RECIPIENT, amount: "5" };
const send = (body: object) => world.call("POST", `${path}/transfers`, body);

const actOf = async (body: unknown) => {
  const stored = await readTransfer(world.database, transferIdSchema.parse(transferOf(body).id));
  const text = Buffer.from(stored?.authorisation?.payload ?? expect.fail("it is not authorised")).toString();
  return authorisedActSchema.parse(JSON.parse(text));
};

describe("a wallet on Stellar", () => {
  it("has the address of its Ed25519 key", () => {
    expect(wallet.address).toBe(STELLAR_SENDER);
  });

  it("gets a key of FROST Ed25519 of its own", async () => {
    world.script({ kind: "Activated", publicKey: PUBLIC_KEY, date: DATE });
    const { status, body } = await world.call("POST", "/wallets", { network });
    world.script(ACTIVATED);
    expect([status, body]).toMatchObject([
      200,
      { network, signingKey: { scheme: "EdDSA", curve: "ed25519", publicKey: PUBLIC_KEY } },
    ]);
  });

  it.each([
    ["KeyFormatMismatch", { network, signingKey: { scheme: "ECDSA", curve: "secp256k1" } }],
    ["NetworkNotEnabled", { network: "Stellar" }],
  ])("INV-9 is refused with %s: %j", async (code, body) => {
    expect(codeOf(await world.call("POST", "/wallets", body))).toEqual([400, code]);
  });
});

describe("a transfer on Stellar", () => {
  it("of the native coin is authorised with its sender", async () => {
    const { status, body } = await send(native);
    expect([status, body]).toMatchObject([
      200,
      { network, status: "Pending", metadata: { asset: { symbol: "XLM", decimals: 7, verified: true } } },
    ]);
    expect(await actOf(body)).toMatchObject({
      version: 2,
      network,
      cosigners: [],
      transfer: {
        kind: "Native",
        from: STELLAR_SENDER,
        to: STELLAR_RECIPIENT,
        amount: "15000000",
        memo: { kind: "text", text: "Invoice7" },
      },
    });
  });

  it("of an asset shows what its name says of it", async () => {
    const { status, body } = await send(sep41);
    expect([status, body]).toMatchObject([
      200,
      { metadata: { asset: { symbol: "USDC", decimals: 7, verified: false } }, requestBody: sep41 },
    ]);
    expect(await actOf(body)).toMatchObject({
      transfer: { kind: "Sep41", ...ASSET, from: STELLAR_SENDER, to: STELLAR_RECIPIENT, amount: "5" },
    });
  });

  it.each([
    ["AmountInvalid", { ...native, amount: "0" }],
    ["AmountInvalid", { ...native, amount: "9223372036854775808" }],
    ["AmountInvalid", { ...sep41, amount: "1.5" }],
    ["TokenIdInvalid", { ...sep41, assetCode: "TOOLONGACODE1" }],
    ["AddressInvalid", { ...sep41, issuer: ADDRESS }],
    ["AddressChecksum", { ...native, to: `${STELLAR_RECIPIENT.slice(0, -1)}A` }],
    ["AddressInvalid", { ...sep41, to: ADDRESS }],
    ["AddressInvalid", { ...native, to: STELLAR_RECIPIENT.toLowerCase() }],
    ["MemoInvalid", { ...native, memo: "a".repeat(29) }],
    ["PriorityNotSupported", { ...native, priority: "Standard" }],
    ["InvalidBody", { ...sep41, priority: "Fast" }],
    ["InvalidBody", { ...sep41, memo: "with space" }],
    ["InvalidBody", { ...native, note: "x" }],
    ["TransferKindNotSupported", { kind: "Erc20", contract: ADDRESS, to: STELLAR_RECIPIENT, amount: "1" }],
    ["TransferKindNotSupported", { kind: "Asa", assetId: "1", to: STELLAR_RECIPIENT, amount: "1" }],
  ])("INV-9 is refused with %s, and changes nothing: %j", async (code, body) => {
    const before = await world.rows();
    expect(codeOf(await send(body))).toEqual([400, code]);
    expect(await world.rows()).toBe(before);
  });

  it("is accepted while the node is away", async () => {
    horizon.spoilt.set("/", { status: 503, text: "" });
    const { status, body } = await send({ ...sep41, amount: "6" });
    horizon.spoilt.clear();
    expect([status, body]).toMatchObject([200, { metadata: { asset: { symbol: "USDC" } } }]);
  });
});

const OTHER = stellarAddress(testEdwardsKey("0d".repeat(32)).publicKey);
/** A caller's own bytes, altered in the ends that every transaction has. */
const cut = (bytes: string, end: string): string => `${bytes.slice(0, -end.length)}${end}`;
/** Bytes that signers do not read. */
const REFUSED: readonly (readonly [string, string])[] = [
  ["that is signed already", cut(stellarBytes(), "01")],
  ["with data of a contract call", cut(stellarBytes(), "0000000100000000")],
  ["that never ends", stellarBytes({ maxTime: 0n })],
  ["that is not whole", stellarBytes().slice(0, -8)],
  ["of no form", "0x0102"],
];

describe("a transaction of a caller's making on Stellar", () => {
  const broadcast = (transaction: string) =>
    world.call("POST", `${path}/transactions`, { kind: "Transaction", transaction });

  it("is accepted as it is, such as a trustline", async () => {
    const { status, body } = await broadcast(stellarBytes());
    expect([status, body]).toMatchObject([200, { network, requestBody: { kind: "Transaction" } }]);
  });

  it.each<readonly [string, string, string]>([
    ["TransactionInvalid", "of another account", stellarBytes({ from: OTHER })],
    ...REFUSED.map(([name, bytes]) => ["TransactionUnreadable", name, bytes] as const),
  ])("INV-9 is refused with %s when it is one %s, and changes nothing", async (code, _, bytes) => {
    const before = await world.rows();
    expect(codeOf(await broadcast(bytes))).toEqual([400, code]);
    expect(await world.rows()).toBe(before);
  });

  it.each([
    ["NonceUsed", 100n],
    ["NonceGap", 102n],
  ])("INV-9 is refused with %s when its sequence number is not the next one", async (code, sequence) => {
    const { status, body } = await broadcast(stellarBytes({ sequence }));
    expect([status, errorOf(body).details]).toMatchObject([
      409,
      { code, sequence: sequence.toString(), next: "101" },
    ]);
  });

  it("INV-9 is refused when it costs more than the network's cap", async () => {
    expect(codeOf(await broadcast(stellarBytes({ fee: 100_001n })))).toEqual([422, "FeeAboveCap"]);
  });

  it("INV-9 is of no other template", async () => {
    const body = { kind: "Evm", to: ADDRESS, value: "1" };
    const answer = await world.call("POST", `${path}/transactions`, body);
    expect(codeOf(answer)).toEqual([400, "TransactionKindNotSupported"]);
  });

  it("INV-9 takes nothing's place, and has none that could be taken", async () => {
    const { body } = await send({ ...native, amount: "7" });
    const { id } = transferOf(body);
    await world.database.execute(
      `update chain_requests set status = 'Broadcasted', unsigned_transaction = $2, signed_transaction = $2,
         tx_hash = $1 where id = $1`,
      [id, Uint8Array.of(1)],
    );
    for (const verb of ["speed-up", "cancel"]) {
      const answer = await world.call("POST", `${path}/transfers/${id}/${verb}`);
      expect([verb, ...codeOf(answer)]).toEqual([verb, 400, "TransactionKindNotSupported"]);
    }
  });
});

describe("a signature for Stellar", () => {
  const sign = (body: object) => world.call("POST", `${path}/signatures`, body);

  it("INV-3 of a transaction is authorised whole, for signers to read", async () => {
    const { status, body } = await sign({ kind: "Transaction", transaction: stellarBytes() });
    expect(status).toBe(200);
    const id = signatureIdSchema.parse(z.object({ id: z.string() }).parse(body).id);
    const stored = await readSignature(world.database, id);
    const text = Buffer.from(
      stored?.authorisation?.payload ?? expect.fail("it is not authorised"),
    ).toString();
    expect(authorisedSignatureSchema.parse(JSON.parse(text))).toMatchObject({
      scheme: "FROST-Ed25519",
      walletId: wallet.id,
      content: {
        kind: "readable",
        family: "Stellar",
        content: { kind: "transaction", network, transaction: stellarBytes().slice(2) },
      },
    });
  });

  it.each(REFUSED)("INV-9 is refused when it is of a transaction %s", async (_, transaction) => {
    expect(codeOf(await sign({ kind: "Transaction", transaction }))).toEqual([400, "TransactionUnreadable"]);
  });

  it("INV-3 is not of 32 bytes, which may be a transaction's hash, by the wallet or by its key", async () => {
    const { body } = await world.call("GET", path);
    const { signingKey } = z.object({ signingKey: z.object({ id: z.string() }) }).parse(body);
    const digits = "5a".repeat(32);
    for (const from of [path, `/keys/${signingKey.id}`]) {
      for (const asked of [
        { kind: "Hash", hash: digits },
        { kind: "Message", message: digits },
      ]) {
        const answer = await world.call("POST", `${from}/signatures`, asked);
        expect(codeOf(answer)).toEqual([400, "TransactionUnreadable"]);
      }
    }
    expect((await sign({ kind: "Message", message: `${digits}00` })).status).toBe(200);
  });

  it("INV-3 is of 32 bytes for a key that has no wallet on Stellar, and not for Stellar", async () => {
    const id = await activateKey(world, "FROST-Ed25519", new Uint8Array(32).fill(0xab));
    const ask = (more: object) =>
      world.call("POST", `/keys/${id}/signatures`, { kind: "Hash", hash: "5a".repeat(32), ...more });
    expect((await ask({})).status).toBe(200);
    expect(codeOf(await ask({ network }))).toEqual([400, "TransactionUnreadable"]);
    const made = await world.call("POST", "/wallets", { network, signingKey: { id } });
    expect(codeOf(made)).toEqual([409, "KeySignedUnread"]);
  });

  it("INV-3 is of no 32 bytes that waited for an approval until the key had a wallet on Stellar", async () => {
    const id = await activateKey(world, "FROST-Ed25519", new Uint8Array(32).fill(0xcd));
    const path = `/keys/${id}/signatures`;
    const { body: policy } = await world.call("POST", "/v2/policies", {
      name: "all wait",
      activityKind: "Wallets:Sign",
      rule: { kind: "AlwaysTrigger", configuration: {} },
      action: { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] },
    });
    const { body } = await world.call("POST", path, { kind: "Message", message: "5A".repeat(32) });
    const asked = z.object({ id: z.string(), status: z.string(), approvalId: z.string() }).parse(body);
    expect((await world.call("POST", "/wallets", { network, signingKey: { id } })).status).toBe(200);
    const alice = await approverOf(world);
    const decision = await alice.call("POST", `/v2/policy-approvals/${asked.approvalId}/decisions`, {
      value: "Approved",
    });
    await world.call("DELETE", `/v2/policies/${z.object({ id: z.string() }).parse(policy).id}`, {});
    expect([asked.status, decision.status]).toEqual(["Pending", 200]);
    const stored = await readSignature(world.database, signatureIdSchema.parse(asked.id));
    expect([stored?.status, stored?.authorisation]).toEqual(["Rejected", undefined]);
  });

  /** Gives a key a wallet on Stellar while a request waits for the key, and ends what was begun before the request goes on. */
  const withWalletMeanwhile = async <Answer>(id: KeyId, request: () => Promise<Answer>): Promise<Answer> => {
    let answer: Promise<Answer> | undefined;
    await world.database.transaction(async (connection) => {
      await lockKey(connection, id);
      await insertWallet(connection, {
        id: freshId(walletIdSchema, "wa"),
        orgId: world.caller.orgId,
        keyId: id,
        name: undefined,
        network: networkSchema.parse(network),
        externalId: undefined,
        tags: [],
        requester: { userId: freshId(userIdSchema, "us") },
        requestBody: {},
        dateCreated: DATE,
        status: "Creating",
      });
      answer = request();
      await expect.poll(() => waiting(), { timeout: 10_000 }).toBeGreaterThan(0);
    });
    return answer ?? expect.fail("nothing was asked");
  };
  const waiting = async (): Promise<number> =>
    (
      await world.database.rows(
        z.object({ pid: z.number() }),
        "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        [],
      )
    ).length;

  it("INV-3 is of no 32 bytes for a key that gets a wallet on Stellar at that moment", async () => {
    const id = await activateKey(world, "FROST-Ed25519", new Uint8Array(32).fill(0x1b));
    const asked = { kind: "Hash", hash: "5a".repeat(32) };
    const answer = await withWalletMeanwhile(id, () => world.call("POST", `/keys/${id}/signatures`, asked));
    expect(codeOf(answer)).toEqual([400, "TransactionUnreadable"]);
    expect(await listSignatures(world.database, { keyId: id }, { limit: 1, after: undefined })).toEqual([]);
  });

  it("INV-9 is of no kind that is EVM's", async () => {
    expect(codeOf(await sign({ kind: "Eip191", message: "00" }))).toEqual([400, "SignatureKindNotSupported"]);
  });
});

describe("what is read of a wallet on Stellar", () => {
  const settle = async (body: object): Promise<void> => {
    const { id } = transferOf((await send(body)).body);
    await world.database.execute(
      `update chain_requests set status = 'Confirmed', tx_hash = $2, block_number = 5, fee = '1000',
         date_broadcasted = now(), date_confirmed = now() where id = $1`,
      [id, id],
    );
  };

  it("are its coin, and the assets that transfers have moved", async () => {
    await settle({ ...sep41, amount: "8" });
    const { status, body } = await world.call("GET", `${path}/assets`);
    expect([status, body]).toMatchObject([
      200,
      {
        assets: [
          { kind: "Native", symbol: "XLM", decimals: 7, balance: "50000000" },
          { kind: "Sep41", ...ASSET, symbol: "USDC", decimals: 7, balance: "9223372036854775807" },
        ],
      },
    ]);
    expect((await world.call("GET", `${path}/nfts`)).body).toMatchObject({ nfts: [] });
  });

  it("is its history", async () => {
    await settle({ ...native, amount: "9" });
    const { body } = await world.call("GET", `${path}/history`);
    expect(body).toMatchObject({
      items: [
        { kind: "NativeTransfer", value: "9", symbol: "XLM", fee: "1000", direction: "Out" },
        { kind: "Sep41Transfer", ...ASSET, value: "8", symbol: "USDC", decimals: 7 },
      ],
    });
  });

  it("INV-9 are no fees by priority, which the network does not take", async () => {
    const answer = await world.call("GET", `/networks/fees?network=${network}`);
    expect(codeOf(answer)).toEqual([400, "PriorityNotSupported"]);
  });
});

describe("INV-8 policies on Stellar", () => {
  const rule = (kind: string, configuration: object) => ({ kind, configuration });
  /** Does something under one policy that blocks, and archives it. */
  const under = async <T>(blocking: object, work: () => Promise<T>): Promise<T> => {
    const { body } = await world.call("POST", "/v2/policies", {
      name: "test",
      activityKind: "Wallets:Sign",
      rule: blocking,
      action: { kind: "Block" },
    });
    try {
      return await work();
    } finally {
      await world.call("DELETE", `/v2/policies/${z.object({ id: z.string() }).parse(body).id}`, {});
    }
  };
  const statusOf = async (asked: Promise<{ readonly body: unknown }>): Promise<string> =>
    z.object({ status: z.string() }).parse((await asked).body).status;
  const broadcast = (operation: StellarOperation) =>
    world.call("POST", `${path}/transactions`, {
      kind: "Transaction",
      transaction: stellarBytes({ operation, sequence: 101n }),
    });

  it("compare recipients of transfers and of a caller's own bytes; a trustline leaves the wallet nothing", async () => {
    const friends = rule("TransactionRecipientWhitelist", { addresses: [STELLAR_RECIPIENT] });
    await under(friends, async () => {
      expect(await statusOf(send({ ...native, amount: "11" }))).toBe("Pending");
      expect(await statusOf(send({ ...sep41, to: OTHER, amount: "11" }))).toBe("Rejected");
      const paid = { kind: "payment", to: OTHER, token: STELLAR_TOKEN, amount: 5n } as const;
      expect(await statusOf(broadcast(paid))).toBe("Rejected");
      expect(await statusOf(broadcast({ kind: "createAccount", to: OTHER, amount: 5n }))).toBe("Rejected");
      expect(await statusOf(broadcast({ ...paid, to: STELLAR_RECIPIENT }))).not.toBe("Rejected");
      expect(await statusOf(broadcast({ kind: "changeTrust", token: STELLAR_TOKEN, limit: 7n }))).not.toBe(
        "Rejected",
      );
      const message = world.call("POST", `${path}/signatures`, { kind: "Message", message: "0x6869" });
      expect(await statusOf(message)).toBe("Rejected");
    });
  });

  it("trigger on amounts of which nobody knows the worth", async () => {
    await under(rule("TransactionAmountLimit", { limit: 1_000_000, currency: "USD" }), async () => {
      expect(await statusOf(send({ ...native, amount: "12" }))).toBe("Rejected");
    });
  });
});
