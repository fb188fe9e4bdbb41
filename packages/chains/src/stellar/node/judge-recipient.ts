import {
  type FamilyContent,
  ok,
  type Result,
  type StellarTransfer,
  unsuitableStellar,
} from "@conclave/custody";
import type { StellarNetwork } from "../network.ts";
import { parseStellarTransfer } from "../parse-content.ts";
import type { StellarAccount } from "../situation.ts";
import { assetContractOf } from "../soroban/asset-contract.ts";
import { stellarAccountOf } from "./accounts.ts";
import type { StellarRest } from "./rest.ts";

/** The contract of an asset moves what others hold, and never what it holds itself (CAP-46-06). */
const judgeContract = ({ passphrase }: StellarNetwork, transfer: StellarTransfer): Result<void> => {
  const token = transfer.kind === "Sep41" ? { code: transfer.assetCode, issuer: transfer.issuer } : undefined;
  const own = [assetContractOf(passphrase, token), assetContractOf(passphrase, undefined)];
  return own.includes(transfer.to)
    ? unsuitableStellar(
        "token-contract",
        `${transfer.to} is the contract of an asset: nothing moves what it holds.`,
      )
    : ok(undefined);
};

/** No set of signatures reaches what a payment takes: what such an account holds stays there. */
const isLocked = ({ weightOfAll, threshold }: StellarAccount): boolean =>
  weightOfAll === 0 || weightOfAll < threshold;

const judgeAccount = ({ to, memo }: StellarTransfer, account: StellarAccount): Result<void> => {
  if (isLocked(account)) {
    return unsuitableStellar(
      "locked",
      `${to} is locked: all its signers together weigh ${account.weightOfAll}, and a payment takes ${account.threshold}.`,
    );
  }
  return account.wantsMemo && memo === undefined
    ? unsuitableStellar(
        "memo-required",
        `${to} tells its payments apart by their memos, and asks for one with each (SEP-29): give it as memo.`,
      )
    : ok(undefined);
};

/**
 * Judges a recipient by what the last ledger says of its account.
 * @returns RecipientUnsuitable; ServiceUnavailable when the node is away. One that nobody has paid to is suitable
 */
export const judgeStellarRecipientAt = async (
  network: StellarNetwork,
  rest: StellarRest,
  content: FamilyContent,
): Promise<Result<void>> => {
  const transfer = parseStellarTransfer(content);
  if (!transfer.ok) return transfer;
  if (transfer.value.to.startsWith("C")) return judgeContract(network, transfer.value);
  const account = await stellarAccountOf(rest, transfer.value.to);
  if (!account.ok) return account;
  return account.value === undefined ? ok(undefined) : judgeAccount(transfer.value, account.value);
};
