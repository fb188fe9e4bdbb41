import { z } from "zod";
import {
  amountField,
  memoField,
  priorityField,
  requestExternalId,
  sendAnywayField,
  transferField,
} from "../../chain-request/transfer-fields.ts";

const token = {
  mint: transferField,
  to: transferField,
  amount: amountField,
  createDestinationAccount: z.boolean().optional(),
  priority: priorityField,
  memo: memoField,
  sendAnyway: sendAnywayField,
  externalId: requestExternalId,
};

/** A transfer of a token of Solana's Token program. */
export const splBodySchema = z.strictObject({ kind: z.literal("Spl"), ...token });
/** The same of its successor, Token-2022. */
export const spl2022BodySchema = z.strictObject({ kind: z.literal("Spl2022"), ...token });
export type SplBody = z.infer<typeof splBodySchema> | z.infer<typeof spl2022BodySchema>;
