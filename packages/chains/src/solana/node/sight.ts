import { type FamilyContent, ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { dateBySeconds } from "../../block-date.ts";
import type { Sighting } from "../../chain.ts";
import { type SolanaTransfer, solanaTransferSchema } from "../rules/act.ts";
import { headerOfSlot } from "./blocks.ts";
import { chainWords } from "./chain-words.ts";
import { arrivedBy, includedSchema, type SolanaIncluded } from "./changes.ts";
import { asOf, blockTimeField, uint64Field, VERSION_MAX } from "./fields.ts";
import { askSolana, demandSolana, type SolanaRpc } from "./json-rpc.ts";

const statusSchema = asOf(
  z.tuple([
    z
      .object({
        slot: uint64Field,
        err: z.unknown(),
        confirmationStatus: z.enum(["processed", "confirmed", "finalized"]).nullish(),
      })
      .nullable(),
  ]),
);

const landedSchema = includedSchema.extend({
  slot: uint64Field,
  blockTime: blockTimeField,
  meta: includedSchema.shape.meta.extend({ logMessages: z.array(z.string()).nullish() }),
});

/**
 * Looks for a transaction by its id. The same message with another signature has another id, and is not found: see
 * `solanaTwin`.
 *
 * @param expected the transfer of the transaction, in the family's form; @throws ZodError for anything else
 */
export const sightSolana = async (
  rpc: SolanaRpc,
  txHash: string,
  expected: FamilyContent | undefined,
): Promise<Result<Sighting>> => {
  const status = await demandSolana(rpc, {
    method: "getSignatureStatuses",
    params: [[txHash], { searchTransactionHistory: true }],
    schema: statusSchema,
  });
  if (!status.ok) return status;
  const [found] = status.value.value;
  if (found === null) return ok({ kind: "unknown" });
  if (found.confirmationStatus === "processed") return ok({ kind: "waiting" });
  // without a status, the node's answer is about finalized blocks
  const transfer = expected && solanaTransferSchema.parse(expected);
  return included(rpc, txHash, found.confirmationStatus !== "confirmed", transfer);
};

/** The result of the expected transfer, in a transaction that succeeded on chain. */
const outcomeOf = (
  landed: SolanaIncluded,
  transfer: SolanaTransfer | undefined,
): Pick<
  Extract<Sighting, { readonly kind: "included" }>,
  "succeeded" | "movedNothing" | "arrived" | "reason"
> => {
  const arrived = transfer && arrivedBy(landed, transfer);
  if (transfer === undefined || arrived === undefined) return { succeeded: true };
  if (arrived === "nothing") {
    return { succeeded: false, movedNothing: true, reason: "no balance of the recipient's has changed" };
  }
  return { succeeded: true, ...(arrived === BigInt(transfer.amount) ? {} : { arrived }) };
};

/** If the node has the transaction but not its block yet, it is about to have the block. */
const included = async (
  rpc: SolanaRpc,
  id: string,
  isFinal: boolean,
  transfer: SolanaTransfer | undefined,
): Promise<Result<Sighting>> => {
  const commitment = isFinal ? "finalized" : "confirmed";
  const landed = await askSolana(rpc, {
    method: "getTransaction",
    params: [id, { commitment, encoding: "json", maxSupportedTransactionVersion: VERSION_MAX }],
    schema: landedSchema,
  });
  if (!landed.ok) return landed;
  if (landed.value === undefined) return ok({ kind: "waiting" });
  const { slot, blockTime, meta } = landed.value;
  const header = await headerOfSlot(rpc, slot, commitment);
  if (!header.ok) return header;
  if (header.value.kind !== "block") return ok({ kind: "waiting" });
  const succeeded = meta.err === null || meta.err === undefined;
  return ok({
    kind: "included",
    height: slot,
    blockHash: header.value.block.blockhash,
    isFinal,
    fee: meta.fee,
    ...dateBySeconds(blockTime),
    ...(succeeded
      ? outcomeOf(landed.value, transfer)
      : { succeeded, reason: chainWords(meta.err, meta.logMessages) }),
  });
};
