import { fail, ok, type Result } from "@conclave/custody";
import { SOLANA_SYSTEM_PROGRAM } from "./message/programs.ts";
import type { SolanaTransfer } from "./rules/act.ts";
import type { SolanaAccount, SolanaSituation, TokenSituation } from "./situation.ts";

/** The payment to judge, with the chain's current state. */
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
    `insufficient funds: ${needed} ${what} are needed, the wallet holds ${held}; send it ${needed - held} more, or ask for less`,
  );

const cannotReceive = (why: string): Result<never> => fail("RecipientCannotReceive", {}, why);
const invalid = (field: string, why: string): Result<never> => fail("TransactionInvalid", { field }, why);

/**
 * Judges whether an account can pay a fee, whatever the transaction does.
 * @param fee lamports
 * @returns InsufficientFunds, or TransactionInvalid for an account that was assigned to a program
 */
export const judgeSolanaPayer = ({ program, lamports }: SolanaAccount, fee: bigint): Result<void> => {
  if (program !== SOLANA_SYSTEM_PROGRAM) {
    const why = `the wallet's account was handed to the program ${program}: it pays no more`;
    return invalid("from", `${why}; use another wallet`);
  }
  return lamports < fee ? short(fee, lamports, "lamports (the fee alone)") : ok(undefined);
};

/**
 * Judges, before anything is signed, whether the chain would refuse the transaction.
 * @returns InsufficientFunds, RecipientCannotReceive, or TransactionInvalid for an account or a token that does not allow it
 */
export const judgeSolanaFunds = ({ transfer, fee, situation }: Asked): Result<void> => {
  const { sender, token } = situation;
  const payer = judgeSolanaPayer(sender, fee);
  if (!payer.ok) return payer;
  if (transfer.kind === "Native") return judgeLamports(transfer, fee, situation);
  if (token === undefined) throw new TypeError("a token was not looked for");
  const tokens = judgeToken(transfer, token);
  if (!tokens.ok) return tokens;
  const isNew = token.ofRecipient === undefined;
  return judgeRemainder(sender, fee, isNew ? token.creationCost : 0n);
};

/** An account must keep its rent minimum or be emptied: both after the fee and at the end of the transaction. */
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
  { mint, ofSender, ofRecipient }: TokenSituation,
): Result<void> => {
  const name = `the token ${transfer.mint}`;
  if (mint === undefined)
    return invalid("mint", `there is no token ${transfer.mint} of the kind ${transfer.kind}`);
  if (mint.obstacle !== undefined) return invalid("mint", `${name} ${mint.obstacle}`);
  const amount = BigInt(transfer.amount);
  const held = ofSender?.amount ?? 0n;
  if (ofSender === undefined || held < amount) return short(amount, held, `units of ${name}`);
  if (ofSender.isFrozen)
    return fail(
      "InsufficientFunds",
      {},
      `the wallet's account of ${name} is frozen: have the token's issuer thaw it`,
    );
  if (ofRecipient === undefined) {
    if (mint.freezesNew) {
      const why = `the recipient has no account of ${name}, and its issuer freezes each new one (DefaultAccountState)`;
      return cannotReceive(`${why}: have the recipient make one and the issuer thaw it`);
    }
    return transfer.createDestinationAccount
      ? ok(undefined)
      : cannotReceive(
          `the recipient has no account of ${name}: send createDestinationAccount: true to pay for one`,
        );
  }
  if (ofRecipient.owner !== transfer.to) {
    return cannotReceive(
      `the recipient's account of ${name} was handed to ${ofRecipient.owner}: send to another address`,
    );
  }
  return ofRecipient.isFrozen
    ? cannotReceive(`the recipient's account of ${name} is frozen: have the token's issuer thaw it`)
    : ok(undefined);
};
