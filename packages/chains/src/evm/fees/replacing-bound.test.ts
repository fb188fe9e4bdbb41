import type { EvmFeeLevels } from "@conclave/custody";
import fc from "fast-check";
import { hexToBytes, serializeTransaction } from "viem/utils";
import { describe, expect, it } from "vitest";
import { authorised, authorisedCall, NATIVE, SEPOLIA, TEST_ADDRESS } from "../../testing/samples.ts";
import { build } from "../build.ts";
import { callOf } from "../calls/call.ts";
import { decodeAnyUnsigned } from "../decode-any.ts";
import type { EvmNetwork } from "../network.ts";
import { parseTransaction } from "../parse-content.ts";
import { EVM_REPLACEMENTS } from "../replacements.ts";
import { buildTransaction } from "../transaction.ts";
import { wholeFee } from "./fees.ts";
import { mostOfReplacing } from "./replacing-bound.ts";

const GWEI = 1_000_000_000n;
const NETWORK: EvmNetwork = { ...SEPOLIA, rpcUrl: "http://127.0.0.1:9", confirmations: 1 };
const WORD = `0x${"11".repeat(32)}` as const;
const SIGNATURE = { r: WORD, s: WORD, yParity: 1, v: 27n } as const;
const FRAME = { chainId: SEPOLIA.chainId, nonce: 7, gas: 21_000n, ...callOf(NATIVE) };

const lower = (a: bigint, b: bigint): bigint => (a < b ? a : b);

const dynamic = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) =>
  hexToBytes(
    serializeTransaction({ type: "eip1559", ...FRAME, maxFeePerGas, maxPriorityFeePerGas }, SIGNATURE),
  );
const legacy = (type: "legacy" | "eip2930", gasPrice: bigint) =>
  hexToBytes(serializeTransaction({ type, ...FRAME, gasPrice }, SIGNATURE));

const marketOf = (fast: bigint): EvmFeeLevels => {
  const level = (price: bigint) => ({ maxFeePerGas: price.toString(), maxPriorityFeePerGas: "1" });
  return {
    kind: "Eip1559",
    blockNumber: 7,
    baseFeePerGas: "1",
    slow: level(1n),
    standard: level(2n),
    fast: level(fast),
  };
};

describe("a replacement of a transaction", () => {
  it.each([
    ["of type 2", dynamic(50n * GWEI, GWEI), 21_000n * 100n * GWEI],
    ["of type 1", legacy("eip2930", 50n * GWEI), 21_000n * 100n * GWEI],
    ["of type 0", legacy("legacy", 50n * GWEI), 21_000n * 100n * GWEI],
    ["that pays nothing, up to a gwei", legacy("legacy", 0n), 21_000n * GWEI],
    ["that cannot be read", Uint8Array.of(2, 7), undefined],
    ["that is empty", new Uint8Array(), undefined],
    ["that is longer than any transaction", new Uint8Array(70_000), undefined],
    ["whose price is more than 256 bits hold", legacy("legacy", 2n ** 255n), undefined],
  ])("may cost twice of one %s", (_, signed, most) => {
    expect(mostOfReplacing(signed)).toBe(most);
  });

  it.each([
    ["twice, where the market asks less", 30n * GWEI, 21_000n * 100n * GWEI],
    ["what those in haste pay, where that is more", 250n * GWEI, 21_000n * 250n * GWEI],
  ])("may cost %s", (_, fast, most) => {
    expect(mostOfReplacing(dynamic(50n * GWEI, GWEI), marketOf(fast))).toBe(most);
  });

  it("can pay what a node asks for at the least, however little was bid first", () => {
    const replaced = { act: authorised(NATIVE), sequence: 7n, signed: dynamic(10_000_000n, 10_000_000n) };
    const most = { ok: true, value: { maxFee: (21_000n * 25n * GWEI).toString() } };
    expect(EVM_REPLACEMENTS.speedUp(replaced, marketOf(25n * GWEI))).toMatchObject(most);
    expect(EVM_REPLACEMENTS.cancel(replaced, TEST_ADDRESS, marketOf(25n * GWEI))).toMatchObject(most);
  });

  it("is built within that bound and 12.5 % above what waits, whatever the market asks", () => {
    const price = fc.bigInt({ min: 0n, max: 1_000n * GWEI });
    fc.assert(
      fc.property(price, price, price, price, fc.boolean(), (cap, tip, base, marketTip, isCancel) => {
        const earlierTip = lower(tip, cap);
        const replaced = { act: authorised(NATIVE), sequence: 7n, signed: dynamic(cap, earlierTip) };
        const content = isCancel
          ? EVM_REPLACEMENTS.cancel(replaced, TEST_ADDRESS)
          : EVM_REPLACEMENTS.speedUp(replaced);
        const transaction = content.ok ? parseTransaction(content.value) : content;
        if (!transaction.ok) return expect.fail(transaction.problem.message);
        const fees = { kind: "Eip1559", maxFeePerGas: cap, maxPriorityFeePerGas: earlierTip } as const;
        const earlier = buildTransaction({
          chainId: SEPOLIA.chainId,
          nonce: 7n,
          fees,
          gasLimit: 21_000n,
          call: callOf(NATIVE),
        });
        const situation = {
          count: { mined: 7n, pending: 8n },
          balance: 10n ** 24n,
          market: { nextBaseFee: base, rewards: [], suggestedTip: marketTip },
          holding: undefined,
          gasLimits: { block: 30_000_000n, transaction: undefined },
          estimate: 21_000n,
        };
        const built = build(NETWORK, situation, {
          sender: TEST_ADDRESS,
          keys: [],
          act: authorisedCall(transaction.value, 7),
          priority: undefined,
          sequencing: { kind: "replacing", sequence: 7n, earlier },
        });
        const decoded = built.ok ? decodeAnyUnsigned(built.value.unsigned) : built;
        if (!decoded.ok) return expect.fail(decoded.problem.message);
        const most = mostOfReplacing(replaced.signed) ?? expect.fail();
        expect(wholeFee(decoded.value.gasLimit, decoded.value)).toBeLessThanOrEqual(most);
        expect(decoded.value.maxFeePerGas * 8n).toBeGreaterThanOrEqual(cap * 9n);
      }),
    );
  });
});
