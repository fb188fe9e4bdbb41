import { type FamilyContent, ok, type Result } from "@conclave/custody";
import { unsuitableRecipient } from "../../rules/unsuitable-recipient.ts";
import { isHelp } from "../affordable.ts";
import { XRPL_CONTENT } from "../content.ts";
import type { XrplTransfer } from "../rules/act.ts";
import { isNobodysXrplKey } from "../rules/recipients.ts";
import { isDepositAuthorised, recipientAccount, type XrplRecipient } from "./account.ts";
import type { Rippled } from "./json-rpc.ts";
import { xrplChainNow } from "./look-around.ts";

/**
 * Whether nobody can sign for the account: its master key is disabled, its regular key is one that nobody has, and it
 * has no signer list.
 */
const isBlackHole = ({ isMasterDisabled, regularKey, hasSigners }: XrplRecipient): boolean =>
  isMasterDisabled && isNobodysXrplKey(regularKey) && hasSigners === false;

const judgeAccount = ({ to, tag }: XrplTransfer, account: XrplRecipient): Result<void> => {
  if (account.isPseudo) {
    return unsuitableRecipient(
      "pseudo-account",
      `${to} is an account of the ledger itself (of an AMM, a vault or a lender): nobody has its key, and the ledger takes no payment to it.`,
    );
  }
  if (isBlackHole(account)) {
    return unsuitableRecipient("black-hole", `${to} is a black hole: no key signs for it.`);
  }
  if (account.requiresTag && tag === undefined) {
    return unsuitableRecipient(
      "tag-required",
      `${to} wants a destination tag with each payment, and the ledger refuses one without: give the tag as memo.`,
    );
  }
  return account.disallowsXrp
    ? unsuitableRecipient(
        "disallows-xrp",
        `The owner of ${to} asks for no XRP to be sent there (DisallowXRP).`,
      )
    : ok(undefined);
};

/**
 * Judges a recipient of XRP by its account in the last validated ledger.
 *
 * @returns RecipientUnsuitable; ServiceUnavailable when the node is away. An account that does not exist yet is
 * suitable
 */
export const judgeXrplRecipientAt = async (
  rippled: Rippled,
  content: FamilyContent,
): Promise<Result<void>> => {
  const transfer = XRPL_CONTENT.parseTransfer(content);
  if (!transfer.ok) return transfer;
  const { from, to, amount } = transfer.value;
  const account = await recipientAccount(rippled, to);
  if (!account.ok) return account;
  if (account.value === undefined) return ok(undefined);
  const judged = judgeAccount(transfer.value, account.value);
  if (!judged.ok || !account.value.requiresAuthorisation) return judged;
  const authorised = await isDepositAuthorised(rippled, from, to);
  if (!authorised.ok) return authorised;
  if (authorised.value) return ok(undefined);
  const now = await xrplChainNow(rippled);
  if (!now.ok) return now;
  return isHelp({ amount: BigInt(amount) }, account.value, now.value.reserve)
    ? ok(undefined)
    : unsuitableRecipient(
        "deposit-authorisation",
        `${to} takes payments of accounts alone that it has authorised (DepositAuth), and the ledger refuses others: have its owner authorise ${from}.`,
      );
};
