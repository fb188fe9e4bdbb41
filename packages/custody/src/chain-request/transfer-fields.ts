import { z } from "zod";
import { shortText } from "../text.ts";

/**
 * longer than any address, amount or memo of any network; the family checks their exact rules, with error
 * codes of their own
 */
const FIELD_LENGTH = 256;
const EXTERNAL_ID_LENGTH = 50;

/** An address, an amount, or the id of an asset: text that the network's family checks. */
export const transferField = shortText(FIELD_LENGTH);
/** An amount. The pattern documents it and is not checked here: a wrong amount has an error code of its own. */
export const amountField = transferField.meta({ pattern: "^[1-9][0-9]{0,77}$" });
export const requestExternalId = shortText(EXTERNAL_ID_LENGTH).optional();

const priority = z.enum(["Slow", "Standard", "Fast"]);
/** How fast the caller wants a transaction to land (interface: `priority`). */
export type Priority = z.infer<typeof priority>;
export const priorityField = priority.optional();

/** wire interface, section F.4: letters and digits, at most 64, or empty */
export const memoField = z
  .string()
  .regex(/^[a-zA-Z0-9]{0,64}$/, "is not of letters and digits alone, at most 64")
  .optional();

/** The caller insists on a recipient that could not use the asset (RecipientUnsuitable). */
export const sendAnywayField = z.boolean().optional();
