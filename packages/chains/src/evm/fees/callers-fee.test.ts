import {
  evaluatePolicies,
  keyIdSchema,
  makePrices,
  NOTHING_SPENT,
  networkSchema,
  organisationIdSchema,
  policyBodySchema,
  policyIdSchema,
  priceListSchema,
  walletIdSchema,
  worthOf,
} from "@conclave/custody";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FAMILIES } from "../../registry.ts";
import { authorisedCall, FEES, RECIPIENT, SEPOLIA } from "../../testing/samples.ts";
import { EVM_FAMILY } from "../family.ts";
import type { EvmNetwork } from "../network.ts";
import { readEvmTransaction } from "../read.ts";
import type { EvmCall, EvmTransaction } from "../rules/act.ts";
import { buildTransaction, type TransactionFees } from "../transaction.ts";

const NETWORK: EvmNetwork = { ...SEPOLIA, rpcUrl: "http://127.0.0.1:9", confirmations: 1 };
const CAP = SEPOLIA.feeCap;
const NONCE = 7;
const CALL: EvmCall = { kind: "Call", to: RECIPIENT, value: "5", data: "" };

const hexOf = (fees: TransactionFees, gasLimit: bigint, value = 5n): string => {
  const call = { to: RECIPIENT, value, data: "0x" } as const;
  const draft = { chainId: SEPOLIA.chainId, nonce: BigInt(NONCE), fees, gasLimit, call };
  return Buffer.from(buildTransaction(draft)).toString("hex");
};
const feeOf = (content: EvmTransaction | typeof ALONE, isReplacement = false): string | undefined =>
  EVM_FAMILY.effectsOf(NETWORK, content, isReplacement).fee;
const ALONE = {
  kind: "transaction",
  network: SEPOLIA.network,
  transaction: hexOf({ kind: "Eip1559", ...FEES }, 50_000n),
} as const;

describe("the cost that a caller can cause by a request", () => {
  const legacy = { kind: "Legacy", gasPrice: "9" } as const;
  const dynamic = { kind: "Eip1559", maxFeePerGas: "9", maxPriorityFeePerGas: "2" } as const;
  const tip = { kind: "Eip1559", maxPriorityFeePerGas: "2" } as const;

  it.each<[string, EvmTransaction | typeof ALONE, string | undefined]>([
    ["gas limit and gas price", { ...CALL, gasLimit: "21000", fees: legacy }, "189000"],
    ["gas limit and fee cap", { ...CALL, gasLimit: "21000", fees: dynamic }, "189000"],
    ["no price at all", { ...CALL, gasLimit: "21000", fees: { kind: "Legacy", gasPrice: "0" } }, "0"],
    ["a gas price alone", { ...CALL, fees: legacy }, CAP],
    ["a fee cap alone", { ...CALL, fees: dynamic }, CAP],
    ["a tip alone", { ...CALL, fees: tip }, CAP],
    ["a tip and a gas limit", { ...CALL, gasLimit: "21000", fees: tip }, CAP],
    ["a gas limit alone", { ...CALL, gasLimit: "21000" }, CAP],
    ["nothing", CALL, undefined],
    ["the type alone", { ...CALL, fees: { kind: "Eip1559" } }, undefined],
    ["the nonce alone", { ...CALL, nonce: NONCE }, undefined],
    ["what the authority allows", { ...CALL, maxFee: "70" }, "70"],
    ["more than the network's cap, which signers refuse", { ...CALL, maxFee: `${CAP}0` }, CAP],
    ["legacy bytes", { kind: "Exact", unsigned: hexOf({ kind: "Legacy", gasPrice: 9n }, 50_000n) }, "450000"],
    ["bytes to sign alone", ALONE, (50_000n * FEES.maxFeePerGas).toString()],
  ])("with %s", (_, content, fee) => {
    expect(feeOf(content)).toBe(fee);
  });

  it("is the cap for what takes the place of another without fees of its own", () => {
    expect([feeOf(CALL, true), feeOf({ ...CALL, maxFee: "70" }, true)]).toEqual([CAP, "70"]);
  });

  it("is nothing for a transfer, whose fees the service chooses", () => {
    const transfer = { kind: "Native", to: RECIPIENT, amount: "5" };
    expect(EVM_FAMILY.effectsOf(NETWORK, transfer, false).fee).toBeUndefined();
  });

  it("is unknown on a network that nobody serves", () => {
    expect(EVM_FAMILY.effectsOf(undefined, { ...CALL, fees: legacy }, false).unknown).toMatch(/fees/);
  });
});

describe("signers", () => {
  const read = (unsigned: string, transaction: EvmTransaction) =>
    readEvmTransaction(SEPOLIA, Buffer.from(unsigned, "hex"), authorisedCall(transaction));

  it("INV-3 refuse a fee above what the authority allows, and accept one that meets it", () => {
    const unsigned = hexOf({ kind: "Legacy", gasPrice: 3n }, 50_000n);
    const above = read(unsigned, { ...CALL, maxFee: "149999" });
    expect(above.ok ? "ok" : [above.problem.code, above.problem.details["feeCap"]]).toEqual([
      "FeeAboveCap",
      "149999",
    ]);
    expect(read(unsigned, { ...CALL, maxFee: "150000" }).ok).toBe(true);
  });

  it("do not let the authority raise the network's cap", () => {
    const dear = hexOf({ kind: "Legacy", gasPrice: BigInt(CAP) }, 21_000n);
    const result = read(dear, { ...CALL, maxFee: `${CAP}000000` });
    expect(result.ok ? "ok" : result.problem.code).toBe("FeeAboveCap");
  });
});

describe("an amount limit", () => {
  const network = networkSchema.parse(SEPOLIA.network);
  const DOLLARS_PER_ETHER = 2_000n;
  const list = [{ network, asset: "Native", EUR: 1_800, USD: Number(DOLLARS_PER_ETHER) }];
  const PRICES = makePrices(priceListSchema(FAMILIES).parse(list), FAMILIES);
  const id = (prefix: string) => `${prefix}-aaaaa-bbbbb-${"c".repeat(16)}`;

  const allows = (limit: string, content: EvmTransaction, isReplacement: boolean): boolean => {
    const effects = EVM_FAMILY.effectsOf(NETWORK, content, isReplacement);
    const date = "2026-01-01T00:00:00.000Z";
    const policy = {
      id: policyIdSchema.parse(id("plc")),
      orgId: organisationIdSchema.parse(id("or")),
      status: "Active",
      body: policyBodySchema.parse({
        name: "limit",
        activityKind: "Wallets:Sign",
        rule: { kind: "TransactionAmountLimit", configuration: { limit, currency: "USD" } },
        action: { kind: "Block" },
      }),
      dateCreated: date,
      dateUpdated: date,
    } as const;
    const wallets = [{ id: walletIdSchema.parse(id("wa")), tags: [] }];
    const keyId = keyIdSchema.parse(id("key"));
    const activity = { kind: "Wallets:Sign", keyId, wallets, effects, spell: EVM_FAMILY.spell } as const;
    const facts = { value: worthOf(effects, network, PRICES), spent: () => NOTHING_SPENT };
    return evaluatePolicies([policy], activity, facts).kind === "Allowed";
  };

  /** Values from one up to the order of 10^most, uniform over magnitudes. */
  const magnitude = (most: number) =>
    fc
      .tuple(fc.integer({ min: 0, max: most }), fc.bigInt({ min: 1n, max: 99n }))
      .map(([exponent, head]) => head * 10n ** BigInt(exponent));
  const gas = fc.oneof(fc.constant(21_000n), fc.bigInt({ min: 21_000n, max: 3_000_000n }));
  const option = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
  const seldom = fc.nat(4).map((chance) => chance === 0);
  const fees = fc.record({
    kind: fc.constantFrom("Legacy" as const, "Eip1559" as const),
    /** up to the price at which a plain payment costs the cap: uniform over prices, or over magnitudes */
    price: fc.oneof(fc.bigInt({ min: 1n, max: BigInt(CAP) / 21_000n }), magnitude(13)),
    tip: magnitude(11),
  });
  const whole = ({ kind, price, tip }: { kind: "Legacy" | "Eip1559"; price: bigint; tip: bigint }) =>
    kind === "Legacy"
      ? ({ kind, gasPrice: price } as const)
      : ({ kind, maxFeePerGas: price, maxPriorityFeePerGas: tip < price ? tip : price } as const);

  const scenario = fc.record({
    value: magnitude(16),
    limit: fc.integer({ min: 1, max: 500 }),
    gasLimit: option(gas),
    fees: option(fc.record({ fixed: fees, price: fc.boolean(), tip: fc.boolean() })),
    isExact: seldom,
    isReplacement: seldom,
    maxFee: fc.option(magnitude(16), { nil: undefined, freq: 2 }),
    /** the fields that an orchestrator may choose, or lie about */
    written: fc.record({ gas, fees, lies: seldom }),
  });
  type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

  const wantedFees = ({ fees: wanted }: Scenario): EvmCall["fees"] => {
    if (wanted === undefined) return undefined;
    const all = whole(wanted.fixed);
    if (all.kind === "Legacy") {
      return { kind: "Legacy", ...(wanted.price ? { gasPrice: all.gasPrice.toString() } : {}) };
    }
    return {
      kind: "Eip1559",
      ...(wanted.price ? { maxFeePerGas: all.maxFeePerGas.toString() } : {}),
      ...(wanted.tip ? { maxPriorityFeePerGas: all.maxPriorityFeePerGas.toString() } : {}),
    };
  };
  const wantedOf = (asked: Scenario): EvmTransaction => {
    const { value, gasLimit, isExact, maxFee, written } = asked;
    if (isExact) return { kind: "Exact", unsigned: hexOf(whole(written.fees), written.gas, value) };
    const wanted = wantedFees(asked);
    return {
      ...CALL,
      value: value.toString(),
      ...(gasLimit === undefined ? {} : { gasLimit: gasLimit.toString() }),
      ...(wanted === undefined ? {} : { fees: wanted }),
      ...(maxFee === undefined || gasLimit !== undefined || wanted !== undefined
        ? {}
        : { maxFee: maxFee.toString() }),
    };
  };
  const writtenOf = ({ value, gasLimit, fees: wanted, isExact, written }: Scenario): string => {
    if (isExact || written.lies) return hexOf(whole(written.fees), written.gas, value);
    const { fixed = written.fees, price = false, tip = false } = wanted ?? {};
    const merged = {
      kind: fixed.kind,
      price: price ? fixed.price : written.fees.price,
      tip: tip ? fixed.tip : written.fees.tip,
    };
    return hexOf(whole(merged), gasLimit ?? written.gas, value);
  };

  it("row 14: bounds amount and fee of whatever signers accept, as soon as the caller fixed a part of the fee", () => {
    const seen = { counted: 0, free: 0 };
    fc.assert(
      fc.property(scenario, (asked) => {
        const wanted = wantedOf(asked);
        const act = authorisedCall(wanted, asked.isReplacement ? NONCE : undefined);
        const read = readEvmTransaction(SEPOLIA, Buffer.from(writtenOf(asked), "hex"), act);
        if (!read.ok || !allows(String(asked.limit), wanted, asked.isReplacement)) return;
        const isFree =
          wanted.kind === "Call" &&
          !asked.isReplacement &&
          wanted.maxFee === undefined &&
          wanted.gasLimit === undefined &&
          Object.keys(wanted.fees ?? {}).length <= 1;
        seen[isFree ? "free" : "counted"]++;
        const leaving = asked.value + (isFree ? 0n : read.value.fee);
        expect(leaving * DOLLARS_PER_ETHER).toBeLessThanOrEqual(BigInt(asked.limit) * 10n ** 18n);
        expect(read.value.fee).toBeLessThanOrEqual(BigInt(CAP));
      }),
      { numRuns: 500 },
    );
    expect([seen.counted, seen.free].map((times) => times > 10)).toEqual([true, true]);
  });
});
