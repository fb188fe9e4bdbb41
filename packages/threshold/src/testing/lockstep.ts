import type { Entropy } from "../entropy.ts";
import type { Accusation, PartyIndex } from "../fault.ts";
import type { Inbox, Outgoing, Round, Start, Step } from "../session/round.ts";
import { seededEntropy } from "./seeded-entropy.ts";

/** A message in transit to one receiver; a broadcast passes once for each receiver. */
export interface Passing {
  readonly from: PartyIndex;
  readonly to: PartyIndex;
  /** the number of the round that consumes it */
  readonly round: number;
  readonly kind: "broadcast" | "direct";
  readonly payload: Uint8Array;
}

/** Changes a message in transit: returns the payload to deliver, or undefined to drop it. */
export type Mutate = (passing: Passing) => Uint8Array | undefined;

export type LockstepOutcome<Output> =
  | Exclude<Step<Output>, { readonly kind: "next" }>
  /** still waits for messages of this round, because some party fell silent */
  | { readonly kind: "waiting"; readonly round: number; readonly missing: readonly PartyIndex[] };

/** One party in one round, with all its messages. Immutable, so that a test can continue from it in many ways. */
export interface Standing<Output> {
  readonly party: PartyIndex;
  readonly round: Round<Output>;
  readonly inbox: Inbox;
}

export interface LockstepConfig<Output> {
  readonly starts: ReadonlyMap<PartyIndex, Start<Output>>;
  /** seed of every party's entropy; the party's number is appended */
  readonly seed?: string;
  readonly entropy?: (party: PartyIndex) => Entropy;
  readonly mutate?: Mutate;
  /** called for every party before each of its rounds advances */
  readonly watch?: (standing: Standing<Output>) => void;
}

type Boxes = Map<string, Uint8Array>;

interface Runner<Output> {
  readonly self: PartyIndex;
  readonly entropy: Entropy;
  readonly inbox: Boxes;
  step: Step<Output>;
}

/** All parties of one run, and the test's changes to their messages. */
interface Run<Output> {
  readonly parties: readonly PartyIndex[];
  readonly runners: ReadonlyMap<PartyIndex, Runner<Output>>;
  readonly mutate: Mutate;
  readonly watch: LockstepConfig<Output>["watch"];
}

const boxKey = (round: number, kind: Passing["kind"], from: PartyIndex): string => `${round}/${kind}/${from}`;

const isExpected = (round: Round<unknown>, kind: Passing["kind"]): boolean =>
  (kind === "broadcast" ? round.expects.broadcast : round.expects.direct) !== "none";

const KINDS = ["broadcast", "direct"] as const;

const startRun = <Output>(config: LockstepConfig<Output>): Run<Output> => {
  const entropyOf = config.entropy ?? ((party) => seededEntropy(`${config.seed ?? "lockstep"}/${party}`));
  const runners = new Map<PartyIndex, Runner<Output>>();
  for (const [self, start] of config.starts) {
    const entropy = entropyOf(self);
    runners.set(self, { self, entropy, inbox: new Map(), step: start(entropy) });
  }
  const mutate: Mutate = config.mutate ?? (({ payload }) => payload);
  return { parties: [...config.starts.keys()], runners, mutate, watch: config.watch };
};

/** The parties whose expected messages of the round are missing. */
const missingOf = <Output>(
  { parties }: Run<Output>,
  { self, inbox }: Runner<Output>,
  round: Round<Output>,
): readonly PartyIndex[] =>
  parties.filter(
    (from) =>
      from !== self &&
      KINDS.some((kind) => isExpected(round, kind) && !inbox.has(boxKey(round.number, kind, from))),
  );

const deliver = <Output>(run: Run<Output>, from: PartyIndex, round: number, message: Outgoing): void => {
  const kind = message.to === "all" ? "broadcast" : "direct";
  for (const to of message.to === "all" ? run.parties : [message.to]) {
    const receiver = run.runners.get(to);
    if (to === from || receiver === undefined) continue;
    const payload = run.mutate({ from, to, round, kind, payload: message.payload });
    if (payload !== undefined) receiver.inbox.set(boxKey(round, kind, from), payload);
  }
};

const send = <Output>(run: Run<Output>, { self, step }: Runner<Output>): void => {
  if (step.kind !== "next") return;
  for (const message of step.messages) deliver(run, self, step.round.number, message);
};

/** Advances a runner if its round is complete. @returns whether it did */
const advance = <Output>(run: Run<Output>, runner: Runner<Output>): boolean => {
  if (runner.step.kind !== "next") return false;
  const { round } = runner.step;
  if (missingOf(run, runner, round).length > 0) return false;
  const oversize = findOversize(runner.inbox, round, run.parties);
  const inbox = inboxOf(runner.inbox, round.number);
  run.watch?.({ party: runner.self, round, inbox });
  runner.step =
    oversize === undefined ? round.advance(inbox, runner.entropy) : { kind: "fault", accusation: oversize };
  send(run, runner);
  return true;
};

const outcomeOf = <Output>(run: Run<Output>, runner: Runner<Output>): LockstepOutcome<Output> => {
  const { step } = runner;
  return step.kind === "next"
    ? { kind: "waiting", round: step.round.number, missing: missingOf(run, runner, step.round) }
    : withoutMaterial(step);
};

/** Removes the material: it is for third parties, and only the session layer adds it to a fault. */
const withoutMaterial = <Output>(
  step: Exclude<Step<Output>, { readonly kind: "next" }>,
): Exclude<Step<Output>, { readonly kind: "next" }> =>
  step.kind === "fault" ? { kind: "fault", accusation: step.accusation } : step;

/**
 * Runs a protocol among several parties in memory, without signatures, sealing or echo: each message is
 * delivered at once, through `mutate`. For tests of protocols and of cheating peers; tests of equivocation
 * need the session layer, since only that compares echoes.
 */
export const runLockstep = <Output>(
  config: LockstepConfig<Output>,
): ReadonlyMap<PartyIndex, LockstepOutcome<Output>> => {
  const run = startRun(config);
  const runners = [...run.runners.values()];
  for (const runner of runners) send(run, runner);
  while (runners.map((runner) => advance(run, runner)).includes(true));
  return new Map(runners.map((runner) => [runner.self, outcomeOf(run, runner)]));
};

const findOversize = (
  boxes: Boxes,
  round: Round<unknown>,
  parties: readonly PartyIndex[],
): Accusation | undefined => {
  const isTooLong = (from: PartyIndex): boolean =>
    KINDS.some(
      (kind) => (boxes.get(boxKey(round.number, kind, from))?.length ?? 0) > round.expects.payloadBytesMax,
    );
  const culprit = parties.find(isTooLong);
  return culprit === undefined ? undefined : { culprit, check: "payload size" };
};

const inboxOf = (boxes: Boxes, round: number): Inbox => {
  const take = (kind: Passing["kind"], from: PartyIndex): Uint8Array => {
    const payload = boxes.get(boxKey(round, kind, from));
    if (payload === undefined) throw new Error(`round ${round} reads a ${kind} message it did not expect`);
    return payload;
  };
  return { broadcast: (from) => take("broadcast", from), direct: (from) => take("direct", from) };
};
