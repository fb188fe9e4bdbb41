import { type FamilyContent, type Network, ok, type Result } from "@conclave/custody";
import { unsuitableRecipient } from "../../rules/unsuitable-recipient.ts";
import { xrplTransferSchema } from "./act.ts";

/**
 * Accounts whose funds nobody, or everybody, can take (XRP Ledger docs, "Addresses", "Special addresses"). Accounts with the
 * ids zero and one are missing because `parseXrplAddress` refuses them as addresses.
 */
const SPECIAL_ACCOUNTS: Readonly<Record<string, string>> = {
  rrrrrrrrrrrrrrrrrNAMEtxvNvQ:
    "a black hole: names were once reserved by payments to it, and nobody has its key",
  rrrrrrrrrrrrrrrrrrrn5RM1rHd: "a black hole: old versions of a client wrote it for no number (NaN)",
  rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh:
    'the account of the first ledger: everybody knows its key, which is made of "masterpassphrase"',
};

/** Regular keys to which nobody has the secret: an account with one of them and a disabled master key is a black hole. */
const NOBODYS_KEYS: readonly string[] = [
  "rrrrrrrrrrrrrrrrrrrrrhoLvTp",
  "rrrrrrrrrrrrrrrrrrrrBZbvji",
  "rrrrrrrrrrrrrrrrrNAMEtxvNvQ",
  "rrrrrrrrrrrrrrrrrrrn5RM1rHd",
];

/** Whether nobody can sign with a regular key. @param regularKey an address; undefined if the account has none */
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
