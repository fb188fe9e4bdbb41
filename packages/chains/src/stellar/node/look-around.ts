import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import type { FeeStatistics } from "../fee.ts";
import { counterpartyOf, type StellarPlan } from "../plan.ts";
import type { StellarSituation } from "../situation.ts";
import { stellarAccountOf } from "./accounts.ts";
import { lastLedger } from "./ledgers.ts";
import { demandStellar, type StellarRest } from "./rest.ts";

const rootSchema = z.object({ network_passphrase: z.string() });

/** Horizon writes the numbers of its statistics as text. */
const stroops = z
  .string()
  .regex(/^[0-9]{1,18}$/)
  .transform((text) => BigInt(text));
const feesSchema = z.object({
  last_ledger_base_fee: stroops,
  fee_charged: z.object({ p90: stroops }),
});

/** The network passphrase, which identifies the node's chain. */
export const passphraseOf = async (rest: StellarRest): Promise<Result<string>> => {
  const root = await demandStellar(rest, "/", rootSchema);
  return root.ok ? ok(root.value.network_passphrase) : root;
};

const feesNow = async (rest: StellarRest): Promise<Result<FeeStatistics>> => {
  const fees = await demandStellar(rest, "/fee_stats", feesSchema);
  if (!fees.ok) return fees;
  return ok({ base: fees.value.last_ledger_base_fee, usual: fees.value.fee_charged.p90 });
};

/** Everything on which a transaction depends, asked at once. */
export const stellarSituation = async (
  rest: StellarRest,
  from: string,
  plan: StellarPlan,
): Promise<Result<StellarSituation>> => {
  const counterpart = counterpartyOf(plan);
  const [passphrase, ledger, fees, sender, recipient] = await Promise.all([
    passphraseOf(rest),
    lastLedger(rest),
    feesNow(rest),
    stellarAccountOf(rest, from),
    counterpart === undefined ? ok(undefined) : stellarAccountOf(rest, counterpart),
  ]);
  if (!passphrase.ok) return passphrase;
  if (!ledger.ok) return ledger;
  if (!fees.ok) return fees;
  if (!sender.ok) return sender;
  if (!recipient.ok) return recipient;
  const { closedAt, baseReserve } = ledger.value;
  return ok({
    passphrase: passphrase.value,
    closedAt,
    baseReserve,
    fees: fees.value,
    sender: sender.value,
    recipient: recipient.value,
  });
};
