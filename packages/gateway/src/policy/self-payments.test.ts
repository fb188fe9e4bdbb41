import { FAMILIES } from "@conclave/chains";
import { buildTransaction, type TransactionDraft } from "@conclave/chains/evm";
import {
  ALGORAND_KEY,
  ALGORAND_RECIPIENT,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  algorandBytes,
  BITCOIN_KEY,
  BITCOIN_RECIPIENT,
  BITCOIN_SENDER,
  BITCOIN_SIGNET,
  CONTRACT,
  outputTo,
  psbtHex,
  RECIPIENT,
  SEPOLIA,
  SOLANA_DEVNET,
  SOLANA_KEY,
  SOLANA_RECIPIENT,
  SOLANA_SENDER,
  STELLAR_KEY,
  STELLAR_RECIPIENT,
  STELLAR_SENDER,
  STELLAR_TESTNET,
  solanaBytes,
  stellarBytes,
  TEST_ADDRESS,
  TEST_SECRET_KEY,
  TRON_KEY,
  TRON_NILE,
  TRON_RECIPIENT,
  TRON_SENDER,
  testAccount,
  testEdwardsKey,
  tronBytes,
  XRPL_KEY,
  XRPL_RECIPIENT,
  XRPL_SENDER,
  XRPL_TESTNET,
  xrplBytes,
} from "@conclave/chains/testing";
import {
  type Act,
  type Effects,
  type KeyScheme,
  keyIdSchema,
  networkSchema,
  organisationIdSchema,
  type SignatureBody,
  signatureBodySchema,
  type TransactionBody,
  transactionBodySchema,
  transactionIdSchema,
  walletIdSchema,
} from "@conclave/custody";
import { type Connection, freshId, NOTHING_LISTED } from "@conclave/platform";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bodyReader } from "../reading/body-reader.ts";
import { type ApprovalWorld, startApprovalWorld } from "../testing/approval-world.ts";
import { administratorOf } from "../testing/people.ts";
import { PUBLIC_KEY } from "../testing/world.ts";
import { activityOfAct, activityOfSignature } from "./signing-activity.ts";

const ENTRIES = FAMILIES.networksSchema.parse([
  { ...SEPOLIA, rpcUrl: "http://127.0.0.1:9", confirmations: 1 },
  ALGORAND_TESTNET,
  BITCOIN_SIGNET,
  SOLANA_DEVNET,
  STELLAR_TESTNET,
  TRON_NILE,
  XRPL_TESTNET,
]);
const CHAINS = {
  families: FAMILIES,
  chains: new Map(ENTRIES.map((network) => [network.network, { network }])),
};
const READER = bodyReader(CHAINS);

const KEY_ID = freshId(keyIdSchema, "key");
/** A connection without rows, as the key's wallets do not matter here. */
const NO_WALLETS: Connection = {
  rows: async () => [],
  listed: async () => NOTHING_LISTED,
  execute: async () => 0,
  announce: () => undefined,
  freshId,
};

interface Account {
  readonly network: string;
  readonly scheme: KeyScheme;
  readonly publicKey: Uint8Array;
  readonly address: string;
}

const evmBytes = (call: TransactionDraft["call"]): string => {
  const bytes = buildTransaction({
    chainId: SEPOLIA.chainId,
    nonce: 0n,
    fees: { kind: "Legacy", gasPrice: 10n ** 9n },
    gasLimit: 100_000n,
    call,
  });
  return `0x${Buffer.from(bytes).toString("hex")}`;
};
const word = (digits: string): string => digits.replace(/^0x/, "").toLowerCase().padStart(64, "0");
/** transfer and approve of EIP-20, whose recipient or spender is in the same place */
const erc20 = (selector: "a9059cbb" | "095ea7b3", to: string) =>
  `0x${selector}${word(to)}${word("05")}` as const;

const EVM: Account = {
  ...SEPOLIA,
  scheme: "ECDSA",
  publicKey: testAccount(TEST_SECRET_KEY).publicKey,
  address: TEST_ADDRESS,
};
const ALGORAND: Account = {
  ...ALGORAND_TESTNET,
  scheme: "FROST-Ed25519",
  ...ALGORAND_KEY,
  address: ALGORAND_SENDER,
};
const BITCOIN: Account = { ...BITCOIN_SIGNET, scheme: "ECDSA", ...BITCOIN_KEY, address: BITCOIN_SENDER };
const SOLANA: Account = { ...SOLANA_DEVNET, scheme: "FROST-Ed25519", ...SOLANA_KEY, address: SOLANA_SENDER };
const STELLAR: Account = {
  ...STELLAR_TESTNET,
  scheme: "FROST-Ed25519",
  ...STELLAR_KEY,
  address: STELLAR_SENDER,
};
const TRON: Account = { ...TRON_NILE, scheme: "ECDSA", ...TRON_KEY, address: TRON_SENDER };
const XRPL: Account = { ...XRPL_TESTNET, scheme: "ECDSA", ...XRPL_KEY, address: XRPL_SENDER };

const lumens = (to: string): string =>
  stellarBytes({ operation: { kind: "payment", token: undefined, amount: 5n, to } });
const sol = (to: string, amount: bigint) => ({ kind: "payment", from: SOLANA_SENDER, to, amount }) as const;
const trx = (to: string): string =>
  tronBytes({ contract: { type: "TransferContract", from: TRON_SENDER, to, amount: 5n } });
const trc20 = (to: string): string =>
  tronBytes({
    contract: {
      type: "TriggerSmartContract",
      from: TRON_SENDER,
      contract: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
      call: { function: "transfer", to, amount: 5n },
    },
  });

const subjectOf = ({ network, scheme, publicKey }: Account) => ({
  scheme,
  network: networkSchema.parse(network),
  publicKey: Buffer.from(publicKey).toString("hex"),
  internalKey: undefined,
});

const bodyOf = (account: Account, bytes: string) =>
  account === BITCOIN ? { kind: "Psbt", psbt: bytes } : { kind: "Transaction", transaction: bytes };

/** The effects, for policies, of bytes that are signed and not broadcast. */
const ofSignature = async (account: Account, body: SignatureBody): Promise<Effects> => {
  const read = READER.signature(subjectOf(account), body, []);
  if (!read.ok) return expect.fail(read.problem.message);
  return (await activityOfSignature(CHAINS, NO_WALLETS, KEY_ID, read.value)).effects;
};

/** The effects of the same bytes when the service broadcasts them. */
const ofTransaction = async (account: Account, body: TransactionBody): Promise<Effects> => {
  const { network, publicKey } = subjectOf(account);
  const { address } = account;
  const content = READER.transaction({ network, address, publicKey }, body);
  if (!content.ok) return expect.fail(content.problem.message);
  const act: Act = {
    version: 2,
    kind: "transaction",
    requestId: freshId(transactionIdSchema, "tx"),
    orgId: freshId(organisationIdSchema, "or"),
    walletId: freshId(walletIdSchema, "wa"),
    keyId: KEY_ID,
    cosigners: [],
    network,
    dateRequested: "2026-01-02T03:04:05.678Z",
    transaction: content.value,
  };
  const effects = READER.act(act);
  if (!effects.ok) return expect.fail(effects.problem.message);
  return (await activityOfAct(CHAINS, NO_WALLETS, { keyId: KEY_ID, network, address }, effects.value))
    .effects;
};

const both = async (account: Account, bytes: string): Promise<readonly [Effects, Effects]> => {
  const body = bodyOf(account, bytes);
  const signed = await ofSignature(account, signatureBodySchema.parse(body));
  return [signed, await ofTransaction(account, transactionBodySchema.parse(body))];
};

describe("bytes that are signed leave the wallet as bytes that are sent do:", () => {
  it.each<[string, Account, string]>([
    ["ether", EVM, evmBytes({ to: TEST_ADDRESS, value: 5n, data: "0x" })],
    ["an EIP-20 token", EVM, evmBytes({ to: CONTRACT, value: 0n, data: erc20("a9059cbb", TEST_ADDRESS) })],
    [
      "an EIP-20 allowance",
      EVM,
      evmBytes({ to: CONTRACT, value: 0n, data: erc20("095ea7b3", TEST_ADDRESS) }),
    ],
    [
      "algos",
      ALGORAND,
      algorandBytes({ type: "pay", xaid: undefined, arcv: undefined, rcv: ALGORAND_KEY.publicKey, amt: 5n }),
    ],
    ["an Algorand asset", ALGORAND, algorandBytes({ aamt: 5n })],
    ["bitcoin", BITCOIN, psbtHex({ outputs: [outputTo(BITCOIN_SENDER, 199_000n)] })],
    ["SOL", SOLANA, solanaBytes({ instructions: [sol(SOLANA_SENDER, 5n)] })],
    ["lumens", STELLAR, lumens(STELLAR_SENDER)],
    ["a trustline", STELLAR, stellarBytes()],
    ["TRX", TRON, trx(TRON_SENDER)],
    ["a TRC-20 token", TRON, trc20(TRON_SENDER)],
  ])("%s to the wallet itself does not, and its fee counts", async (_, account, bytes) => {
    const [signed, sent] = await both(account, bytes);
    expect(signed).toEqual({ movements: [], unknown: undefined, fee: expect.stringMatching(/^[0-9]+$/) });
    expect(signed).toEqual(sent);
  });

  it.each<[string, Account, string, readonly string[]]>([
    ["ether", EVM, evmBytes({ to: RECIPIENT, value: 5n, data: "0x" }), [RECIPIENT]],
    [
      "ether beside an EIP-20 token that comes back",
      EVM,
      evmBytes({ to: CONTRACT, value: 5n, data: erc20("a9059cbb", TEST_ADDRESS) }),
      [CONTRACT],
    ],
    [
      "algos",
      ALGORAND,
      algorandBytes({
        type: "pay",
        xaid: undefined,
        arcv: undefined,
        rcv: testEdwardsKey("0c".repeat(32)).publicKey,
        amt: 5n,
      }),
      [ALGORAND_RECIPIENT],
    ],
    ["bitcoin with change", BITCOIN, psbtHex(), [BITCOIN_RECIPIENT]],
    [
      "SOL, the rest of it to itself",
      SOLANA,
      solanaBytes({ instructions: [sol(SOLANA_SENDER, 5n), sol(SOLANA_RECIPIENT, 1n)] }),
      [SOLANA_RECIPIENT],
    ],
    ["lumens", STELLAR, lumens(STELLAR_RECIPIENT), [STELLAR_RECIPIENT]],
    ["TRX", TRON, trx(TRON_RECIPIENT), [TRON_RECIPIENT]],
    ["XRP", XRPL, xrplBytes(), [XRPL_RECIPIENT]],
  ])("%s to somebody else does", async (_, account, bytes, recipients) => {
    const [signed, sent] = await both(account, bytes);
    expect(signed.movements.map(({ recipient }) => recipient)).toEqual(recipients);
    expect(signed.unknown).toBeUndefined();
    expect(signed).toEqual(sent);
  });

  it("XRP to the wallet itself is not signed: the ledger takes no such payment", () => {
    const body = bodyOf(XRPL, xrplBytes({ to: XRPL_SENDER }));
    const signed = READER.signature(subjectOf(XRPL), signatureBodySchema.parse(body), []);
    expect(signed).toMatchObject({ ok: false, problem: { code: "TransactionUnreadable" } });
  });

  it("call data to the wallet itself that nobody reads may do more", async () => {
    const [signed, sent] = await both(EVM, evmBytes({ to: TEST_ADDRESS, value: 5n, data: "0x12345678" }));
    expect(signed).toMatchObject({ movements: [], unknown: "the call data cannot be read" });
    expect(signed).toEqual(sent);
  });
});

describe("typed data", () => {
  const permit = (spender: string) =>
    signatureBodySchema.parse({
      kind: "Eip712",
      types: {
        EIP712Domain: [
          { name: "chainId", type: "uint256" },
          { name: "verifyingContract", type: "address" },
        ],
        Permit: [
          "owner:address",
          "spender:address",
          "value:uint256",
          "nonce:uint256",
          "deadline:uint256",
        ].map((field) => ({ name: field.split(":")[0], type: field.split(":")[1] })),
      },
      domain: { chainId: SEPOLIA.chainId, verifyingContract: CONTRACT },
      message: { owner: TEST_ADDRESS, spender, value: "5", nonce: "0", deadline: "1900000000" },
    });

  it("that permit the wallet itself let nobody take anything, as an allowance for itself does", async () => {
    expect(await ofSignature(EVM, permit(TEST_ADDRESS))).toMatchObject({ movements: [], unknown: undefined });
    expect(await ofSignature(EVM, permit(RECIPIENT))).toMatchObject({
      movements: [{ asset: CONTRACT, amount: "5", recipient: RECIPIENT }],
    });
  });
});

describe("INV-8 bytes that pay the wallet itself are signed", () => {
  let at: ApprovalWorld;
  beforeAll(async () => {
    at = await startApprovalWorld();
  });
  afterAll(() => at.world.stop());
  afterEach(() => at.forget());

  const OWN = FAMILIES.addressOn(networkSchema.parse(SEPOLIA.network), PUBLIC_KEY) ?? expect.fail();
  const ETHER = 10n ** 18n;
  const paying = (to: string) => ({
    kind: "Transaction",
    transaction: evmBytes({ to: `0x${to.slice(2)}`, value: ETHER, data: "0x" }),
    network: SEPOLIA.network,
  });

  it.each([
    ["limits", { kind: "TransactionAmountLimit", configuration: { limit: "10", currency: "USD" } }],
    ["whitelists", { kind: "TransactionRecipientWhitelist", configuration: { addresses: [CONTRACT] } }],
  ])("within %s, by wallet and by key", async (_, rule) => {
    const { id, keyId } = await at.wallet();
    await at.policy({ rule, action: { kind: "Block" } });
    for (const path of [`/wallets/${id}/signatures`, `/keys/${keyId}/signatures`]) {
      expect((await at.ask(administratorOf(at.world), path, paying(OWN))).status).toBe("Signed");
      expect((await at.ask(administratorOf(at.world), path, paying(RECIPIENT))).status).toBe("Rejected");
    }
  });
});
