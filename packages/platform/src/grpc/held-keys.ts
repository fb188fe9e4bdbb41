import {
  KEYS_NAMED_MAX,
  KEYS_PER_PAGE_MAX,
  type KeyHolding,
  type KeyPage,
  type KeysAsked,
} from "@conclave/cluster";
import type {
  HeldKey,
  HeldKey__Output,
  KeyState,
  KeyState__Output,
  KeysReply,
  KeysReply__Output,
  KeysRequest,
  KeysRequest__Output,
} from "./generated/proto.gen.ts";
import { fromPending, toPending } from "./pending-epoch.ts";

/** A cursor is a key's id, which is far shorter. */
const CURSOR_CHARACTERS_MAX = 256;

export type HeldKeyState = KeyHolding["state"];

export const isKeyState = (text: string): text is HeldKeyState =>
  text === "absent" || text === "pending" || text === "active";

const isSelection = (text: string): text is Extract<KeysAsked, { readonly kind: "page" }>["which"] =>
  text === "all" || text === "pending" || text === "waiting";

export const toKeysRequest = (asked: KeysAsked): KeysRequest =>
  asked.kind === "named"
    ? { keyIds: [...asked.keyIds] }
    : { which: asked.which, after: asked.after ?? "", most: asked.most };

/** The keys that a caller asks for; undefined if the request is malformed or exceeds a limit. */
export const fromKeysRequest = ({
  keyIds,
  which,
  after,
  most,
}: KeysRequest__Output): KeysAsked | undefined => {
  if (keyIds.length > 0) {
    return keyIds.length <= KEYS_NAMED_MAX && keyIds.every((id) => id.length <= CURSOR_CHARACTERS_MAX)
      ? { kind: "named", keyIds }
      : undefined;
  }
  if (!isSelection(which) || after.length > CURSOR_CHARACTERS_MAX) return undefined;
  return {
    kind: "page",
    which,
    after: after === "" ? undefined : after,
    most: most === 0 ? KEYS_PER_PAGE_MAX : most,
  };
};

export const toKeyState = ({
  keyId,
  state,
  epoch,
  publicKey,
  isImported,
  isExported,
}: KeyHolding): KeyState => ({
  keyId,
  state,
  epoch,
  publicKey: Buffer.from(publicKey),
  imported: isImported,
  exported: isExported,
});

/** @returns undefined if the state is unknown */
export const fromKeyState = ({
  keyId,
  state,
  epoch,
  publicKey,
  imported,
  exported,
}: KeyState__Output): Omit<KeyHolding, "next"> | undefined =>
  isKeyState(state)
    ? { keyId, state, epoch, publicKey, isImported: imported, isExported: exported }
    : undefined;

const toHeldKey = (key: KeyHolding): HeldKey => ({ key: toKeyState(key), next: key.next.map(toPending) });

const fromHeldKey = ({ key, next }: HeldKey__Output): KeyHolding | undefined => {
  const state = key === null ? undefined : fromKeyState(key);
  return state === undefined ? undefined : { ...state, next: next.map(fromPending) };
};

export const toKeysReply = ({ keys, next }: KeyPage): KeysReply => ({
  keys: keys.map(toHeldKey),
  next: next ?? "",
});

/**
 * A received page; undefined if it does not answer the request. A named key without an entry must not pass for a key
 * that is not held.
 */
export const fromKeysReply = (
  asked: KeysAsked,
  { keys: said, next }: KeysReply__Output,
): KeyPage | undefined => {
  const keys = said.map(fromHeldKey).filter((key) => key !== undefined);
  if (keys.length !== said.length) return undefined;
  if (asked.kind === "named") {
    const isAnswered =
      keys.length === asked.keyIds.length && asked.keyIds.every((keyId, at) => keys[at]?.keyId === keyId);
    return isAnswered ? { keys, next: undefined } : undefined;
  }
  const isTooLong =
    keys.length > Math.min(asked.most, KEYS_PER_PAGE_MAX) || next.length > CURSOR_CHARACTERS_MAX;
  return isTooLong || (next !== "" && next === asked.after)
    ? undefined
    : { keys, next: next === "" ? undefined : next };
};
