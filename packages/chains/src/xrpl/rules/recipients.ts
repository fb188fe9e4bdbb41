import { type FamilyContent, type Network, ok, type Result } from "@conclave/custody";
import { unsuitableRecipient } from "../../rules/unsuitable-recipient.ts";
import { xrplTransferSchema } from "./act.ts";

/**
 * Accounts from which nobody takes anything, or anybody (XRP Ledger docs, "Addresses", "Special addresses"). Those whose ids are zero
 * and one are no addresses to pay to at all: see `parseXrplAddress`.
 */
const SPECIAL_ACCOUNTS: Readonly<Record<string, string>> = {
  rrrrrrrrrrrrrrrrrNAMEtxvNvQ:
    "a black hole: names were once reserved by payments to it, and nobody has its key",
  rrrrrrrrrrrrrrrrrrrn5RM1rHd: "a black hole: old versions of a client wrote it for no number (NaN)",
  rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh:
    'the account of the first ledger: everybody knows its key, which is made of "masterpassphrase"',
};

/** Regular keys that are nobody's: an account that has one of them, and no key of its own, is a black hole. */
const NOBODYS_KEYS: readonly string[] = [
  "rrrrrrrrrrrrrrrrrrrrrhoLvTp",
  "rrrrrrrrrrrrrrrrrrrrBZbvji",
  "rrrrrrrrrrrrrrrrrNAMEtxvNvQ",
  "rrrrrrrrrrrrrrrrrrrn5RM1rHd",
];

/** Whether nobody signs with a regular key. @param regularKey an address; undefined where an account has none */
export const isNobodysXrplKey = (regularKey: string | undefined): boolean =>
  regularKey === undefined || NOBODYS_KEYS.includes(regularKey);

/** @returns RecipientUnsuitable for a special account */
export const judgeXrplRecipient = (_network: Network, transfer: FamilyContent): Result<void> => {
  const parsed = xrplTransferSchema.safeParse(transfer);
  const which = parsed.success ? SPECIAL_ACCOUNTS[parsed.data.to] : undefined;
  return parsed.success && which !== undefined
    ? unsuitableRecipient("special-account", `${parsed.data.to} is ${which}.`)
    : ok(undefined);
};
