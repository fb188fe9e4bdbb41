import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import type { Sighting } from "../../chain.ts";
import { drops, hash256, uint32Field } from "./fields.ts";
import { askRippled, type Rippled, rippledAway } from "./json-rpc.ts";
import { xrplHead } from "./ledgers.ts";

const foundSchema = z.object({ validated: z.boolean().optional() });
const waitingSchema = z.object({ tx_json: z.object({ LastLedgerSequence: uint32Field }) });

const landedSchema = z.object({
  ledger_hash: hash256,
  ledger_index: uint32Field,
  tx_json: z.object({ Fee: drops, DeliverMax: drops }),
  meta: z.object({
    TransactionResult: z.string().regex(/^[a-zA-Z_]{1,64}$/),
    delivered_amount: drops.optional(),
  }),
});

/**
 * Looks for a transaction. In a validated ledger it is final, whatever came of it: a tec result costs the fee and takes the
 * Sequence, and does nothing else.
 */
export const sightXrpl = async (rippled: Rippled, id: string): Promise<Result<Sighting>> => {
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
  if (!landed.success) return rippledAway(rippled.network, "its answer to tx cannot be read");
  const { ledger_hash: blockHash, ledger_index: height, tx_json: sent, meta } = landed.data;
  const succeeded = meta.TransactionResult === "tesSUCCESS";
  // no partial payment is signed here, so that all or nothing arrives
  if (succeeded && meta.delivered_amount !== sent.DeliverMax) {
    return rippledAway(rippled.network, "what it says was delivered is not what was sent");
  }
  return ok({
    kind: "included",
    height: BigInt(height),
    blockHash,
    isFinal: true,
    fee: sent.Fee,
    succeeded,
    ...(succeeded ? {} : { reason: meta.TransactionResult }),
  });
};

/**
 * A node shows a transaction that it was handed for half an hour after it was last asked for it (rippled, TransactionMaster), also
 * when its last ledger is over: who asks again and again would see it wait for ever.
 */
const waitingOrOver = async (rippled: Rippled, shown: object): Promise<Result<Sighting>> => {
  const waiting = waitingSchema.safeParse(shown);
  if (!waiting.success) return ok({ kind: "waiting" });
  const head = await xrplHead(rippled);
  if (!head.ok) return head;
  const isOver = head.value.height > BigInt(waiting.data.tx_json.LastLedgerSequence);
  return ok({ kind: isOver ? "unknown" : "waiting" });
};
