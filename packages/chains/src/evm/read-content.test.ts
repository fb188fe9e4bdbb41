import type { ContentReading } from "@conclave/custody";
import { hashMessage as ethersHashMessage, hashAuthorization, Transaction } from "ethers";
import fc from "fast-check";
import { bytesToHex, hexToBytes, serializeTransaction, toRlp } from "viem/utils";
import { describe, expect, it } from "vitest";
import { testAccount } from "../testing/account.ts";
import { FEES, RECIPIENT, SEPOLIA } from "../testing/samples.ts";
import { attachSignatures } from "./attach.ts";
import { exclusionOf } from "./exclusion.ts";
import { readContent } from "./read-content.ts";

const digestOf = ({ signables }: ContentReading): Uint8Array => signables[0]?.bytes ?? new Uint8Array();
const ACCESS_LIST = [{ address: RECIPIENT, storageKeys: [`0x${"07".repeat(32)}`] }] as const;
const CALL = { to: RECIPIENT, value: 5n, data: "0xdeadbeef" } as const;
const FRAME = { chainId: SEPOLIA.chainId, nonce: 7, gas: 60_000n } as const;

const TRANSACTIONS = {
  legacy: serializeTransaction({ type: "legacy", ...FRAME, gasPrice: FEES.maxFeePerGas, ...CALL }),
  eip2930: serializeTransaction({
    type: "eip2930",
    ...FRAME,
    gasPrice: FEES.maxFeePerGas,
    accessList: ACCESS_LIST,
    ...CALL,
  }),
  eip1559: serializeTransaction({ type: "eip1559", ...FRAME, ...FEES, accessList: ACCESS_LIST, ...CALL }),
  deployment: serializeTransaction({ type: "eip1559", ...FRAME, ...FEES, data: "0x6000" }),
} as const;

const read = (transaction: string, network: string = SEPOLIA.network) =>
  readContent([SEPOLIA], { kind: "transaction", network, transaction: transaction.slice(2) });
const outcome = (transaction: string, network?: string): string => {
  const result = read(transaction, network);
  return result.ok ? "ok" : `${result.problem.code} ${result.problem.details["field"] ?? ""}`.trim();
};

/** The nine fields of a type-2 transaction, which the tests corrupt one by one. */
const FIELDS: readonly unknown[] = ["0xaa36a7", "0x07", "0x01", "0x02", "0x5208", RECIPIENT, "0x", "0x", []];
const typed = (fields: readonly unknown[], type = "02"): string =>
  `0x${type}${toRlp(JSON.parse(JSON.stringify(fields))).slice(2)}`;
const LEGACY: readonly unknown[] = ["0x07", "0x01", "0x5208", RECIPIENT, "0x", "0x", "0xaa36a7", "0x", "0x"];
const legacy = (fields: readonly unknown[]): string => toRlp(JSON.parse(JSON.stringify(fields)));

describe("a message to sign", () => {
  it("is hashed with EIP-191's prefix, as ethers does", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const result = readContent([], { kind: "message", message: bytesToHex(bytes).slice(2) });
        expect(result.ok && bytesToHex(digestOf(result.value))).toBe(ethersHashMessage(bytes));
      }),
      { numRuns: 40 },
    );
  });
});

describe("an authorization that delegates an account's code (EIP-7702)", () => {
  it("has the digest that ethers finds", () => {
    for (const [chainId, nonce] of [
      [0, 0],
      [11_155_111, 7],
      [1, 2 ** 40],
    ] as const) {
      const result = readContent([], { kind: "eip7702", address: RECIPIENT.toLowerCase(), chainId, nonce });
      const ethers = hashAuthorization({ address: RECIPIENT, chainId, nonce });
      expect(result.ok && bytesToHex(digestOf(result.value))).toBe(ethers);
    }
  });
});

describe("a transaction to sign and not to send", () => {
  it.each(Object.entries(TRANSACTIONS))(
    "of the form %s has the digest that ethers finds, and excludes what has its nonce",
    (_name, bytes) => {
      const result = read(bytes);
      expect(result.ok && bytesToHex(digestOf(result.value))).toBe(Transaction.from(bytes).unsignedHash);
      expect(result.ok && result.value.transaction?.exclusion).toEqual(exclusionOf(11_155_111n, 7n));
    },
  );

  it.each(Object.entries(TRANSACTIONS))(
    "of the form %s is whole once its signature is attached",
    async (_name, bytes) => {
      const account = testAccount("07".repeat(32));
      const result = read(bytes);
      if (!result.ok) throw new Error(result.problem.message);
      const signed = attachSignatures(
        hexToBytes(bytes),
        [account.sign(digestOf(result.value))],
        [account.publicKey],
      );
      if (!signed.ok) throw new Error(signed.problem.message);
      const whole = Transaction.from(bytesToHex(signed.value.signed));
      expect([whole.from, whole.unsignedSerialized, whole.hash]).toEqual([
        account.address,
        bytes,
        signed.value.txHash,
      ]);
    },
  );

  it.each([
    ["a blob", typed([...FIELDS, "0x01", []], "03"), "TransactionMismatch type"],
    ["a set-code transaction", typed([...FIELDS, []], "04"), "TransactionMismatch type"],
    ["another chain's", typed(FIELDS.with(0, "0x01")), "TransactionMismatch chainId"],
    ["no chain's", typed(FIELDS.with(0, "0x")), "TransactionMismatch chainId"],
    ["a legacy one that any chain would take", legacy(LEGACY.slice(0, 6)), "TransactionMismatch chainId"],
    ["a legacy one for another chain", legacy(LEGACY.with(6, "0x01")), "TransactionMismatch chainId"],
    ["a legacy one with half a signature", legacy(LEGACY.with(7, "0x01")), "TransactionMismatch signature"],
    ["a signed one", typed([...FIELDS, "0x01", "0x01", "0x01"]), "TransactionMismatch signature"],
    ["one that costs more than the cap", typed(FIELDS.with(3, `0x${"ff".repeat(20)}`)), "FeeAboveCap"],
    ["one with a tip above its fee cap", typed(FIELDS.with(2, "0x03")), "TransactionUnreadable"],
    ["a nonce with a leading zero", typed(FIELDS.with(1, "0x0007")), "TransactionUnreadable"],
    ["a nonce of one zero byte", typed(FIELDS.with(1, "0x00")), "TransactionUnreadable"],
    ["a nonce beyond all accounts", typed(FIELDS.with(1, "0xffffffffffffffff")), "TransactionUnreadable"],
    ["a value of 33 bytes", typed(FIELDS.with(6, `0x01${"00".repeat(32)}`)), "TransactionUnreadable"],
    ["a value that is a list", typed(FIELDS.with(6, [])), "TransactionUnreadable"],
    ["data that are a list", typed(FIELDS.with(7, [])), "TransactionUnreadable"],
    ["neither recipient nor code", typed(FIELDS.with(5, "0x")), "TransactionUnreadable"],
    ["an address of 19 bytes", typed(FIELDS.with(5, RECIPIENT.slice(0, -2))), "TransactionUnreadable"],
    ["an access list that is none", typed(FIELDS.with(8, "0x01")), "TransactionUnreadable"],
    [
      "an access list with a short key",
      typed(FIELDS.with(8, [[RECIPIENT, ["0x01"]]])),
      "TransactionUnreadable",
    ],
    [
      "an access list with a third part",
      typed(FIELDS.with(8, [[RECIPIENT, [], []]])),
      "TransactionUnreadable",
    ],
    ["a tenth field", typed([...FIELDS, "0x"]), "TransactionUnreadable"],
    ["eight fields", typed(FIELDS.slice(0, 8)), "TransactionUnreadable"],
    ["a trailing byte", `${TRANSACTIONS.eip1559}00`, "TransactionUnreadable"],
    ["nothing", "0x", "TransactionUnreadable"],
    ["a thousand lists in each other", `0x02${"f9ffff".repeat(500)}`, "TransactionUnreadable"],
  ])("INV-3 is refused when it is %s", (_name, bytes, expected) => {
    expect(outcome(bytes)).toBe(expected);
  });

  it("P7 a bare digest is no transaction", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => !read(bytesToHex(bytes)).ok),
    );
  });

  it("is refused for a network that the signer does not serve", () => {
    expect(outcome(TRANSACTIONS.eip1559, "Ethereum")).toBe("NetworkNotEnabled");
  });

  it("INV-3 with a byte changed is refused, or is what ethers reads there too", async () => {
    const bytes = hexToBytes(TRANSACTIONS.eip2930);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const spoilt = bytesToHex(bytes.with(at, (bytes[at] ?? 0) ^ mask));
        const result = read(spoilt);
        if (!result.ok) return;
        expect(Transaction.from(spoilt).unsignedHash).toBe(bytesToHex(digestOf(result.value)));
      }),
      { numRuns: 300 },
    );
  });
});
