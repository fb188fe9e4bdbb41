import { type FamilyContent, ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import { dateBySeconds } from "../../block-date.ts";
import type { Sighting } from "../../chain.ts";
import { XRPL_CONTENT } from "../content.ts";
import { drops, hash256, rippleTime, uint32Field } from "./fields.ts";
import { askRippled, type Rippled } from "./json-rpc.ts";
import { xrplHead } from "./ledgers.ts";

const foundSchema = z.object({ validated: z.boolean().optional() });
const waitingSchema = z.object({ tx_json: z.object({ LastLedgerSequence: uint32Field }) });

const landedSchema = z.object({
  ledger_hash: hash256,
  ledger_index: uint32Field,
  /** close time of its ledger */
  tx_json: z.object({ Fee: drops, DeliverMax: drops, date: rippleTime }),
  meta: z.object({
    TransactionResult: z.string().regex(/^[a-zA-Z_]{1,64}$/),
    delivered_amount: drops.optional(),
  }),
});

/**
 * Looks for a transaction. In a validated ledger it is final, successful or not: a tec result costs the fee and takes
 * the Sequence, and does nothing else.
 *
 * @param expected the transfer that it carries out; the delivered amount is reported if it differs
 */
export const sightXrpl = async (
  rippled: Rippled,
  id: string,
  expected?: FamilyContent,
): Promise<Result<Sighting>> => {
  const said = await askRippled(rippled, {
    method: "tx",
    params: { transaction: id, binary: false },
    schema: z.looseObject({}),
    absent: "txnNotFound",
  });
  if (!said.ok) return said;
  if (said.value === undefined) return ok({ kind: "unknown" });
  if (foundSchema.safeParse(said.value).data?.validated !== true) return waitingOrOver(rippled, said.value);
  const landed = landedSchema.safeParse(said.value);
  if (!landed.success) return nodeAway(rippled.network, "its answer to tx cannot be read");
  const { ledger_hash: blockHash, ledger_index: height, tx_json: sent, meta } = landed.data;
  const included = {
    kind: "included",
    height: BigInt(height),
    blockHash,
    isFinal: true,
    fee: sent.Fee,
    ...dateBySeconds(sent.date),
  } as const;
  if (meta.TransactionResult !== "tesSUCCESS") {
    return ok({ ...included, succeeded: false, reason: meta.TransactionResult });
  }
  const { delivered_amount: delivered } = meta;
  const amount = wanted(expected, sent.DeliverMax);
  if (delivered === undefined || delivered > amount) {
    return nodeAway(rippled.network, "it does not say what was delivered, or more than was sent");
  }
  return ok({ ...included, ...effectOf(delivered, amount) });
};

/** The amount that should arrive: that of the expected transfer, or the one that a caller's own payment states. */
const wanted = (expected: FamilyContent | undefined, named: bigint): bigint => {
  const transfer = expected === undefined ? undefined : XRPL_CONTENT.parseTransfer(expected);
  return transfer?.ok === true ? BigInt(transfer.value.amount) : named;
};

type Effect = Pick<
  Extract<Sighting, { readonly kind: "included" }>,
  "succeeded" | "movedNothing" | "arrived" | "reason"
>;

/** We sign no partial payments, so the whole amount should arrive; the ledger's delivered amount counts nevertheless. */
const effectOf = (delivered: bigint, amount: bigint): Effect => {
  if (delivered === amount) return { succeeded: true };
  return delivered === 0n
    ? { succeeded: false, movedNothing: true, reason: "nothing was delivered (delivered_amount)" }
    : { succeeded: true, arrived: delivered };
};

/**
 * Whether a transaction in no ledger may still land. A node shows a submitted transaction until half an hour after the
 * last request for it (rippled, TransactionMaster), even after its last ledger, so repeated requests would see it wait
 * for ever.
 */
const waitingOrOver = async (rippled: Rippled, shown: object): Promise<Result<Sighting>> => {
  const waiting = waitingSchema.safeParse(shown);
  if (!waiting.success) return ok({ kind: "waiting" });
  const head = await xrplHead(rippled);
  if (!head.ok) return head;
  const isOver = head.value.height > BigInt(waiting.data.tx_json.LastLedgerSequence);
  return ok({ kind: isOver ? "unknown" : "waiting" });
};
