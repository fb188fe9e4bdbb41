import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { isStellarAssetCode, spellStellarToken } from "../rules/asset.ts";
import type { StellarAccount, Trustline } from "../situation.ts";
import { askStellar, type StellarFound, type StellarRest } from "./rest.ts";

/** Base reserves of an empty account (Stellar documentation, "Minimum balance"). */
const ACCOUNT_RESERVES = 2;

/** An amount in Horizon's notation, with all decimals, in the smallest unit. */
const amount = z
  .string()
  .regex(/^[0-9]{1,12}\.[0-9]{7}$/)
  .transform((text) => BigInt(text.replace(".", "")));
const count = z.int().nonnegative();

const lumensSchema = z.object({
  asset_type: z.literal("native"),
  balance: amount,
  selling_liabilities: amount.default(0n),
});
const lineSchema = z.object({
  asset_type: z.enum(["credit_alphanum4", "credit_alphanum12"]),
  asset_code: z.string().refine(isStellarAssetCode),
  asset_issuer: z.string(),
  balance: amount,
  limit: amount,
  buying_liabilities: amount.default(0n),
  selling_liabilities: amount.default(0n),
  is_authorized: z.boolean().default(true),
});
/** pool shares; they are no asset that the service moves */
const shareSchema = z.object({ asset_type: z.literal("liquidity_pool_shares") });

const accountSchema = z.object({
  account_id: z.string(),
  sequence: z.string().regex(/^[0-9]{1,19}$/),
  subentry_count: count,
  num_sponsoring: count.default(0),
  num_sponsored: count.default(0),
  thresholds: z.object({ low_threshold: count.default(0), med_threshold: count }),
  signers: z.array(z.object({ key: z.string(), weight: count })),
  balances: z.array(z.discriminatedUnion("asset_type", [lumensSchema, lineSchema, shareSchema])),
  data: z.record(z.string(), z.string()).default({}),
});
type Found = z.infer<typeof accountSchema>;

/** SEP-29: the value "1", in base64. */
const MEMO_REQUIRED = "config.memo_required";
const YES = "MQ==";

const trustlineOf = (balance: Found["balances"][number]): readonly Trustline[] =>
  balance.asset_type === "native" || balance.asset_type === "liquidity_pool_shares"
    ? []
    : [
        {
          token: spellStellarToken({ code: balance.asset_code, issuer: balance.asset_issuer }),
          balance: balance.balance,
          limit: balance.limit,
          buying: balance.buying_liabilities,
          selling: balance.selling_liabilities,
          isAuthorised: balance.is_authorized,
        },
      ];

const accountIn = (found: Found): StellarAccount => {
  const lumens = found.balances.find((balance) => balance.asset_type === "native");
  const own = found.signers.find(({ key }) => key === found.account_id);
  const reserves = ACCOUNT_RESERVES + found.subentry_count + found.num_sponsoring - found.num_sponsored;
  return {
    sequence: BigInt(found.sequence),
    balance: lumens?.balance ?? 0n,
    selling: lumens?.selling_liabilities ?? 0n,
    reserves: BigInt(Math.max(reserves, 0)),
    weight: own?.weight ?? 0,
    // the transaction itself needs the low threshold, and each supported operation the medium one
    threshold: Math.max(found.thresholds.low_threshold, found.thresholds.med_threshold),
    weightOfAll: found.signers.reduce((sum, { weight }) => sum + weight, 0),
    wantsMemo: found.data[MEMO_REQUIRED] === YES,
    trustlines: found.balances.flatMap(trustlineOf),
  };
};

/**
 * An account, and the ledger for which the node's answer is true.
 *
 * @param address a valid address
 */
export const stellarAccountAt = async (
  rest: StellarRest,
  address: string,
): Promise<Result<StellarFound<StellarAccount>>> => {
  const found = await askStellar(rest, `/accounts/${address}`, accountSchema);
  if (!found.ok) return found;
  const { value, ledger } = found.value;
  return ok({ value: value === undefined ? undefined : accountIn(value), ledger });
};

/** @returns undefined if the account does not exist */
export const stellarAccountOf = async (
  rest: StellarRest,
  address: string,
): Promise<Result<StellarAccount | undefined>> => {
  const found = await stellarAccountAt(rest, address);
  return found.ok ? ok(found.value.value) : found;
};
