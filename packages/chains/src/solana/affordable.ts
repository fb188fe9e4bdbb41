import { fail, ok, type Result, type SolanaTransfer } from "@conclave/custody";
import {
  SOLANA_SYSTEM_PROGRAM,
  SOLANA_TOKEN_2022_PROGRAM,
  SOLANA_TOKEN_PROGRAM,
} from "./message/programs.ts";
import type { SolanaAccount, SolanaSituation, TokenSituation } from "./situation.ts";

/** What is to be paid, and what was found on the chain. */
interface Asked {
  readonly transfer: SolanaTransfer;
  /** lamports */
  readonly fee: bigint;
  readonly situation: SolanaSituation;
}

const short = (needed: bigint, held: bigint, what: string): Result<never> =>
  fail(
    "InsufficientFunds",
    { needed: needed.toString(), held: held.toString() },
    `insufficient funds: ${needed} ${what} are needed, the wallet holds ${held}`,
  );

const cannotReceive = (why: string): Result<never> => fail("RecipientCannotReceive", {}, why);
const invalid = (field: string, why: string): Result<never> => fail("TransactionInvalid", { field }, why);

/**
 * Judges what the chain would refuse, before anything is signed.
 * @returns InsufficientFunds, RecipientCannotReceive, or TransactionInvalid for an account or a token that cannot do this
 */
export const judgeSolanaFunds = ({ transfer, fee, situation }: Asked): Result<void> => {
  const { sender, token } = situation;
  if (sender.program !== SOLANA_SYSTEM_PROGRAM) {
    return invalid(
      "from",
      `the wallet's account was handed to the program ${sender.program}: it pays no more`,
    );
  }
  if (transfer.kind === "Native") return judgeLamports(transfer, fee, situation);
  if (token === undefined) throw new TypeError("a token was not looked for");
  const tokens = judgeToken(transfer, situation.recipient, token);
  if (!tokens.ok) return tokens;
  const isNew = token.ofRecipient === undefined;
  return judgeRemainder(sender, fee, isNew ? token.creationCost : 0n);
};

/** An account keeps its rent, or nothing at all: after the fee, and after all. */
const judgeRemainder = ({ lamports, rent }: SolanaAccount, fee: bigint, leaving: bigint): Result<void> => {
  const needed = fee + leaving;
  if (lamports < needed) return short(needed, lamports, "lamports (amount, fee and new accounts)");
  const left = lamports - needed;
  if (left !== 0n && left < rent) {
    const what = `lamports (amount, fee and new accounts, and the ${rent} that an account must keep unless it is emptied)`;
    return short(needed + rent, lamports, what);
  }
  const afterFee = lamports - fee;
  return afterFee === 0n || afterFee >= rent
    ? ok(undefined)
    : short(
        fee + rent,
        lamports,
        `lamports (the fee, and the ${rent} that an account must keep while it pays)`,
      );
};

const judgeLamports = (
  { from, to, amount }: Extract<SolanaTransfer, { kind: "Native" }>,
  fee: bigint,
  { sender, recipient }: SolanaSituation,
): Result<void> => {
  const moved = BigInt(amount);
  if (to === from) {
    const own = judgeRemainder(sender, fee, 0n);
    if (!own.ok) return own;
    return sender.lamports - fee < moved
      ? short(moved + fee, sender.lamports, "lamports (amount and fee)")
      : ok(undefined);
  }
  const payable = judgeRemainder(sender, fee, moved);
  if (!payable.ok || recipient === undefined) return payable;
  const after = recipient.lamports + moved;
  return after < recipient.rent
    ? cannotReceive(
        `the recipient's account would hold ${after} lamports, less than the ${recipient.rent} that an account must hold: ` +
          `send at least ${recipient.rent - recipient.lamports}`,
      )
    : ok(undefined);
};

type TokenTransfer = Exclude<SolanaTransfer, { readonly kind: "Native" }>;

const judgeToken = (
  transfer: TokenTransfer,
  recipient: SolanaAccount | undefined,
  { mint, ofSender, ofRecipient }: TokenSituation,
): Result<void> => {
  const name = `the token ${transfer.mint}`;
  if (mint === undefined)
    return invalid("mint", `there is no token ${transfer.mint} of the kind ${transfer.kind}`);
  if (mint.obstacle !== undefined) return invalid("mint", `${name} ${mint.obstacle}`);
  const amount = BigInt(transfer.amount);
  const held = ofSender?.amount ?? 0n;
  if (ofSender === undefined || held < amount) return short(amount, held, `units of ${name}`);
  if (ofSender.isFrozen) return fail("InsufficientFunds", {}, `the wallet's account of ${name} is frozen`);
  if (recipient?.program === SOLANA_TOKEN_PROGRAM || recipient?.program === SOLANA_TOKEN_2022_PROGRAM) {
    return cannotReceive("the recipient is a token's own account: name the account that owns it");
  }
  if (ofRecipient === undefined) {
    return transfer.createDestinationAccount
      ? ok(undefined)
      : cannotReceive(
          `the recipient has no account of ${name}: ask with createDestinationAccount to pay for one`,
        );
  }
  if (ofRecipient.owner !== transfer.to) {
    return cannotReceive(`the recipient's account of ${name} was handed to ${ofRecipient.owner}`);
  }
  return ofRecipient.isFrozen ? cannotReceive(`the recipient's account of ${name} is frozen`) : ok(undefined);
};
