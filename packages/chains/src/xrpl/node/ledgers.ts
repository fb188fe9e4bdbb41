import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import { dateBySeconds } from "../../block-date.ts";
import type { ChainHead, OwnBlock } from "../../chain.ts";
import { hash256, rippleTime, uint32Field } from "./fields.ts";
import { askRippled, demandOfRippled, type Rippled } from "./json-rpc.ts";

const headSchema = z.object({ ledger_hash: hash256, ledger_index: uint32Field, validated: z.boolean() });
const ledgerSchema = headSchema.extend({
  ledger: z.object({
    parent_hash: hash256,
    close_time: rippleTime,
    transactions: z.array(hash256).optional(),
  }),
});

/** The last validated ledger, which is final. */
export const xrplHead = async (rippled: Rippled): Promise<Result<ChainHead>> => {
  const params = { ledger_index: "validated" };
  const found = await demandOfRippled(rippled, { method: "ledger", params, schema: headSchema });
  if (!found.ok) return found;
  const { ledger_hash: hash, ledger_index, validated } = found.value;
  const height = BigInt(ledger_index);
  return validated
    ? ok({ height, hash, confirmedHeight: height, finalHeight: height })
    : nodeAway(rippled.network, "it has no validated ledger");
};

/** Our transactions in a ledger. @returns undefined if the node does not have the validated ledger yet */
export const xrplLedger = async (
  rippled: Rippled,
  height: bigint,
  ours: ReadonlySet<string>,
): Promise<Result<OwnBlock | undefined>> => {
  const found = await askRippled(rippled, {
    method: "ledger",
    params: { ledger_index: Number(height), transactions: true, expand: false },
    schema: ledgerSchema,
    absent: "lgrNotFound",
  });
  if (!found.ok) return found;
  if (found.value === undefined || !found.value.validated) return ok(undefined);
  const { ledger_hash: hash, ledger } = found.value;
  const holds = (ledger.transactions ?? []).filter((id) => ours.has(id));
  return ok({ height, hash, parentHash: ledger.parent_hash, holds, ...dateBySeconds(ledger.close_time) });
};
