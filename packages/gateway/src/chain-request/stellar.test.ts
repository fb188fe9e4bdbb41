import {
  STELLAR_RECIPIENT,
  STELLAR_SENDER,
  STELLAR_SEQUENCE,
  STELLAR_TOKEN,
  stellarAddress,
  stellarBytes,
  testEdwardsKey,
} from "@conclave/chains/testing";
import {
  openStellarLedger,
  type ScriptedStellarLedger,
  WALLET_SAMPLES,
} from "@conclave/chains/testing/ledgers";
import { type KeyId, signatureIdSchema } from "@conclave/custody";
import { listSignatures, lockKey, readSignature } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { activateKey } from "../testing/activate-key.ts";
import { errorOf } from "../testing/bodies.ts";
import { describeExactBytes, PASSES } from "../testing/exact-bytes-suite.ts";
import { codeOf, enterWalletOn, type FamilyWorld, startFamilyWorld } from "../testing/family-world.ts";
import { approverOf } from "../testing/people.ts";
import { ADDRESS, type World } from "../testing/world.ts";

const sample = WALLET_SAMPLES.Stellar;
const native = { ...sample.native, memo: "Invoice7" };
const [sep41] = sample.tokens;
/** the most units of an asset that an account can have, in Horizon's notation */
const MOST = "922337203685.4775807";
const ASSET = { issuer: sep41.issuer, assetCode: sep41.assetCode };

let family: FamilyWorld;
let world: World;
let network: string;
let ledger: ScriptedStellarLedger;

beforeAll(async () => {
  ledger = await openStellarLedger();
  const line = { asset_code: STELLAR_TOKEN.code, asset_issuer: STELLAR_TOKEN.issuer, limit: MOST };
  ledger.shows(`/accounts/${STELLAR_SENDER}`, (account) => ({
    ...account,
    balances: [{ asset_type: "credit_alphanum4", ...line, balance: MOST }, ...Object(account["balances"])],
  }));
  family = await startFamilyWorld(sample, ledger.node.url);
  ({ world, network } = family);
});
afterAll(async () => {
  await world.stop();
  await ledger.stop();
});

const OTHER = stellarAddress(testEdwardsKey("0d".repeat(32)).publicKey);
/** A caller's own bytes with their end, which all transactions share, replaced. */
const cut = (bytes: string, end: string): string => `${bytes.slice(0, -end.length)}${end}`;
/** Bytes that signers refuse to read. */
const REFUSED: readonly (readonly [string, string])[] = [
  ["that is signed already", cut(stellarBytes(), "01")],
  ["with data of a contract call", cut(stellarBytes(), "0000000100000000")],
  ["that never ends", stellarBytes({ maxTime: 0n })],
  ["that is not whole", stellarBytes().slice(0, -8)],
  ["of no form", "0x0102"],
];
const PAID_TO_OTHER = { kind: "payment", to: OTHER, token: STELLAR_TOKEN, amount: 5n } as const;
const HASH = "5a".repeat(32);

describeExactBytes({
  sample,
  family: () => family,
  otherKey: { scheme: "ECDSA", curve: "secp256k1" },
  transfers: [
    {
      title: "the native coin",
      body: native,
      asset: { symbol: "XLM", decimals: 7, verified: true },
      content: { ...sample.native, from: STELLAR_SENDER, memo: { kind: "text", text: "Invoice7" } },
    },
    { title: "an asset", body: sep41, asset: { symbol: "USDC", decimals: 7, verified: false } },
  ],
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
  outage: {
    node: () => ledger.node,
    body: { ...sep41, amount: "6" },
    asset: { symbol: "USDC", decimals: 7, verified: false },
  },
  bytes: [["as it is, such as a trustline", stellarBytes()]],
  refusedBytes: [
    ["TransactionInvalid", "of another account", stellarBytes({ from: OTHER })],
    ...REFUSED.map(([title, bytes]) => ["TransactionUnreadable", title, bytes] as const),
  ],
  dearBytes: stellarBytes({ fee: 100_001n }),
  refusedSignatures: REFUSED.map(([title, bytes]) => ["TransactionUnreadable", title, bytes]),
  disguised: {
    // any 32 bytes may be a transaction's hash
    asked: [
      { kind: "Hash", hash: HASH },
      { kind: "Message", message: HASH },
    ],
    plain: { kind: "Message", message: `${HASH}00` },
  },
  settled: [{ ...sep41, amount: "8" }],
  holdings: [
    { kind: "Native", symbol: "XLM", decimals: 7, balance: "1000000000" },
    { kind: "Sep41", ...ASSET, symbol: "USDC", decimals: 7, balance: "9223372036854775807" },
  ],
  history: [
    { kind: "NativeTransfer", value: "9", symbol: "XLM", fee: "100", direction: "Out" },
    { kind: "Sep41Transfer", ...ASSET, value: "8", symbol: "USDC", decimals: 7 },
  ],
  whitelist: {
    title: "a trustline leaves the wallet nothing",
    addresses: [STELLAR_RECIPIENT],
    transfers: [
      [{ ...native, amount: "11" }, "Pending"],
      [{ ...sep41, to: OTHER, amount: "11" }, "Rejected"],
    ],
    bytes: [
      [stellarBytes({ operation: PAID_TO_OTHER }), "Rejected"],
      [stellarBytes({ operation: { kind: "createAccount", to: OTHER, amount: 5n } }), "Rejected"],
      [stellarBytes({ operation: { ...PAID_TO_OTHER, to: STELLAR_RECIPIENT } }), PASSES],
      [stellarBytes({ operation: { kind: "changeTrust", token: STELLAR_TOKEN, limit: 7n } }), PASSES],
    ],
    signatures: [[{ kind: "Message", message: "0x6869" }, "Rejected"]],
  },
});

describe("a transaction of a caller's making on Stellar", () => {
  it.each([
    ["NonceUsed", STELLAR_SEQUENCE],
    ["NonceGap", STELLAR_SEQUENCE + 2n],
  ])("INV-9 is refused with %s when its sequence number is not the next one", async (code, sequence) => {
    const { status, body } = await family.broadcast(stellarBytes({ sequence }));
    expect([status, errorOf(body).details]).toMatchObject([
      409,
      { code, sequence: sequence.toString(), next: (STELLAR_SEQUENCE + 1n).toString() },
    ]);
  });
});

describe("a signature of 32 bytes, which may be the hash of a transaction on Stellar", () => {
  it("INV-3 is of 32 bytes for a key that has no wallet on Stellar, and not for Stellar", async () => {
    const id = await activateKey(world, "FROST-Ed25519", new Uint8Array(32).fill(0xab));
    const ask = (more: object) =>
      world.call("POST", `/keys/${id}/signatures`, { kind: "Hash", hash: HASH, ...more });
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

  /** Gives a key a wallet on Stellar while a request waits for the key, and completes that before the request continues. */
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
    const asked = { kind: "Hash", hash: HASH };
    const answer = await withWalletMeanwhile(id, () => world.call("POST", `/keys/${id}/signatures`, asked));
    expect(codeOf(answer)).toEqual([400, "TransactionUnreadable"]);
    expect(await listSignatures(world.database, { keyId: id }, { limit: 1, after: undefined })).toEqual([]);
  });
});
