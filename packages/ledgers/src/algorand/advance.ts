import type { Ruling } from "../ruling.ts";
import { fateOfSubmission, type SubmissionFaults } from "../submission-faults.ts";
import type { AlgodAddress } from "./address.ts";
import { faucetPayment } from "./faucet.ts";
import { mineBlock } from "./mine.ts";
import { type PooledGroup, refilledPool, rememberGroup } from "./pool.ts";
import type { AlgodFees } from "./rules/fees.ts";
import { type AlgodState, contextOfNextBlock, latestBlock } from "./state.ts";
import { decodeGroup } from "./transaction/decode.ts";
import { checkGroup } from "./transaction/group.ts";
import { checkSignature } from "./transaction/signature.ts";
import type { AlgodSubmission } from "./transaction/transaction.ts";
import { checkWellFormed } from "./transaction/well-formed.ts";

/** The events of a ledger. Time is part of an event; there is no randomness. */
export type AlgodEvent =
  | { readonly kind: "submit"; readonly bytes: Uint8Array }
  /** @param time seconds since 1970 */
  | { readonly kind: "mine"; readonly time: bigint }
  | { readonly kind: "fund"; readonly address: AlgodAddress; readonly amount: bigint }
  /** drops a waiting transaction and its group; without an id, all that wait */
  | { readonly kind: "drop"; readonly id: string | undefined }
  /** keeps a transaction, or without an id all that wait, out of the next blocks */
  | { readonly kind: "delay"; readonly id: string | undefined; readonly rounds: bigint }
  | { readonly kind: "set-fees"; readonly fees: AlgodFees }
  | { readonly kind: "set-faults"; readonly faults: SubmissionFaults };

export type AlgodEffect =
  /** the transaction, first of its submission, is now in the pool */
  | { readonly kind: "pooled"; readonly id: string; readonly replyIsLost: boolean }
  | {
      readonly kind: "refused";
      readonly message: string;
      readonly status: number;
      readonly replyIsLost: boolean;
    }
  | { readonly kind: "mined"; readonly round: bigint };

export interface AlgodStep {
  readonly state: AlgodState;
  readonly effects: readonly AlgodEffect[];
}

const REFUSED_STATUS = 400;

/** The checks of a node on a submission before its pool evaluates the group. */
const readGroup = (bytes: Uint8Array): Ruling<readonly AlgodSubmission[]> => {
  const decoded = decodeGroup(bytes);
  if (!decoded.ok) return decoded;
  const checks = [
    ...decoded.value.map((submission) => () => checkWellFormed(submission)),
    () => checkGroup(decoded.value),
    ...decoded.value.map((submission) => () => checkSignature(submission)),
  ];
  for (const check of checks) {
    const checked = check();
    if (!checked.ok) return checked;
  }
  return decoded;
};

const notTaken = (state: AlgodState, message: string, replyIsLost: boolean): AlgodStep => ({
  state,
  effects: [{ kind: "refused", message, status: REFUSED_STATUS, replyIsLost }],
});

const taken = (state: AlgodState, bytes: Uint8Array, replyIsLost: boolean): AlgodStep => {
  const group = readGroup(bytes);
  if (!group.ok) return notTaken(state, group.message, replyIsLost);
  const pool = rememberGroup(state.pool, group.value, contextOfNextBlock(state));
  if (!pool.ok) return notTaken(state, pool.message, replyIsLost);
  const id = group.value[0]?.id ?? "";
  return { state: { ...state, pool: pool.value }, effects: [{ kind: "pooled", id, replyIsLost }] };
};

const submitted = (state: AlgodState, bytes: Uint8Array): AlgodStep => {
  const { refusal, replyIsLost, faults } = fateOfSubmission(state.faults);
  const next = { ...state, faults };
  return refusal === undefined
    ? taken(next, bytes, replyIsLost)
    : { state: next, effects: [{ kind: "refused", ...refusal, replyIsLost }] };
};

/** Replaces the waiting groups; a group fails if it depended on one that was removed. */
const withGroups = (state: AlgodState, groups: readonly PooledGroup[]): AlgodStep => ({
  state: {
    ...state,
    pool: refilledPool(state.books, groups, state.pool.failed, contextOfNextBlock(state)),
  },
  effects: [],
});

const isMeant = ({ group }: PooledGroup, id: string | undefined): boolean =>
  id === undefined || group.some((submission) => submission.id === id);

const unknown = (state: AlgodState, id: string): AlgodStep => ({
  state,
  effects: [
    {
      kind: "refused",
      message: `the transaction ${id} does not wait in the pool`,
      status: 404,
      replyIsLost: false,
    },
  ],
});

const changedPool = (
  state: AlgodState,
  id: string | undefined,
  change: (pooled: PooledGroup) => readonly PooledGroup[],
): AlgodStep => {
  const { groups } = state.pool;
  if (id !== undefined && !groups.some((pooled) => isMeant(pooled, id))) return unknown(state, id);
  return withGroups(
    state,
    groups.flatMap((pooled) => (isMeant(pooled, id) ? change(pooled) : [pooled])),
  );
};

/** The ledger's transition function. Equal states and events give equal states and effects. */
export const advanceAlgorand = (state: AlgodState, event: AlgodEvent): AlgodStep => {
  switch (event.kind) {
    case "submit":
      return submitted(state, event.bytes);
    case "mine": {
      const mined = mineBlock(state, event.time);
      return { state: mined, effects: [{ kind: "mined", round: latestBlock(mined).round }] };
    }
    case "fund": {
      const bytes = faucetPayment(state, event.address, event.amount);
      return taken({ ...state, fundings: state.fundings + 1n }, bytes, false);
    }
    case "drop":
      return changedPool(state, event.id, () => []);
    case "delay": {
      const notBefore = latestBlock(state).round + 1n + event.rounds;
      return changedPool(state, event.id, (pooled) => [{ ...pooled, notBefore }]);
    }
    case "set-fees":
      return { state: { ...state, fees: event.fees }, effects: [] };
    case "set-faults":
      return { state: { ...state, faults: event.faults }, effects: [] };
  }
};
