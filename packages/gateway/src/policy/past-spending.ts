import {
  type Network,
  NOTHING_SPENT,
  type OrganisationId,
  type Policy,
  type SigningActivity,
  type SigningFacts,
  type Spent,
  subjectsOf,
  timeframesOf,
  type Value,
  worthOf,
} from "@conclave/custody";
import { type Connection, readSpent } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";

/** A request for which past spending is read. */
export interface JudgedSpending {
  readonly orgId: OrganisationId;
  readonly requestId: string;
  /** the first request of its replacement chain, which may be itself */
  readonly firstRequestId: string;
  /** the end of every timeframe, ISO 8601 UTC */
  readonly date: string;
  /** whether requests that wait for an approval count: true for a new request, false at a release */
  readonly countsWaiting: boolean;
}

/** The value of a request at today's prices. */
export const worthOn = (
  network: Network | undefined,
  { effects }: SigningActivity,
  prices: Dependencies["prices"],
): Value =>
  network === undefined
    ? { known: false, reason: effects.unknown ?? "no network tells what it is worth" }
    : worthOf(effects, network, prices);

/** Reads the past spending for all timeframes of the policies. If there is any timeframe, the subjects must be locked. */
export const readFacts = async (
  connection: Connection,
  { orgId, requestId, firstRequestId, date, countsWaiting }: JudgedSpending,
  activity: SigningActivity,
  policies: readonly Policy[],
  value: Value,
): Promise<SigningFacts> => {
  const timeframes = timeframesOf(policies);
  const subjects = subjectsOf(activity);
  const { keyId } = activity;
  const question = { orgId, subjects, keyId, timeframes, date, requestId, firstRequestId, countsWaiting };
  const past = new Map<string, Spent>();
  for (const { subject, minutes, spent } of await readSpent(connection, question)) {
    past.set(`${subject}/${minutes}`, spent);
  }
  return { value, spent: (subject, minutes) => past.get(`${subject}/${minutes}`) ?? NOTHING_SPENT };
};
