import { UnwrittenRecords } from "../signer/records/unwritten.ts";
import type { SignerState, SignerStep } from "../signer/state.ts";

/** The state after a step, with its writes visible in its store. */
export const afterWrites = ({ state, effects }: SignerStep): SignerState => {
  const records = new UnwrittenRecords(state.history);
  for (const effect of effects) {
    if (effect.kind === "store" || effect.kind === "erase" || effect.kind === "batch") records.queued(effect);
  }
  return { ...state, history: records.read };
};
