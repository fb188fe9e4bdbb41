import { parseRippledAddress, type RippledAddress } from "../address.ts";
import { failed, type RippledAnswer } from "./answer.ts";
import type { RippledRequest } from "./request.ts";

const STREAMS = ["ledger", "transactions"] as const;
export type RippledStream = (typeof STREAMS)[number];

/** Further streams of a real node, which are refused. */
const UNSERVED = [
  "book_changes",
  "consensus",
  "manifests",
  "peer_status",
  "server",
  "transactions_proposed",
  "validations",
];
const UNSERVED_FIELDS = ["accounts_proposed", "books", "url"];
const MOST_NAMED = 1_000;

export interface RippledSubscription {
  readonly streams: readonly RippledStream[];
  readonly accounts: readonly RippledAddress[];
}

const isStream = (value: unknown): value is RippledStream => STREAMS.some((stream) => stream === value);

const listOf = (value: unknown): readonly unknown[] | undefined => {
  if (value === undefined) return [];
  return Array.isArray(value) && value.length <= MOST_NAMED ? value : undefined;
};

const unserved = (what: string): RippledAnswer =>
  failed("notSupported", `this simulated ledger has no subscriptions of ${what}`);

/** The streams and accounts that a request names, or the error. */
export const subscriptionOf = ({ params }: RippledRequest): RippledSubscription | RippledAnswer => {
  const field = UNSERVED_FIELDS.find((name) => params[name] !== undefined);
  if (field !== undefined) return unserved(field);
  const [streams, accounts] = [listOf(params["streams"]), listOf(params["accounts"])];
  if (streams === undefined || accounts === undefined) return failed("invalidParams");
  const other = streams.find((stream) => !isStream(stream));
  if (other !== undefined) {
    return UNSERVED.some((stream) => stream === other) ? unserved(`${other}`) : failed("malformedStream");
  }
  const addresses = accounts.map((account) =>
    typeof account === "string" ? parseRippledAddress(account) : undefined,
  );
  const known = addresses.filter((address) => address !== undefined);
  return known.length < addresses.length
    ? failed("actMalformed")
    : { streams: streams.filter(isStream), accounts: known };
};
