import { z } from "zod";
import { shortText } from "../text.ts";

/** longer than any address, amount or memo of any network; their exact rules are judged with their own error codes */
const FIELD_LENGTH = 256;
const EXTERNAL_ID_LENGTH = 50;

/** An address, an amount, or the id of an asset: text that its family judges. */
export const transferField = shortText(FIELD_LENGTH);
/** An amount. Its pattern is documented and not judged here: a wrong amount has an error of its own. */
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

/** The caller knows that nobody could use what is sent to the recipient, and sends it (RecipientUnsuitable). */
export const sendAnywayField = z.boolean().optional();
