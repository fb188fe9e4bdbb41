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
import { type KeyId, signatureIdSchema, stellarAddress } from "@conclave/custody";
import { listSignatures, lockKey, readSignature } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { activateKey } from "../testing/activate-key.ts";
import { errorOf } from "../testing/bodies.ts";
import {
  type ExactBytesCase,
  itHasNoPriorities,
  itMakesEdwardsKeys,
  itRefusesBytes,
  itRefusesTransfers,
  itRefusesWallets,
  itSignsWhole,
  itTakesNoPlace,
  itTriggersWithoutPrice,
} from "../testing/exact-bytes-suite.ts";
import {
  codeOf,
  enterWalletOn,
  type FamilyWorld,
  startFamilyWorld,
  statusOf,
} from "../testing/family-world.ts";
import { approverOf } from "../testing/people.ts";
import { ADDRESS, type World } from "../testing/world.ts";

const { network } = STELLAR_TESTNET;

let family: FamilyWorld;
let world: World;
let horizon: StubHorizon;

beforeAll(async () => {
  horizon = await StubHorizon.start();
  horizon.accounts.set(STELLAR_SENDER, {
    sequence: 100n,
    balance: 50_000_000n,
    trustlines: [{ ...STELLAR_TOKEN, balance: 2n ** 63n - 1n, limit: 2n ** 63n - 1n }],
  });
  family = await startFamilyWorld(
    { ...STELLAR_TESTNET, horizonUrl: horizon.url },
    "FROST-Ed25519",
    STELLAR_KEY,
  );
  world = family.world;
});
afterAll(async () => {
  await world.stop();
  await horizon.stop();
});

const ASSET = { issuer: STELLAR_TOKEN.issuer, assetCode: STELLAR_TOKEN.code };
const native = { kind: "Native" as const, to: STELLAR_RECIPIENT, amount: "15000000", memo: "Invoice7" };
const sep41 = { kind: "Sep41", ...ASSET, to: STELLAR_RECIPIENT, amount: "5" };
const send = (body: object) => family.send(body);

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

const CASE: ExactBytesCase = {
  family: () => family,
  address: STELLAR_SENDER,
  unserved: "Stellar",
  otherKey: { scheme: "ECDSA", curve: "secp256k1" },
  native,
  refusedTransfers: [
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
  ],
  refusedBytes: [
    ["TransactionInvalid", "of another account", stellarBytes({ from: OTHER })],
    ...REFUSED.map(([name, bytes]) => ["TransactionUnreadable", name, bytes] as const),
  ],
  dearBytes: stellarBytes({ fee: 100_001n }),
};

describe("a wallet on Stellar", () => {
  itRefusesWallets(CASE);

  itMakesEdwardsKeys(() => family, STELLAR_KEY);
});

describe("a transfer on Stellar", () => {
  it("of the native coin is authorised with its sender", async () => {
    const { status, body } = await send(native);
    expect([status, body]).toMatchObject([
      200,
      { network, status: "Pending", metadata: { asset: { symbol: "XLM", decimals: 7, verified: true } } },
    ]);
    expect(await family.actOf(body)).toMatchObject({
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
    expect(await family.actOf(body)).toMatchObject({
      transfer: { kind: "Sep41", ...ASSET, from: STELLAR_SENDER, to: STELLAR_RECIPIENT, amount: "5" },
    });
  });

  itRefusesTransfers(CASE);

  it("is accepted while the node is away", async () => {
    horizon.spoilt.set("/", { status: 503, text: "" });
    const { status, body } = await send({ ...sep41, amount: "6" });
    horizon.spoilt.clear();
    expect([status, body]).toMatchObject([200, { metadata: { asset: { symbol: "USDC" } } }]);
  });
});

describe("a transaction of a caller's making on Stellar", () => {
  const broadcast = (transaction: string) => family.broadcast(transaction);

  it("is accepted as it is, such as a trustline", async () => {
    const { status, body } = await broadcast(stellarBytes());
    expect([status, body]).toMatchObject([200, { network, requestBody: { kind: "Transaction" } }]);
  });

  itRefusesBytes(CASE);

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

  itTakesNoPlace(CASE);
});

describe("a signature for Stellar", () => {
  const sign = (body: object) => family.sign(body);

  itSignsWhole(
    () => family,
    "Stellar",
    "FROST-Ed25519",
    () => stellarBytes(),
  );

  it.each(REFUSED)("INV-9 is refused when it is of a transaction %s", async (_, transaction) => {
    expect(codeOf(await sign({ kind: "Transaction", transaction }))).toEqual([400, "TransactionUnreadable"]);
  });

  it("INV-3 is not of 32 bytes, which may be a transaction's hash, by the wallet or by its key", async () => {
    const { body } = await world.call("GET", family.path);
    const { signingKey } = z.object({ signingKey: z.object({ id: z.string() }) }).parse(body);
    const digits = "5a".repeat(32);
    for (const from of [family.path, `/keys/${signingKey.id}`]) {
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
      await enterWalletOn(connection, world.caller, id, network);
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
  const settle = (body: object) => family.settle(body, "1000");

  it("are its coin, and the assets that transfers have moved", async () => {
    await settle({ ...sep41, amount: "8" });
    const { status, body } = await world.call("GET", `${family.path}/assets`);
    expect([status, body]).toMatchObject([
      200,
      {
        assets: [
          { kind: "Native", symbol: "XLM", decimals: 7, balance: "50000000" },
          { kind: "Sep41", ...ASSET, symbol: "USDC", decimals: 7, balance: "9223372036854775807" },
        ],
      },
    ]);
    expect((await world.call("GET", `${family.path}/nfts`)).body).toMatchObject({ nfts: [] });
  });

  it("is its history", async () => {
    await settle({ ...native, amount: "9" });
    const { body } = await world.call("GET", `${family.path}/history`);
    expect(body).toMatchObject({
      items: [
        { kind: "NativeTransfer", value: "9", symbol: "XLM", fee: "1000", direction: "Out" },
        { kind: "Sep41Transfer", ...ASSET, value: "8", symbol: "USDC", decimals: 7 },
      ],
    });
  });

  itHasNoPriorities(() => family);
});

describe("INV-8 policies on Stellar", () => {
  const broadcast = (operation: StellarOperation) =>
    world.call("POST", `${family.path}/transactions`, {
      kind: "Transaction",
      transaction: stellarBytes({ operation, sequence: 101n }),
    });

  it("compare recipients of transfers and of a caller's own bytes; a trustline leaves the wallet nothing", async () => {
    await family.under("TransactionRecipientWhitelist", { addresses: [STELLAR_RECIPIENT] }, async () => {
      expect(await statusOf(send({ ...native, amount: "11" }))).toBe("Pending");
      expect(await statusOf(send({ ...sep41, to: OTHER, amount: "11" }))).toBe("Rejected");
      const paid = { kind: "payment", to: OTHER, token: STELLAR_TOKEN, amount: 5n } as const;
      expect(await statusOf(broadcast(paid))).toBe("Rejected");
      expect(await statusOf(broadcast({ kind: "createAccount", to: OTHER, amount: 5n }))).toBe("Rejected");
      expect(await statusOf(broadcast({ ...paid, to: STELLAR_RECIPIENT }))).not.toBe("Rejected");
      expect(await statusOf(broadcast({ kind: "changeTrust", token: STELLAR_TOKEN, limit: 7n }))).not.toBe(
        "Rejected",
      );
      const message = world.call("POST", `${family.path}/signatures`, { kind: "Message", message: "0x6869" });
      expect(await statusOf(message)).toBe("Rejected");
    });
  });

  itTriggersWithoutPrice(CASE);
});
