import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import type { Sequencing } from "../../chain.ts";
import type { XrplFeeRates } from "../fee.ts";
import type { XrplPayment } from "../plan.ts";
import type { XrplSituation } from "../situation.ts";
import { currentAccount, isDepositAuthorised } from "./account.ts";
import { drops, uint32Field } from "./fields.ts";
import { demandOfRippled, type Rippled } from "./json-rpc.ts";
import type { PlaceWatch } from "./place-watch.ts";

/** Amounts of the server's own state are numbers of JSON, in drops. */
const amount = z.int().nonnegative();

const stateSchema = z.object({
  state: z.object({
    /** the main network's servers may leave it out */
    network_id: uint32Field.optional(),
    validated_ledger: z.object({ seq: uint32Field, reserve_base: amount, reserve_inc: amount }),
  }),
});

const feeSchema = z.object({ drops: z.object({ minimum_fee: drops, open_ledger_fee: drops }) });

interface ChainNow extends Pick<XrplSituation, "networkId" | "validated" | "reserve"> {}

/** Which chain the node is of, how far it is, and what accounts must keep there. */
export const xrplChainNow = async (rippled: Rippled): Promise<Result<ChainNow>> => {
  const found = await demandOfRippled(rippled, { method: "server_state", params: {}, schema: stateSchema });
  if (!found.ok) return found;
  const { network_id: networkId = 0, validated_ledger: ledger } = found.value.state;
  const reserve = { base: BigInt(ledger.reserve_base), object: BigInt(ledger.reserve_inc) };
  return ok({ networkId, validated: ledger.seq, reserve });
};

const feesNow = async (rippled: Rippled): Promise<Result<XrplFeeRates>> => {
  const found = await demandOfRippled(rippled, { method: "fee", params: {}, schema: feeSchema });
  if (!found.ok) return found;
  const { minimum_fee: least, open_ledger_fee: open } = found.value.drops;
  return ok({ open, least });
};

/** Everything that a transaction depends on, asked at once. */
export const xrplSituation = async (
  rippled: Rippled,
  watch: PlaceWatch,
  { sender: address, sequencing }: { readonly sender: string; readonly sequencing: Sequencing },
  payment: XrplPayment,
): Promise<Result<XrplSituation>> => {
  const [chain, fees, sender, recipient] = await Promise.all([
    xrplChainNow(rippled),
    feesNow(rippled),
    currentAccount(rippled, address),
    currentAccount(rippled, payment.to),
  ]);
  if (!chain.ok) return chain;
  if (!fees.ok) return fees;
  if (!sender.ok) return sender;
  if (!recipient.ok) return recipient;
  // nearly no account asks for it, and an account that is not there cannot be asked
  const isAuthorised =
    sender.value === undefined || recipient.value?.requiresAuthorisation !== true
      ? ok(true)
      : await isDepositAuthorised(rippled, address, payment.to);
  if (!isAuthorised.ok) return isAuthorised;
  const found = {
    ...chain.value,
    fees: fees.value,
    recipient: recipient.value,
    isAuthorised: isAuthorised.value,
  };
  if (sender.value === undefined) return ok({ ...found, sender: undefined });
  const { next } = sender.value;
  const lowest = sequencing.kind === "next" ? sequencing.lowest : 0n;
  const isAbandoned = lowest > next && watch.isAbandoned(address, next, lowest, chain.value.validated);
  return ok({ ...found, sender: { ...sender.value, place: { next, isAbandoned } } });
};
