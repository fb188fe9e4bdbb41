import {
  KEYS_PER_PAGE_MAX,
  type KeyHolding,
  type KeyPage,
  type KeysAsked,
  nothingHeld,
} from "@conclave/cluster";
import { fail, ok, type Result } from "@conclave/custody";
import type { StatusReply, StatusReply__Output } from "./generated/proto.gen.ts";
import { fromKeyState, toKeyState } from "./held-keys.ts";
import { fromPending, toPending } from "./pending-epoch.ts";
import { CONTROL } from "./proto.ts";
import { RECEIVE_BYTES_MAX } from "./transport.ts";

/** More keys than fit in one message. */
const KEYS_LISTED_MAX = 10_000;

type ListKeys = (asked: KeysAsked) => Promise<Result<KeyPage>>;

const TOO_MANY = fail(
  "ServiceUnavailable",
  {},
  "This signer holds more keys than one message names. Upgrade the caller: newer ones read them in pages.",
);

const page = (which: "all" | "pending" | "waiting", after?: string): KeysAsked => ({
  kind: "page",
  which,
  after,
  most: KEYS_PER_PAGE_MAX,
});

/** All keys; refusal ServiceUnavailable if one message cannot hold them. */
const wholeList = async (list: ListKeys): Promise<Result<readonly KeyHolding[]>> => {
  const all: KeyHolding[] = [];
  let next: string | undefined;
  do {
    const part = await list(page("all", next));
    if (!part.ok) return part;
    all.push(...part.value.keys);
    if (all.length > KEYS_LISTED_MAX) return TOO_MANY;
    next = part.value.next;
  } while (next !== undefined);
  return ok(all);
};

/**
 * The status for callers that were built before ListKeys. It lists all keys and shares of next epochs, or one page of
 * pending keys and one of waiting shares; such a caller settles these before it sees more.
 *
 * @returns refusal ServiceUnavailable if a message cannot hold the whole answer, because a part would look like the
 * whole
 */
export const withKeyLists = async (
  status: StatusReply,
  allKeys: boolean,
  list: ListKeys,
): Promise<Result<StatusReply>> => {
  const listed = async (which: "pending" | "waiting"): Promise<Result<readonly KeyHolding[]>> => {
    const part = await list(page(which));
    return part.ok ? ok(part.value.keys) : part;
  };
  const held = allKeys ? await wholeList(list) : await listed("pending");
  const waits = allKeys ? held : await listed("waiting");
  if (!held.ok) return held;
  if (!waits.ok) return waits;
  const [keys, waiting] = [held.value, waits.value];
  const reply = {
    ...status,
    keys: keys.filter(({ state }) => state !== "absent").map(toKeyState),
    nextShares: waiting.flatMap(({ keyId, next }) => next.map((share) => ({ ...toPending(share), keyId }))),
  };
  return CONTROL.GetStatus.responseSerialize(reply).length > RECEIVE_BYTES_MAX ? TOO_MANY : ok(reply);
};

/**
 * The keys that an older signer, which does not know ListKeys, listed in its status, reduced to the ones asked for.
 *
 * @returns undefined if an entry is malformed
 */
export const keysOfOlder = (
  asked: KeysAsked,
  { keys, nextShares }: StatusReply__Output,
): KeyPage | undefined => {
  const held = new Map<string, KeyHolding>();
  for (const key of keys) {
    const state = fromKeyState(key);
    if (state === undefined) return undefined;
    held.set(key.keyId, { ...state, next: [] });
  }
  for (const share of nextShares) {
    const { keyId } = share;
    const known = held.get(keyId) ?? nothingHeld(keyId);
    held.set(keyId, { ...known, next: [...known.next, fromPending(share)] });
  }
  if (asked.kind === "named") {
    return { keys: asked.keyIds.map((keyId) => held.get(keyId) ?? nothingHeld(keyId)), next: undefined };
  }
  const { which, after, most } = asked;
  const isWanted = ({ state, next }: KeyHolding): boolean =>
    which === "all" || (which === "pending" ? state === "pending" : next.length > 0);
  const left = [...held.values()]
    .filter((key) => isWanted(key) && (after === undefined || key.keyId > after))
    .sort((one, other) => (one.keyId < other.keyId ? -1 : 1));
  const some = left.slice(0, Math.min(most, KEYS_PER_PAGE_MAX));
  return { keys: some, next: some.length < left.length ? some.at(-1)?.keyId : undefined };
};
