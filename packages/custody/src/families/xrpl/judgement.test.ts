import { describe, expect, it } from "vitest";
import { transactionBodySchema } from "../../chain-request/transaction-body.ts";
import { judgeTransaction } from "../../chain-request/transaction-judgement.ts";
import { transferBodySchema } from "../../chain-request/transfer-body.ts";
import { judgeTransfer } from "../../chain-request/transfer-judgement.ts";
import { networkSchema } from "../../network.ts";
import { signatureBodySchema } from "../../signature/signature-body.ts";
import { judgeSignature } from "../../signature/signature-judgement.ts";
import type { FamilyTable } from "../rules.ts";
import { xrplTransactionSchema, xrplTransferSchema } from "./act.ts";
import { XRPL_RULES } from "./rules.ts";

const families: FamilyTable = { find: (family) => (family === "Xrpl" ? XRPL_RULES : undefined) };
const network = networkSchema.parse("XrpLedger");
const SENDER = "rEiq1iAcpzP8WLjezP9MzAQEJ7jqKMLFSA";
const TO = "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59";
const WITH_TAG_1 = "X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu";
const WITHOUT_TAG = "X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ";
const OF_TESTNET = "T719a5UwUCnEs54UsxG9CJYYDhwmFCvbJNZbi37gBGkRkbE";
const native = { kind: "Native", to: TO, amount: "1500000" };

const judge = (body: unknown) => judgeTransfer(families, network, transferBodySchema.parse(body), SENDER);
const codeOf = (body: unknown): string => {
  const judged = judge(body);
  return judged.ok ? "ok" : `${judged.problem.code} ${String(judged.problem.details["field"])}`;
};
const transferOf = (body: unknown) => {
  const judged = judge(body);
  return judged.ok ? judged.value.transfer : expect.fail(judged.problem.message);
};

describe("a transfer on the XRP Ledger", () => {
  it("of XRP is of the wallet's own account", () => {
    expect(judge(native)).toEqual({
      ok: true,
      value: {
        transfer: { kind: "Native", from: SENDER, to: TO, amount: "1500000" },
        asset: { symbol: "XRP", decimals: 6, verified: true },
        token: undefined,
      },
    });
  });

  it.each([
    ["a memo", { memo: "7" }, 7],
    ["a memo of zero, which is a tag", { memo: "0" }, 0],
    ["a memo of the largest", { memo: "4294967295" }, 4_294_967_295],
    ["an empty memo, which is none", { memo: "" }, undefined],
    ["the address", { to: WITH_TAG_1 }, 1],
    ["the address, and a memo that says the same", { to: WITH_TAG_1, memo: "1" }, 1],
    ["a memo beside an address that holds none", { to: WITHOUT_TAG, memo: "5" }, 5],
    ["nothing", { to: WITHOUT_TAG }, undefined],
  ])("has the destination tag of %s", (_, change, tag) => {
    const transfer = transferOf({ ...native, ...change });
    expect(transfer).toMatchObject({ to: TO });
    expect([transfer["tag"], "tag" in transfer]).toEqual([tag, tag !== undefined]);
    expect(xrplTransferSchema.safeParse(transfer).success).toBe(true);
  });

  it("is judged so that the signers' strict schema takes it, up to all the drops that there are", () => {
    const transfer = transferOf({ ...native, amount: "100000000000000000" });
    expect(xrplTransferSchema.safeParse(transfer).success).toBe(true);
  });

  it.each([
    ["AmountInvalid amount", { ...native, amount: "0" }],
    ["AmountInvalid amount", { ...native, amount: "-1" }],
    ["AmountInvalid amount", { ...native, amount: "1.5" }],
    ["AmountInvalid amount", { ...native, amount: "01" }],
    ["AmountInvalid amount", { ...native, amount: "100000000000000001" }],
    ["AddressInvalid to", { ...native, to: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
    ["AddressInvalid to", { ...native, to: OF_TESTNET }],
    ["AddressInvalid to", { ...native, to: SENDER }],
    ["AddressChecksum to", { ...native, to: `${TO.slice(0, -1)}8` }],
    ["MemoInvalid memo", { ...native, memo: "abc" }],
    ["MemoInvalid memo", { ...native, memo: "07" }],
    ["MemoInvalid memo", { ...native, memo: "4294967296" }],
    ["MemoInvalid memo", { ...native, memo: "99999999999999999999" }],
    ["MemoInvalid memo", { ...native, to: WITH_TAG_1, memo: "2" }],
    ["MemoInvalid memo", { ...native, to: WITH_TAG_1, memo: "0" }],
    ["PriorityNotSupported priority", { ...native, priority: "Fast" }],
    ["TransferKindNotSupported kind", { kind: "Erc20", contract: TO, to: TO, amount: "1" }],
    ["TransferKindNotSupported kind", { kind: "Asa", assetId: "1", to: TO, amount: "1" }],
  ])("INV-9 is refused with %s: %j", (code, body) => {
    expect(codeOf(body)).toBe(code);
  });
});

describe("a transaction of a caller's making on the XRP Ledger", () => {
  const of = (body: unknown, publicKey?: string) =>
    judgeTransaction(families, network, transactionBodySchema.parse(body), SENDER, publicKey);

  it("is taken as its bytes, for the wallet's own account", () => {
    const judged = of({ kind: "Transaction", transaction: "0xAB" });
    expect(judged).toEqual({ ok: true, value: { kind: "Exact", from: SENDER, unsigned: "ab" } });
    expect(judged.ok && xrplTransactionSchema.safeParse(judged.value).success).toBe(true);
  });

  it.each([
    ["02ab".padEnd(66, "0"), "02ab".padEnd(66, "0")],
    ["ab".repeat(32), `ed${"ab".repeat(32)}`],
  ])("names the wallet's key as the ledger writes it: %s", (publicKey, signingPubKey) => {
    const judged = of({ kind: "Transaction", transaction: "0xAB" }, publicKey);
    expect(judged.ok && judged.value).toEqual({ kind: "Exact", from: SENDER, unsigned: "ab", signingPubKey });
    expect(judged.ok && xrplTransactionSchema.safeParse(judged.value).success).toBe(true);
  });

  it("is of no template of another family", () => {
    const judged = of({ kind: "Evm", to: TO });
    expect(!judged.ok && judged.problem.code).toBe("TransactionKindNotSupported");
  });
});

describe("a signature for the XRP Ledger", () => {
  const of = (scheme: "ECDSA" | "FROST-Ed25519", body: unknown, on: typeof network | undefined = network) => {
    const judged = judgeSignature(families, { scheme, network: on }, signatureBodySchema.parse(body));
    return judged.ok ? judged.value : judged.problem.code;
  };
  const transaction = { kind: "Transaction", transaction: "0xAB" };

  it.each(["ECDSA", "FROST-Ed25519"] as const)(
    "of a transaction is read by signers: a key of %s",
    (scheme) => {
      expect(of(scheme, transaction)).toEqual({
        scheme,
        content: {
          kind: "readable",
          family: "Xrpl",
          content: { kind: "transaction", network, transaction: "ab" },
        },
      });
    },
  );

  it("of a transaction names the key that is asked, which goes into bytes that leave it out", () => {
    const publicKey = "cd".repeat(32);
    const judged = judgeSignature(
      families,
      { scheme: "FROST-Ed25519", network, publicKey },
      signatureBodySchema.parse(transaction),
    );
    expect(judged.ok && judged.value).toMatchObject({
      content: { content: { signingPubKey: `ed${publicKey}` } },
    });
  });

  it("of a message is of those very bytes for an Ed25519 key, and of none for an ECDSA key", () => {
    const message = { kind: "Message", message: "0xAB" };
    expect(of("FROST-Ed25519", message)).toEqual({ scheme: "FROST-Ed25519", message: "ab" });
    expect(of("ECDSA", message)).toBe("SignatureKindNotSupported");
    expect(of("ECDSA", { kind: "Hash", hash: "5A".repeat(32) })).toMatchObject({ content: { kind: "hash" } });
  });

  it("INV-9 of a transaction needs its network", () => {
    const judged = judgeSignature(
      families,
      { scheme: "ECDSA", network: undefined },
      signatureBodySchema.parse({ ...transaction, blockchainKind: "Xrpl" }),
    );
    expect(!judged.ok && judged.problem.code).toBe("InvalidBody");
  });
});

describe("what is shown of the XRP Ledger", () => {
  it("is XRP alone", () => {
    expect(XRPL_RULES.nativeAsset(network)).toEqual({ symbol: "XRP", decimals: 6, verified: true });
    expect(XRPL_RULES.showMovement(transferBodySchema.parse(native), {})).toBeUndefined();
    expect(() => XRPL_RULES.showToken("x")).toThrow(TypeError);
    expect(XRPL_RULES.spell(WITH_TAG_1)).toBe(TO);
  });
});
