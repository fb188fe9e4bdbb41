import type { TransactionReading } from "@conclave/custody";
import { Transaction } from "ethers";
import fc from "fast-check";
import { bytesToHex, concatBytes, hexToBytes, serializeTransaction, toRlp } from "viem/utils";
import { describe, expect, it } from "vitest";
import { authorised, CONTRACT, ERC20, FEES, NATIVE, RECIPIENT, SEPOLIA } from "../testing/samples.ts";
import { callOf } from "./calls/call.ts";
import { exclusionOf } from "./exclusion.ts";
import { readEvmTransaction } from "./read.ts";
import type { EvmTransfer } from "./rules/act.ts";
import { buildTransfer } from "./transaction.ts";

const digestOf = ({ signables }: TransactionReading): Uint8Array => signables[0]?.bytes ?? new Uint8Array();

const OTHER = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

const build = (change: Partial<Parameters<typeof buildTransfer>[0]> = {}): Uint8Array =>
  buildTransfer({
    chainId: SEPOLIA.chainId,
    nonce: 7n,
    fees: FEES,
    gasLimit: 21_000n,
    transfer: NATIVE,
    ...change,
  });

/** A type-2 transaction by viem: the native sample with changes. */
const serialized = (change: Record<string, unknown>): Uint8Array =>
  hexToBytes(
    serializeTransaction({
      type: "eip1559",
      chainId: SEPOLIA.chainId,
      nonce: 7,
      gas: 21_000n,
      ...FEES,
      ...callOf(NATIVE),
      ...change,
    }),
  );

const codeOf = (unsigned: Uint8Array, transfer: EvmTransfer = NATIVE): string => {
  const result = readEvmTransaction(SEPOLIA, unsigned, authorised(transfer));
  return result.ok ? "ok" : `${result.problem.code} ${String(result.problem.details["field"] ?? "")}`.trim();
};

const field = (change: Record<string, unknown>, transfer: EvmTransfer = NATIVE): string =>
  codeOf(serialized(change), transfer);

/** The nine fields of the native sample, which the tests corrupt one by one. */
const FIELDS: readonly unknown[] = [
  "0xaa36a7",
  "0x07",
  "0x3b9aca00",
  "0xb2d05e00",
  "0x5208",
  RECIPIENT,
  "0x0de0b6b3a7640000",
  "0x",
  [],
];
const typed = (fields: readonly unknown[], type = 2): Uint8Array =>
  concatBytes([Uint8Array.of(type), toRlp(JSON.parse(JSON.stringify(fields)), "bytes")]);

describe("reading an unsigned transaction", () => {
  it("accepts the very bytes that were built, and tells digest, nonce and whole fee", () => {
    const unsigned = build();
    const result = readEvmTransaction(SEPOLIA, unsigned, authorised(NATIVE));
    expect(result.ok && result.value.exclusion).toEqual(exclusionOf(11_155_111n, 7n));
    expect(result.ok && result.value.deadlineMs).toBeUndefined();
    expect(result.ok && result.value.fee).toBe(21_000n * FEES.maxFeePerGas);
    expect(result.ok && result.value.signables.map(({ scheme }) => scheme)).toEqual(["CGGMP24"]);
    expect(result.ok && bytesToHex(digestOf(result.value))).toBe(
      Transaction.from(bytesToHex(unsigned)).unsignedHash,
    );
  });

  it("accepts the canonical list of nine fields", () => {
    expect(codeOf(typed(FIELDS))).toBe("ok");
  });

  it("agrees with ethers about every field of any transfer", () => {
    const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => bytesToHex(bytes));
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 40n }),
        fc.bigInt({ min: 1n, max: 2n ** 255n }),
        address,
        fc.option(address, { nil: undefined }),
        (nonce, amount, to, contract) => {
          const transfer =
            contract === undefined
              ? { kind: "Native" as const, to, amount: amount.toString() }
              : { kind: "Erc20" as const, contract, to, amount: amount.toString() };
          const unsigned = build({ nonce, transfer });
          const second = Transaction.from(bytesToHex(unsigned));
          const result = readEvmTransaction(SEPOLIA, unsigned, authorised(transfer));
          expect(result.ok && bytesToHex(digestOf(result.value))).toBe(second.unsignedHash);
          expect(BigInt(second.nonce)).toBe(nonce);
          expect(second.value).toBe(contract === undefined ? amount : 0n);
          expect(second.to?.toLowerCase()).toBe(contract ?? to);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([
    ["chainId", { chainId: 1 }],
    ["to", { to: OTHER }],
    ["to", { to: undefined, data: "0x00" }],
    ["value", { value: 1n }],
    ["data", { data: "0x00" }],
    ["accessList", { accessList: [{ address: OTHER, storageKeys: [] }] }],
  ])("INV-3 refuses a native transfer whose %s differs", (name, change) => {
    expect(field(change)).toBe(`TransactionMismatch ${name}`);
  });

  it.each([
    ["to", { to: OTHER }],
    ["value", { value: 1n }],
    ["data", { data: callOf({ ...ERC20, to: OTHER }).data }],
    ["data", { data: callOf({ ...ERC20, amount: "2500001" }).data }],
    ["data", { data: `${callOf(ERC20).data}00` }],
    ["data", { data: `${callOf(ERC20).data}${"00".repeat(32)}` }],
    ["data", { data: callOf(ERC20).data.slice(0, -2) }],
    ["data", { data: callOf(ERC20).data.replace("a9059cbb", "095ea7b3") }],
    ["data", { data: callOf(ERC20).data.replace("a9059cbb00", "a9059cbb01") }],
    ["data", { data: undefined }],
  ])("INV-3 refuses an ERC-20 transfer whose %s differs", (name, change) => {
    expect(field({ ...callOf(ERC20), value: 0n, ...change }, ERC20)).toBe(`TransactionMismatch ${name}`);
  });

  it("INV-3 refuses a native payment to the contract in place of the token transfer", () => {
    expect(field({ to: CONTRACT }, ERC20)).toBe("TransactionMismatch value");
  });

  it("P7 refuses a bare digest: what is signed is computed here, from a whole transaction", () => {
    const digest = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(fc.property(digest, (bytes) => !readEvmTransaction(SEPOLIA, bytes, authorised(NATIVE)).ok));
    const whole = readEvmTransaction(SEPOLIA, build(), authorised(NATIVE));
    expect(codeOf(whole.ok ? digestOf(whole.value) : build())).toBe("TransactionUnreadable");
  });

  it("refuses a request for another network", () => {
    const result = readEvmTransaction({ ...SEPOLIA, network: "Ethereum" }, build(), authorised(NATIVE));
    expect(result.ok ? "ok" : result.problem.details["field"]).toBe("network");
  });

  it("refuses a fee above the network's cap, and accepts one that meets it", () => {
    const fee = 21_000n * FEES.maxFeePerGas;
    const read = (cap: bigint) =>
      readEvmTransaction({ ...SEPOLIA, feeCap: cap.toString() }, build(), authorised(NATIVE));
    const above = read(fee - 1n);
    expect(above.ok ? "ok" : above.problem.code).toBe("FeeAboveCap");
    expect(read(fee).ok).toBe(true);
  });

  it("refuses a transaction that carries a signature", () => {
    const word = `0x${"11".repeat(32)}` as const;
    const signed = serializeTransaction(
      { type: "eip1559", chainId: SEPOLIA.chainId, nonce: 7, gas: 21_000n, ...FEES, ...callOf(NATIVE) },
      { r: word, s: word, yParity: 1 },
    );
    expect(codeOf(hexToBytes(signed))).toBe("TransactionMismatch signature");
  });

  it.each([
    [
      "EIP-2930",
      hexToBytes(
        serializeTransaction({ type: "eip2930", chainId: SEPOLIA.chainId, gasPrice: 1n, ...callOf(NATIVE) }),
      ),
    ],
    ["blob", typed([...FIELDS, "0x01", [`0x01${"00".repeat(31)}`]], 3)],
    ["set-code", typed([...FIELDS, []], 4)],
  ])("refuses the type %s", (_name, unsigned) => {
    expect(codeOf(unsigned)).toBe("TransactionMismatch type");
  });

  it("accepts a legacy transaction that names its chain, and none that does not", () => {
    const legacy = (chainId: number | undefined) =>
      codeOf(
        hexToBytes(
          serializeTransaction({
            type: "legacy",
            ...(chainId === undefined ? {} : { chainId }),
            nonce: 7,
            gas: 21_000n,
            gasPrice: 1n,
            ...callOf(NATIVE),
          }),
        ),
      );
    expect([legacy(SEPOLIA.chainId), legacy(1), legacy(undefined)]).toEqual([
      "ok",
      "TransactionMismatch chainId",
      "TransactionMismatch chainId",
    ]);
  });

  it.each([
    ["nothing", new Uint8Array()],
    ["a trailing byte", concatBytes([build(), Uint8Array.of(0)])],
    ["a missing byte", build().slice(0, -1)],
    ["a tenth field", typed([...FIELDS, "0x"])],
    ["eight fields", typed(FIELDS.slice(0, 8))],
    ["a nonce with a leading zero", typed(FIELDS.with(1, "0x0007"))],
    ["a nonce of one zero byte", typed(FIELDS.with(1, "0x00"))],
    ["a nonce that is a list", typed([FIELDS[0], [], ...FIELDS.slice(2)])],
    ["a nonce above 2^53", typed(FIELDS.with(1, "0xffffffffffffffff"))],
    ["a value with a leading zero", typed(FIELDS.with(6, "0x000de0b6b3a7640000"))],
    ["a tip above the cap", typed(FIELDS.with(2, "0xb2d05e01"))],
    ["an address of 19 bytes", typed(FIELDS.with(5, RECIPIENT.slice(0, -2)))],
    ["an access list that is a string", typed(FIELDS.with(8, "0x01"))],
    ["64 KiB and one", concatBytes([Uint8Array.of(2), new Uint8Array(65_536)])],
    ["an unknown leading byte", concatBytes([Uint8Array.of(0x90), build().slice(1)])],
  ])("refuses %s as unreadable", (_name, unsigned) => {
    expect(codeOf(unsigned)).toBe("TransactionUnreadable");
  });

  it("refuses a list whose length prefix is not the shortest", () => {
    const inner = build().slice(2);
    const long = concatBytes([Uint8Array.of(2, 0xf8, inner.length), inner]);
    expect(codeOf(long)).toBe("TransactionUnreadable");
  });

  it("never throws, whatever the bytes, and accepts no changed byte", () => {
    const original = build();
    fc.assert(
      fc.property(fc.nat(original.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const spoilt = original.slice();
        spoilt[at] = (spoilt[at] ?? 0) ^ mask;
        const result = readEvmTransaction(SEPOLIA, spoilt, authorised(NATIVE));
        if (!result.ok) return;
        // the orchestrator may choose fees, gas and nonce; everything else is fixed
        const second = Transaction.from(bytesToHex(spoilt));
        expect([second.to?.toLowerCase(), second.value, second.data, second.chainId]).toEqual([
          RECIPIENT,
          10n ** 18n,
          "0x",
          BigInt(SEPOLIA.chainId),
        ]);
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(readEvmTransaction(SEPOLIA, bytes, authorised(NATIVE)).ok).toBe(false);
      }),
    );
  });
});
