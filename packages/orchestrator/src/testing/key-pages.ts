import { type KeyHolding, type KeyPage, type KeysAsked, nothingHeld } from "@conclave/cluster";

/** The page with which a signer that holds these keys, in this order, answers a question. */
export const pageOf = (held: readonly KeyHolding[], asked: KeysAsked): KeyPage => {
  if (asked.kind === "named") {
    const keys = asked.keyIds.map((keyId) => held.find((key) => key.keyId === keyId) ?? nothingHeld(keyId));
    return { keys, next: undefined };
  }
  const { which, after, most } = asked;
  const from = after === undefined ? 0 : held.findIndex(({ keyId }) => keyId === after) + 1;
  const left = held
    .slice(from)
    .filter(
      ({ state, next }) => which === "all" || (which === "pending" ? state === "pending" : next.length > 0),
    );
  const keys = left.slice(0, most);
  return { keys, next: keys.length < left.length ? keys.at(-1)?.keyId : undefined };
};
