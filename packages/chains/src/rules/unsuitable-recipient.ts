import { fail, type Result } from "@conclave/custody";

/**
 * Refuses a recipient.
 * @param why the reason in few words, for programs
 * @param message the reason and the remedy
 */
export const unsuitableRecipient = (why: string, message: string): Result<never> =>
  fail("RecipientUnsuitable", { field: "to", why }, message);

/**
 * Refuses a recipient to which nobody has the key.
 * @param why the kind of the address, to follow "it is"
 */
export const keylessRecipient = (to: string, why: string): Result<never> =>
  unsuitableRecipient(why, `Nobody could use what is sent to ${to}: it is ${why}.`);
