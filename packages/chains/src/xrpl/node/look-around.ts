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

/** In server_state, amounts are JSON numbers, in drops. */
const amount = z.int().nonnegative();

const stateSchema = z.object({
  state: z.object({
    /** servers of the main network may leave it out */
    network_id: uint32Field.optional(),
    validated_ledger: z.object({ seq: uint32Field, reserve_base: amount, reserve_inc: amount }),
  }),
});

const feeSchema = z.object({ drops: z.object({ minimum_fee: drops, open_ledger_fee: drops }) });

interface ChainNow extends Pick<XrplSituation, "networkId" | "validated" | "reserve"> {}

/** The node's chain, its last validated ledger, and the reserves that accounts must keep. */
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

/** Everything on which a transaction depends, asked at once. */
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
  // asked only if needed: few accounts require it, and the request fails for a sender that does not exist
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
