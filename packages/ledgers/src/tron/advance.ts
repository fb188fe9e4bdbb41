import type { JavaTronAddress } from "./address.ts";
import { javaTronFaucetPayment } from "./faucet.ts";
import { fateOfJavaTronSubmission, type JavaTronFaults } from "./faults.ts";
import { javaTronBlockOfRuns } from "./mine.ts";
import type { JavaTronPrices } from "./parameters.ts";
import { pooledJavaTron, refilledJavaTron } from "./pool.ts";
import { reorganisedJavaTron, whyNotTakenBack } from "./reorganise.ts";
import { JavaTronNotTaken, type JavaTronRefusal, type JavaTronRun } from "./rules/applied.ts";
import { type JavaTronState, type JavaTronWaiting, latestJavaTronBlock } from "./state.ts";
import { decodeJavaTronTransaction } from "./transaction/decode.ts";

/** The events of a ledger. The time and the outcomes of contract runs are part of an event; there is no randomness. */
export type JavaTronEvent =
  /** protocol.Transaction */
  | { readonly kind: "submit"; readonly bytes: Uint8Array }
  /** @param time milliseconds since 1970 @param runs of the contracts in the block, in order */
  | { readonly kind: "mine"; readonly time: number; readonly runs: readonly JavaTronRun[] }
  | { readonly kind: "fund"; readonly address: JavaTronAddress; readonly amount: bigint }
  /** drops a waiting transaction; without an id, all that wait */
  | { readonly kind: "drop"; readonly id: string | undefined }
  /** keeps a transaction, or without an id all that wait, out of the next blocks */
  | { readonly kind: "delay"; readonly id: string | undefined; readonly blocks: number }
  /** undoes this many of the blocks that are not solid @param time milliseconds since 1970 */
  | { readonly kind: "reorganise"; readonly depth: number; readonly time: number }
  | { readonly kind: "set-prices"; readonly prices: JavaTronPrices }
  | { readonly kind: "set-faults"; readonly faults: JavaTronFaults };

export type JavaTronEffect =
  | { readonly kind: "pooled"; readonly id: string; readonly replyIsLost: boolean }
  | {
      readonly kind: "refused";
      /** undefined if the bytes could not be decoded */
      readonly id: string | undefined;
      readonly refusal: JavaTronRefusal;
      readonly replyIsLost: boolean;
    }
  | { readonly kind: "mined"; readonly number: number }
  /** an operator named a transaction that does not wait */
  | { readonly kind: "unknown"; readonly id: string }
  /** an operator's action is impossible */
  | { readonly kind: "impossible"; readonly message: string };

export interface JavaTronStep {
  readonly state: JavaTronState;
  readonly effects: readonly JavaTronEffect[];
}

const taken = (
  state: JavaTronState,
  bytes: Uint8Array,
  { isSwallowed, replyIsLost }: { readonly isSwallowed: boolean; readonly replyIsLost: boolean },
): JavaTronStep => {
  const decoded = decodeJavaTronTransaction(bytes);
  if (!decoded.ok) {
    const words = `Contract validate error : ${decoded.message}`;
    const refusal: JavaTronRefusal = { code: "CONTRACT_VALIDATE_ERROR", message: words };
    return { state, effects: [{ kind: "refused", id: undefined, refusal, replyIsLost }] };
  }
  const { id } = decoded.value;
  try {
    const next = pooledJavaTron(state, decoded.value);
    return { state: isSwallowed ? state : next, effects: [{ kind: "pooled", id, replyIsLost }] };
  } catch (error) {
    if (!(error instanceof JavaTronNotTaken)) throw error;
    return { state, effects: [{ kind: "refused", id, refusal: error.refusal, replyIsLost }] };
  }
};

const submitted = (state: JavaTronState, bytes: Uint8Array): JavaTronStep => {
  const fate = fateOfJavaTronSubmission(state.faults);
  const next = { ...state, faults: fate.faults };
  const { refusal, replyIsLost } = fate;
  return refusal === undefined
    ? taken(next, bytes, fate)
    : { state: next, effects: [{ kind: "refused", id: undefined, refusal, replyIsLost }] };
};

const changedWaiting = (
  state: JavaTronState,
  id: string | undefined,
  change: (waiting: JavaTronWaiting) => readonly JavaTronWaiting[],
): JavaTronStep => {
  const isMeant = ({ submission }: JavaTronWaiting): boolean => id === undefined || submission.id === id;
  if (id !== undefined && !state.waiting.some(isMeant)) return { state, effects: [{ kind: "unknown", id }] };
  const waiting = state.waiting.flatMap((each) => (isMeant(each) ? change(each) : [each]));
  return { state: refilledJavaTron(state, waiting), effects: [] };
};

/** The ledger's transition function. Equal states and events give equal states and effects. */
export const advanceTron = (state: JavaTronState, event: JavaTronEvent): JavaTronStep => {
  switch (event.kind) {
    case "submit":
      return submitted(state, event.bytes);
    case "mine": {
      const mined = javaTronBlockOfRuns(state, event.time, event.runs);
      return { state: mined, effects: [{ kind: "mined", number: latestJavaTronBlock(mined).number }] };
    }
    case "fund": {
      const next = { ...state, fundings: state.fundings + 1 };
      const bytes = javaTronFaucetPayment(next, event.address, event.amount);
      return taken(next, bytes, { isSwallowed: false, replyIsLost: false });
    }
    case "drop":
      return changedWaiting(state, event.id, () => []);
    case "delay": {
      const notBefore = latestJavaTronBlock(state).number + 1 + event.blocks;
      return changedWaiting(state, event.id, (waiting) => [{ ...waiting, notBefore }]);
    }
    case "reorganise": {
      const message = whyNotTakenBack(state, event.depth);
      if (message !== undefined) return { state, effects: [{ kind: "impossible", message }] };
      return { state: reorganisedJavaTron(state, event.depth, event.time), effects: [] };
    }
    case "set-prices":
      return { state: { ...state, prices: event.prices }, effects: [] };
    case "set-faults":
      return { state: { ...state, faults: event.faults }, effects: [] };
  }
};
