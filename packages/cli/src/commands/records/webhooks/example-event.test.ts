import {
  approvalViewSchema,
  EVENT_KINDS,
  historyEntryViewSchema,
  keyViewSchema,
  policyViewSchema,
  signatureViewSchema,
  transactionViewSchema,
  transferViewSchema,
  walletViewSchema,
  watchedMovementViewSchema,
} from "@conclave/custody";
import { expect, it } from "vitest";
import { z } from "zod";
import { exampleEvent } from "./example-event.ts";

const DATE = "2026-01-02T03:04:05.000Z";

/** The data of each kind, as docs/webhooks.md says it. */
const DATA = z.union([
  z.strictObject({ key: z.strictObject(keyViewSchema.shape) }),
  z.strictObject({
    wallet: z.strictObject(walletViewSchema.shape),
    tagsAdded: z.array(z.string()).optional(),
    tagsRemoved: z.array(z.string()).optional(),
  }),
  z.strictObject({ transferRequest: z.strictObject(transferViewSchema.shape) }),
  z.strictObject({ transactionRequest: z.strictObject(transactionViewSchema.shape) }),
  z.strictObject({ signatureRequest: z.strictObject(signatureViewSchema.shape) }),
  z.strictObject({ blockchainEvent: z.union([historyEntryViewSchema, watchedMovementViewSchema]) }),
  z.strictObject({ policyEvaluation: z.looseObject({ policy: z.strictObject(policyViewSchema.shape) }) }),
  z.strictObject({ activityId: z.string(), approval: z.strictObject(approvalViewSchema.shape) }),
]);

it.each(EVENT_KINDS)("an example of %s has the members that the interface shows", (kind) => {
  const event = exampleEvent(kind, DATE);
  expect(event).toMatchObject({ kind, date: DATE });
  expect(DATA.safeParse(event.data).error).toBeUndefined();
});

it("an example is in the state that its kind says", () => {
  expect(exampleEvent("wallet.transfer.confirmed", DATE).data).toMatchObject({
    transferRequest: { status: "Confirmed", dateConfirmed: DATE },
  });
  expect(exampleEvent("wallet.signature.rejected", DATE).data).toMatchObject({
    signatureRequest: { status: "Rejected" },
  });
});
