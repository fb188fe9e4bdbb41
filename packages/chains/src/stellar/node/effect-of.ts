import { type FamilyContent, ok, type Result } from "@conclave/custody";
import { z } from "zod";
import type { Sighting } from "../../chain.ts";
import { STELLAR_CONTENT } from "../content.ts";
import type { StellarTransfer } from "../rules/act.ts";
import { stellarPageSchema } from "./pages.ts";
import { askStellar, type StellarRest } from "./rest.ts";

/** The outcome of a transaction in a ledger. */
export type StellarEffect = Pick<
  Extract<Sighting, { readonly kind: "included" }>,
  "succeeded" | "movedNothing" | "arrived" | "reason"
>;

/** Far more than the effects of one operation. */
const EFFECTS_MAX = 200;

/** An amount with all decimals, in the smallest unit. */
const amount = z
  .string()
  .regex(/^[0-9]{1,33}\.[0-9]{7}$/)
  .transform((text) => BigInt(text.replace(".", "")));

const effectSchema = z.object({
  type: z.string(),
  account: z.string().optional(),
  contract: z.string().optional(),
  amount: amount.optional(),
  starting_balance: amount.optional(),
  asset_type: z.string().optional(),
  asset_code: z.string().optional(),
  asset_issuer: z.string().optional(),
});
type Effect = z.output<typeof effectSchema>;

const isOfAsset = (effect: Effect, transfer: StellarTransfer): boolean =>
  transfer.kind === "Native"
    ? effect.asset_type === "native"
    : effect.asset_code === transfer.assetCode && effect.asset_issuer === transfer.issuer;

/** The amount that an effect gave the recipient, in the transfer's asset. */
const broughtBy = (effect: Effect, transfer: StellarTransfer): bigint => {
  switch (effect.type) {
    case "account_created":
      return effect.account === transfer.to && transfer.kind === "Native"
        ? (effect.starting_balance ?? 0n)
        : 0n;
    case "account_credited":
      return effect.account === transfer.to && isOfAsset(effect, transfer) ? (effect.amount ?? 0n) : 0n;
    case "contract_credited":
      return effect.contract === transfer.to && isOfAsset(effect, transfer) ? (effect.amount ?? 0n) : 0n;
    default:
      return 0n;
  }
};

/**
 * The amount that the recipient of an expected transfer got, by Horizon's effects. By the protocol, a successful
 * payment moves its whole amount, and so does a call of an asset's own contract. So an answer without any effect, from
 * a Horizon that keeps none or leaves out those of contracts, counts as the whole amount.
 */
export const stellarEffect = async (
  rest: StellarRest,
  id: string,
  expected: FamilyContent | undefined,
): Promise<Result<StellarEffect>> => {
  const transfer = expected === undefined ? undefined : STELLAR_CONTENT.parseTransfer(expected);
  if (transfer?.ok !== true) return ok({ succeeded: true });
  const path = `/transactions/${id}/effects?limit=${EFFECTS_MAX}`;
  const effects = await askStellar(rest, path, stellarPageSchema(effectSchema));
  if (!effects.ok) return effects;
  const records = effects.value.value?._embedded.records ?? [];
  const { to, amount: wanted } = transfer.value;
  const arrived = records.reduce((sum, effect) => sum + broughtBy(effect, transfer.value), 0n);
  if (arrived === BigInt(wanted)) return ok({ succeeded: true });
  if (arrived > 0n) return ok({ succeeded: true, arrived });
  return records.length === 0 || to.startsWith("C")
    ? ok({ succeeded: true })
    : ok({ succeeded: false, movedNothing: true, reason: `its effects bring nothing to ${to}` });
};
