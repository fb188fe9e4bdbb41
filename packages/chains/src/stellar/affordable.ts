import { fail, ok, type Result } from "@conclave/custody";
import { type StellarToken, spellStellarToken } from "./rules/asset.ts";
import type { StellarAccount, StellarSituation, Trustline } from "./situation.ts";
import type { StellarDraft } from "./transaction.ts";
import type { StellarOperation } from "./xdr/operation.ts";

/** Base reserves of an account without further entries (Stellar documentation, "Minimum balance"). */
const ACCOUNT_RESERVES = 2n;

/** The drafted transaction, the chain's state, and the sender's account. */
interface Asked {
  readonly draft: StellarDraft;
  readonly situation: StellarSituation;
  readonly sender: StellarAccount;
}

type Of<Kind extends StellarOperation["kind"]> = Extract<StellarOperation, { readonly kind: Kind }>;

/** @param unit such as "stroops" */
const short = (needed: bigint, held: bigint, unit: string, what = ""): Result<never> =>
  fail(
    "InsufficientFunds",
    { needed: needed.toString(), held: held.toString() },
    `insufficient funds: ${needed} ${unit}${what} are needed, the wallet has ${held} to spend; ` +
      `send it ${needed - held} ${unit} more, or ask for less`,
  );

const cannotReceive = (why: string): Result<never> => fail("RecipientCannotReceive", {}, why);

const invalid = (field: string, why: string): Result<never> => fail("TransactionInvalid", { field }, why);

/**
 * Refuses, before anything is signed, a transaction that the chain would refuse, or would undo after charging the fee.
 * @returns InsufficientFunds, RecipientCannotReceive, or TransactionInvalid, also when the wallet's key does not control its
 * account
 */
export const judgeStellarAffordable = (
  draft: StellarDraft,
  situation: StellarSituation,
  sender: StellarAccount,
): Result<void> => {
  if (sender.weight === 0 || sender.weight < sender.threshold) {
    return invalid(
      "from",
      "the wallet's account was handed to others: its own key does not sign for it alone any more " +
        `(it weighs ${sender.weight}, and ${sender.threshold} is needed); have its signers give it that weight again`,
    );
  }
  const asked = { draft, situation, sender };
  const { operation } = draft;
  switch (operation.kind) {
    case "payment":
      return operation.token === undefined
        ? judgeLumens(asked, operation)
        : judgeToken(asked, operation, operation.token);
    case "createAccount":
      return judgeNewAccount(asked, operation);
    case "changeTrust":
      return judgeTrust(asked, operation);
    case "invokeHostFunction":
      // the simulation has judged the contract's effects
      return judgeLumensLeft(asked, 0n, 0n);
  }
};

/**
 * Judges the balance after the leaving lumens and the fee. @param further base reserves needed in addition to the current ones
 */
const judgeLumensLeft = (
  { draft, situation, sender }: Asked,
  leaving: bigint,
  further: bigint,
): Result<void> => {
  const kept = (sender.reserves + further) * situation.baseReserve + sender.selling;
  const held = sender.balance > kept ? sender.balance - kept : 0n;
  const needed = leaving + draft.fee;
  return held < needed
    ? short(needed, held, "stroops", ` (with the fee, beside a least balance of ${kept})`)
    : ok(undefined);
};

/** The recipient's account, or a refusal if it does not exist. */
const judgeRecipient = ({ situation: { recipient } }: Asked): Result<StellarAccount> =>
  recipient === undefined
    ? cannotReceive("the recipient's account does not exist: send lumens to it first, which makes it")
    : ok(recipient);

/**
 * Whether a caller's own payment has a memo if its recipient requires one (SEP-29). The ledger would accept it without. For
 * transfers `judgeRecipient` judges this, and the caller may insist (RecipientUnsuitable).
 */
export const judgeStellarMemo = (
  { memo, operation }: StellarDraft,
  { recipient }: Pick<StellarSituation, "recipient">,
): Result<void> =>
  operation.kind === "payment" && recipient?.wantsMemo === true && memo.kind === "none"
    ? cannotReceive("the recipient takes no payment without a memo (SEP-29): make the transaction with one")
    : ok(undefined);

const judgeLumens = (asked: Asked, { to, amount }: Of<"payment">): Result<void> => {
  const { from } = asked.draft;
  if (to === from) return judgeLumensLeft(asked, 0n, 0n);
  const recipient = judgeRecipient(asked);
  return recipient.ok ? judgeLumensLeft(asked, amount, 0n) : recipient;
};

const judgeNewAccount = (asked: Asked, { amount }: Of<"createAccount">): Result<void> => {
  const { recipient, baseReserve } = asked.situation;
  const least = ACCOUNT_RESERVES * baseReserve;
  if (recipient !== undefined) return invalid("operation", "the account to be created is there already");
  return amount < least
    ? cannotReceive(`the recipient's account does not exist: its first payment is at least ${least} stroops`)
    : judgeLumensLeft(asked, amount, 0n);
};

const lineOf = ({ trustlines }: StellarAccount, token: StellarToken): Trustline | undefined =>
  trustlines.find((line) => line.token === spellStellarToken(token));

const judgeToken = (asked: Asked, { to, amount }: Of<"payment">, token: StellarToken): Result<void> => {
  const { draft, sender } = asked;
  const fee = judgeLumensLeft(asked, 0n, 0n);
  if (!fee.ok) return fee;
  // a payment by the issuer creates the amount, and a payment to the issuer destroys it
  const held = draft.from === token.issuer ? ok(undefined) : judgeHeld(lineOf(sender, token), amount, token);
  if (!held.ok || to === draft.from) return held;
  const recipient = judgeRecipient(asked);
  if (!recipient.ok) return recipient;
  return to === token.issuer ? ok(undefined) : judgeRoom(lineOf(recipient.value, token), amount, token);
};

const judgeHeld = (line: Trustline | undefined, amount: bigint, { code }: StellarToken): Result<void> => {
  const held = line === undefined ? 0n : line.balance - line.selling;
  if (line === undefined || held < amount) return short(amount, held, `units of ${code}`);
  return line.isAuthorised
    ? ok(undefined)
    : fail(
        "InsufficientFunds",
        { code },
        `the issuer of ${code} does not let the wallet move it: have the issuer authorise the trustline`,
      );
};

const judgeRoom = (line: Trustline | undefined, amount: bigint, { code }: StellarToken): Result<void> => {
  if (line === undefined)
    return cannotReceive(`the recipient has no trustline for ${code}: have it make one`);
  if (!line.isAuthorised)
    return cannotReceive(
      `the issuer of ${code} does not let the recipient hold it: have the issuer authorise it`,
    );
  const room = line.limit - line.balance - line.buying;
  return room < amount
    ? cannotReceive(`the recipient's trustline for ${code} has room for ${room} units more`)
    : ok(undefined);
};

const judgeTrust = (asked: Asked, { token, limit }: Of<"changeTrust">): Result<void> => {
  const { draft, sender, situation } = asked;
  if (token.issuer === draft.from) return invalid("operation", "nobody trusts in an asset of its own");
  const line = lineOf(sender, token);
  if (limit > 0n && situation.recipient === undefined) {
    return invalid("operation", `the issuer of ${token.code} does not exist`);
  }
  if (line === undefined && limit === 0n) return invalid("operation", "there is no such trustline to close");
  const bound = line === undefined ? 0n : line.balance + line.buying;
  if (limit < bound) return invalid("operation", `the limit is below the ${bound} units that it has to hold`);
  return judgeLumensLeft(asked, 0n, line === undefined ? 1n : 0n);
};
