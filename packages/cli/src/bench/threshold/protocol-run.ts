import { randomBytes } from "node:crypto";
import type { Inbox, PartyIndex, Round, Start, Step } from "@conclave/threshold";
import { cpuMs } from "../machine/own-cpu.ts";
import { type PowerClass, PowerCounter } from "../machine/power-counter.ts";

/** The cost of one step of a protocol at one party. */
export interface StepCost {
  readonly cpuMs: number;
  readonly powers: readonly PowerClass[];
  /** bytes of the messages of the step, counted once for each receiver */
  readonly sentBytes: number;
}

export interface ProtocolRun<Output> {
  readonly outputs: ReadonlyMap<PartyIndex, Output>;
  /** by step: 0 is the start, k the advance of the k-th round; by party, in the order of `starts` */
  readonly steps: readonly (readonly StepCost[])[];
}

interface Letter {
  readonly from: PartyIndex;
  readonly to: PartyIndex | "all";
  readonly payload: Uint8Array;
}

const entropy = (length: number): Uint8Array => randomBytes(length);

const inboxFor = (letters: readonly Letter[], self: PartyIndex): Inbox => {
  const find = (from: PartyIndex, to: PartyIndex | "all"): Uint8Array => {
    const found = letters.find((letter) => letter.from === from && letter.to === to);
    if (found === undefined) throw new Error(`party ${self} got nothing from ${from}`);
    return found.payload;
  };
  return { broadcast: (from) => find(from, "all"), direct: (from) => find(from, self) };
};

const measure = <T>(
  counter: PowerCounter,
  work: () => T,
): { readonly result: T; readonly spent: Omit<StepCost, "sentBytes"> } => {
  counter.reset();
  const before = cpuMs();
  const result = work();
  return { result, spent: { cpuMs: cpuMs() - before, powers: counter.take() } };
};

const sentBytes = (step: Step<unknown>, receivers: number): number =>
  step.kind === "next"
    ? step.messages.reduce((sum, { to, payload }) => sum + payload.length * (to === "all" ? receivers : 1), 0)
    : 0;

/**
 * Runs a protocol among parties in this process, one step of one party after the other, and measures each step. Messages are
 * passed directly, without signatures, encryption, echo and network; all else is the work of a signer.
 */
export const runProtocol = <Output>(starts: ReadonlyMap<PartyIndex, Start<Output>>): ProtocolRun<Output> => {
  using counter = new PowerCounter();
  const steps: StepCost[][] = [];
  const outputs = new Map<PartyIndex, Output>();
  let waiting = new Map<PartyIndex, Round<Output>>();
  let letters: Letter[] = [];

  const take = (works: readonly (readonly [PartyIndex, () => Step<Output>])[]): void => {
    const spentByParty: StepCost[] = [];
    const sent: Letter[] = [];
    waiting = new Map();
    for (const [self, work] of works) {
      const { result: step, spent } = measure(counter, work);
      spentByParty.push({ ...spent, sentBytes: sentBytes(step, starts.size - 1) });
      if (step.kind === "output") outputs.set(self, step.output);
      else if (step.kind === "next") {
        waiting.set(self, step.round);
        sent.push(...step.messages.map(({ to, payload }) => ({ from: self, to, payload })));
      } else throw new Error(`party ${self} ended with ${step.kind}: honest parties do not`);
    }
    letters = sent;
    steps.push(spentByParty);
  };

  take([...starts].map(([self, start]) => [self, () => start(entropy)]));
  while (waiting.size > 0) {
    const arrived = letters;
    take([...waiting].map(([self, round]) => [self, () => round.advance(inboxFor(arrived, self), entropy)]));
  }
  return { outputs, steps };
};
