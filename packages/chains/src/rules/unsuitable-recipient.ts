import { fail, type Result } from "@conclave/custody";

/**
 * Refuses a recipient.
 * @param why the reason in few words, for programs
 * @param message the reason and what helps
 */
export const unsuitableRecipient = (why: string, message: string): Result<never> =>
  fail("RecipientUnsuitable", { field: "to", why }, message);

/**
 * Refuses a recipient that nobody has the key of.
 * @param why the kind of the address, to stand behind "it is"
 */
export const keylessRecipient = (to: string, why: string): Result<never> =>
  unsuitableRecipient(why, `Nobody could use what is sent to ${to}: it is ${why}.`);
