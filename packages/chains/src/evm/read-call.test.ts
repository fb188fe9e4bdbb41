import fc from "fast-check";
import { bytesToHex, hexToBytes, serializeTransaction } from "viem/utils";
import { describe, expect, it } from "vitest";
import { authorisedCall, CONTRACT, FEES, RECIPIENT, SEPOLIA } from "../testing/samples.ts";
import { requestedCall } from "./calls/call.ts";
import { readEvmTransaction } from "./read.ts";
import type { EvmCall, EvmTransaction } from "./rules/act.ts";
import { buildTransaction, type TransactionDraft } from "./transaction.ts";

const CALL: EvmCall = { kind: "Call", to: CONTRACT, value: "12", data: "a9059cbb00" };
/** A call with every field that a caller can fix. */
const FIXED: EvmCall = {
  ...CALL,
  nonce: 7,
  gasLimit: "90000",
  fees: {
    kind: "Eip1559",
    maxFeePerGas: FEES.maxFeePerGas.toString(),
    maxPriorityFeePerGas: FEES.maxPriorityFeePerGas.toString(),
  },
};

const build = (change: Partial<TransactionDraft> = {}, call: Partial<TransactionDraft["call"]> = {}) =>
  buildTransaction({
    chainId: SEPOLIA.chainId,
    nonce: 7n,
    fees: { kind: "Eip1559", ...FEES },
    gasLimit: 90_000n,
    call: { ...requestedCall(CALL), ...call },
    ...change,
  });

const codeOf = (unsigned: Uint8Array, wanted: EvmTransaction, replacedNonce?: number) => {
  const result = readEvmTransaction(SEPOLIA, unsigned, authorisedCall(wanted, replacedNonce));
  return result.ok ? "ok" : `${result.problem.code} ${result.problem.details["field"] ?? ""}`.trim();
};

describe("reading a transaction that a caller asked for", () => {
  it("accepts the service's nonce, gas and fees where the caller left them open, and his where he fixed them", () => {
    expect(codeOf(build(), CALL)).toBe("ok");
    expect(codeOf(build({ nonce: 8n, gasLimit: 1n, fees: { kind: "Legacy", gasPrice: 5n } }), CALL)).toBe(
      "ok",
    );
    expect(codeOf(build(), FIXED)).toBe("ok");
  });

  it.each([
    ["chainId", build({ chainId: 1 })],
    ["to", build({}, { to: RECIPIENT })],
    ["to", build({}, { to: undefined })],
    ["value", build({}, { value: 13n })],
    ["data", build({}, { data: "0xa9059cbb01" })],
    ["data", build({}, { data: "0xa9059cbb0000" })],
    ["data", build({}, { data: "0x" })],
    [
      "accessList",
      hexToBytes(
        serializeTransaction({
          type: "eip1559",
          chainId: SEPOLIA.chainId,
          nonce: 7,
          gas: 90_000n,
          ...FEES,
          to: CONTRACT,
          value: 12n,
          data: "0xa9059cbb00",
          accessList: [{ address: RECIPIENT, storageKeys: [] }],
        }),
      ),
    ],
  ])("INV-3 refuses one whose %s differs, whether or not the rest is fixed", (field, unsigned) => {
    expect(codeOf(unsigned, CALL)).toBe(`TransactionMismatch ${field}`);
    expect(codeOf(unsigned, FIXED)).toBe(`TransactionMismatch ${field}`);
  });

  it.each([
    ["nonce", { nonce: 8n }],
    ["gasLimit", { gasLimit: 90_001n }],
    ["type", { fees: { kind: "Legacy", gasPrice: FEES.maxFeePerGas } }],
    ["maxFeePerGas", { fees: { kind: "Eip1559", ...FEES, maxFeePerGas: FEES.maxFeePerGas + 1n } }],
    ["maxPriorityFeePerGas", { fees: { kind: "Eip1559", ...FEES, maxPriorityFeePerGas: 0n } }],
  ] as const)("INV-3 refuses one whose %s differs from what the caller fixed", (field, change) => {
    expect(codeOf(build(change), FIXED)).toBe(`TransactionMismatch ${field}`);
  });

  it("INV-3 refuses another gas price, or another type, than the caller fixed", () => {
    const legacy: EvmCall = { ...CALL, fees: { kind: "Legacy", gasPrice: "5" } };
    expect(codeOf(build({ fees: { kind: "Legacy", gasPrice: 5n } }), legacy)).toBe("ok");
    expect(codeOf(build({ fees: { kind: "Legacy", gasPrice: 6n } }), legacy)).toBe(
      "TransactionMismatch gasPrice",
    );
    expect(codeOf(build(), legacy)).toBe("TransactionMismatch type");
  });

  it("INV-3 refuses a call in place of a deployment", () => {
    const deploy: EvmCall = { kind: "Call", value: "0", data: "6001" };
    expect(codeOf(build({}, { to: undefined, value: 0n, data: "0x6001" }), deploy)).toBe("ok");
    expect(codeOf(build({}, { value: 0n, data: "0x6001" }), deploy)).toBe("TransactionMismatch to");
  });

  it("INV-4 refuses a replacement under any other nonce than that of what it replaces", () => {
    expect(codeOf(build(), CALL, 7)).toBe("ok");
    expect(codeOf(build({ nonce: 8n }), CALL, 7)).toBe("TransactionMismatch nonce");
    expect(codeOf(build(), { kind: "Exact", unsigned: bytesToHex(build()).slice(2) }, 8)).toBe(
      "TransactionMismatch nonce",
    );
  });

  it("refuses a fee above the network's cap, though the caller asked for it", () => {
    const network = { ...SEPOLIA, feeCap: (90_000n * FEES.maxFeePerGas - 1n).toString() };
    const result = readEvmTransaction(network, build(), authorisedCall(FIXED));
    expect(result.ok ? "ok" : result.problem.code).toBe("FeeAboveCap");
  });

  it("INV-3 accepts the caller's own bytes, and not one byte else", () => {
    const unsigned = build();
    const exact = { kind: "Exact", unsigned: bytesToHex(unsigned).slice(2) } as const;
    expect(codeOf(unsigned, exact)).toBe("ok");
    fc.assert(
      fc.property(fc.nat(unsigned.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const spoilt = unsigned.slice();
        spoilt[at] = (spoilt[at] ?? 0) ^ mask;
        expect(codeOf(spoilt, exact)).not.toBe("ok");
      }),
    );
  });

  it("INV-3 refuses the caller's own bytes for another chain", () => {
    const unsigned = build({ chainId: 1 });
    const exact = { kind: "Exact", unsigned: bytesToHex(unsigned).slice(2) } as const;
    expect(codeOf(unsigned, exact)).toBe("TransactionMismatch chainId");
  });
});

describe("reading what takes the place of another", () => {
  const outcome = (act: ReturnType<typeof authorisedCall>) => {
    const result = readEvmTransaction(SEPOLIA, build(), act);
    return result.ok ? "ok" : `${result.problem.code} ${result.problem.details["field"] ?? ""}`;
  };

  it("INV-4 is refused when the authority fixed no account nonce: nothing would tell that only one of them lands", () => {
    const act = authorisedCall(CALL, 7);
    expect(outcome(act)).toBe("ok");
    expect(outcome({ ...act, transaction: { ...CALL } })).toBe("TransactionMismatch nonce");
  });

  it("INV-3 is refused when other keys are to sign it, or its family does not know a field", () => {
    const act = authorisedCall(CALL);
    expect(outcome({ ...act, cosigners: [act.keyId] })).toBe("TransactionMismatch cosigners");
    expect(outcome({ ...act, transaction: { ...CALL, gas: "1" } })).toBe("TransactionMismatch content");
  });
});
