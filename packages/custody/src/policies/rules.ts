import { NOTHING_SPENT, type SigningActivity, type SigningFacts, type Spent } from "./activity.ts";
import { type Currency, parseFiat, showFiat } from "./fiat.ts";
import type { SigningRule } from "./policy-body.ts";
import type { Value } from "./prices.ts";
import { strangerTo } from "./whitelist.ts";

/** A rule's judgement of a request, with a sentence for people. */
export interface RuleOutcome {
  readonly triggered: boolean;
  readonly reason: string;
  /** the compared figures (wire interface, section D.4) */
  readonly context?: Readonly<Record<string, unknown>>;
}

const triggered = (reason: string, context?: Readonly<Record<string, unknown>>): RuleOutcome => ({
  triggered: true,
  reason,
  ...(context === undefined ? {} : { context }),
});
const skipped = (reason: string, context?: Readonly<Record<string, unknown>>): RuleOutcome => ({
  ...triggered(reason, context),
  triggered: false,
});

/**
 * Applies one rule to one request. An unknown value triggers the rule: otherwise content that it cannot read
 * would evade it.
 * @param subjects the ids of the wallets to which the policy applies, or of the key
 */
export const applyRule = (
  rule: SigningRule,
  activity: SigningActivity,
  facts: SigningFacts,
  subjects: readonly string[],
): RuleOutcome => {
  switch (rule.kind) {
    case "AlwaysTrigger":
      return triggered("the policy always triggers");
    case "TransactionAmountLimit":
      return amountLimit(rule.configuration, facts.value);
    case "TransactionAmountVelocity":
      return worst(
        subjects.map((subject) =>
          amountVelocity(rule.configuration, facts.value, facts.spent(subject, rule.configuration.timeframe)),
        ),
      );
    case "TransactionCountVelocity":
      return worst(
        subjects.map((subject) =>
          countVelocity(rule.configuration, facts.spent(subject, rule.configuration.timeframe)),
        ),
      );
    case "TransactionRecipientWhitelist":
      return recipientWhitelist(rule.configuration.addresses, activity);
  }
};

/** The first outcome that triggers, otherwise the first. */
const worst = (outcomes: readonly RuleOutcome[]): RuleOutcome =>
  outcomes.find((outcome) => outcome.triggered) ??
  outcomes[0] ??
  triggered("nothing tells whose request it is");

type Limit = { readonly limit: string | number; readonly currency: Currency };
type Window = { readonly timeframe: number };

const inCurrency = (amount: bigint, currency: Currency) => ({
  transactionAmount: { value: Number(showFiat(amount)), currency },
});

/** Says how much of the value is fees: because of them a request may be worth more than its caller expects. */
const feesIn = (value: Value, currency: Currency): string =>
  value.known && value.fees !== undefined && value.fees[currency] > 0n
    ? `, of which up to ${showFiat(value.fees[currency])} ${currency} are fees,`
    : "";

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

const amountLimit = ({ limit, currency }: Limit, value: Value): RuleOutcome => {
  const most = parseFiat(limit);
  if (!value.known) return triggered(`the amount is not known: ${value.reason}`);
  if (most === undefined) return triggered("the limit cannot be read");
  const amount = value[currency];
  const text = `the amount of ${showFiat(amount)} ${currency}${feesIn(value, currency)} is`;
  return amount > most
    ? triggered(`${text} above the limit of ${limit} ${currency}`, inCurrency(amount, currency))
    : skipped(`${text} within the limit of ${limit} ${currency}`, inCurrency(amount, currency));
};

const amountVelocity = (
  { limit, currency, timeframe }: Limit & Window,
  value: Value,
  spent: Spent,
): RuleOutcome => {
  const most = parseFiat(limit);
  if (!value.known) return triggered(`the amount is not known: ${value.reason}`);
  if (spent.unknown > 0) {
    return triggered(
      `the amounts of ${spent.unknown} requests of the last ${timeframe} minutes are not known`,
    );
  }
  if (most === undefined) return triggered("the limit cannot be read");
  const sum = spent[currency] + larger(value[currency], spent.replaced[currency]);
  const context = {
    ...inCurrency(value[currency], currency),
    sum: { value: Number(showFiat(sum)), currency },
  };
  const fees = feesIn(value, currency);
  const text = `with the last ${timeframe} minutes the amount of ${showFiat(sum)} ${currency}${fees} is`;
  return sum > most
    ? triggered(`${text} above the limit of ${limit} ${currency}`, context)
    : skipped(`${text} within the limit of ${limit} ${currency}`, context);
};

const countVelocity = (
  { limit, timeframe }: { readonly limit: string | number } & Window,
  spent: Spent,
): RuleOutcome => {
  const count = spent.count + 1;
  const text = `it is request ${count} of the wallet in ${timeframe} minutes`;
  return count > Number(limit)
    ? triggered(`${text}, above the limit of ${limit}`, { count })
    : skipped(`${text}, within the limit of ${limit}`, { count });
};

const recipientWhitelist = (addresses: readonly string[], activity: SigningActivity): RuleOutcome => {
  const { effects } = activity;
  if (effects.unknown !== undefined) return triggered(`the recipient is not known: ${effects.unknown}`);
  const stranger = wholly(strangerTo(addresses, activity));
  if (stranger !== undefined) return triggered(`the recipient ${stranger} is not on the whitelist`);
  return skipped(
    effects.movements.length === 0 ? "nothing leaves the wallet" : "every recipient is on the whitelist",
  );
};

/** Runs all steps of a generator at once. */
const wholly = <T>(work: Generator<number, T>): T => {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
};

/** Facts of a request about which nothing is known. */
export const NO_FACTS: SigningFacts = {
  value: { known: false, reason: "nothing tells what it is worth" },
  spent: () => NOTHING_SPENT,
};
