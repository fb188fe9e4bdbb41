import { burnWhere } from "../presigning/burn.ts";
import { andThen, endWith, type SignerState, type SignerStep, unchanged } from "../state.ts";

const REASON = "the signer stood still, or its clock jumped: it goes on with no nonce of before";

/**
 * Burns every presignature that waits, and ends every session: each of them holds nonces, and where this process goes on from a copy
 * of its memory, another copy may use the same ones for something else (INV-2). Coordinators begin again with fresh ones.
 */
export const burnNonces = (state: SignerState): SignerStep => {
  const calls = new Set([...state.sessions.values()].map(({ call }) => call));
  const burnt = burnWhere(state, () => true);
  return [...calls].reduce(
    (step, call) =>
      andThen(step, (next) => endWith(next, { call }, { kind: "failure", reason: REASON, silent: [] })),
    unchanged(burnt),
  );
};
