import type { Act, EvmFeeLevels } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { authorised, authorisedCall, ERC20, FEES, NATIVE, RECIPIENT, SEPOLIA } from "../testing/index.ts";
import { EVM_REPLACEMENTS } from "./replacements.ts";
import type { EvmCall } from "./rules/act.ts";
import { buildTransaction } from "./transaction.ts";

const GAS = 60_000n;
const CALL: EvmCall = { kind: "Call", to: RECIPIENT, value: "7", data: "" };
const STUCK = buildTransaction({
  chainId: SEPOLIA.chainId,
  nonce: 4n,
  fees: { kind: "Eip1559", ...FEES },
  gasLimit: GAS,
  call: { to: RECIPIENT, value: 7n, data: "0x" },
});
const level = { maxFeePerGas: "1", maxPriorityFeePerGas: "1" };
const market: EvmFeeLevels = {
  kind: "Eip1559",
  blockNumber: 7,
  baseFeePerGas: "1",
  slow: level,
  standard: level,
  fast: level,
};
const bump = (act: Act, cap = "100000000000", unsigned = STUCK) =>
  EVM_REPLACEMENTS.bump?.({
    replaced: { act, sequence: 4n, signed: new Uint8Array() },
    unsigned,
    cap,
    market,
  });

describe("the service's own bid on EVM", () => {
  it.each<[string, Act, object]>([
    ["a transfer", authorised(NATIVE), { to: NATIVE.to, value: NATIVE.amount, data: "" }],
    ["a token transfer", authorised(ERC20), { to: ERC20.contract, value: "0" }],
    ["a call", authorisedCall(CALL), { to: RECIPIENT, value: "7", data: "" }],
    ["what was sped up before", authorisedCall({ ...CALL, nonce: 4, maxFee: "9" }), { value: "7" }],
    ["a call of which the kind alone is fixed", authorisedCall({ ...CALL, fees: { kind: "Legacy" } }), {}],
  ])("is the same in the same place, bounded for the gas of what waits: %s", (_, act, call) => {
    expect(bump(act)).toMatchObject({
      ok: true,
      value: {
        kind: "bid",
        content: { kind: "Call", nonce: 4, maxFee: (GAS * 2n * FEES.maxFeePerGas).toString(), ...call },
      },
    });
  });

  it.each<[string, Act]>([
    ["a fee cap", authorisedCall({ ...CALL, fees: { kind: "Eip1559", maxFeePerGas: "5" } })],
    ["a tip", authorisedCall({ ...CALL, fees: { kind: "Eip1559", maxPriorityFeePerGas: "5" } })],
    ["a gas price", authorisedCall({ ...CALL, fees: { kind: "Legacy", gasPrice: "5" } })],
    ["own bytes", authorisedCall({ kind: "Exact", unsigned: Buffer.from(STUCK).toString("hex") })],
  ])("is nothing where the caller chose: %s", (_, act) => {
    expect(bump(act)).toEqual({ ok: true, value: { kind: "callers-fee" } });
  });

  it("keeps the gas limit that its caller fixed: what an estimate says may not be enough", () => {
    const fixed = authorisedCall({ ...CALL, gasLimit: GAS.toString() });
    expect(bump(fixed)).toMatchObject({ ok: true, value: { content: { gasLimit: GAS.toString() } } });
    const again = EVM_REPLACEMENTS.speedUp({ act: fixed, sequence: 4n, signed: new Uint8Array() });
    expect(again).toMatchObject({ ok: true, value: { gasLimit: GAS.toString() } });
  });

  it("INV-4 is nothing in another place than that of the bytes that wait", () => {
    const replaced = { act: authorised(NATIVE), sequence: 5n, signed: new Uint8Array() };
    expect(EVM_REPLACEMENTS.bump?.({ replaced, unsigned: STUCK, cap: "100000000000", market })).toMatchObject(
      {
        ok: false,
        problem: { code: "TransactionMismatch", details: { field: "nonce" } },
      },
    );
  });

  it("is nothing above the cap", () => {
    expect(bump(authorised(NATIVE), "3375000000")).toEqual({
      ok: true,
      value: { kind: "above-cap", least: "3375000001" },
    });
  });

  it("is nothing for bytes that cannot be read, from any author", () => {
    expect(bump(authorised(NATIVE), undefined, Uint8Array.of(2, 1))).toMatchObject({
      ok: false,
      problem: { code: "TransactionUnreadable" },
    });
  });
});
