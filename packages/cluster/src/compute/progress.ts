import { awaited, type Fault, type Progress, type Session, SIGNED_MESSAGES_MAX } from "@conclave/threshold";
import type { ComputeResult } from "./task.ts";

/** Protocol and round of a session, such as "presign/2". */
export const stageOf = (protocol: string, { outcome }: Session<unknown>): string =>
  outcome.kind === "running" ? `${protocol}/${outcome.round}` : protocol;

/**
 * How far a session has come: twice the number of its round, plus one once it has echoed what it received. A party that
 * has reached a phase has sent all messages that others need to reach it.
 */
export const phaseOf = ({ waiting }: Session<unknown>): number =>
  waiting === undefined ? 0 : 2 * waiting.round.number + (waiting.hasEchoed ? 1 : 0);

/**
 * Puts messages that the accused signed first: where several sessions fail at many signers, the peers' messages exceed
 * the limit of evidence.
 */
const shortened = (fault: Fault): Fault => ({
  ...fault,
  messages: fault.messages.slice(0, SIGNED_MESSAGES_MAX),
});

/** The result of a step that gives no output: an output becomes a result by each protocol itself. */
export const unfinished = <Output>(
  protocol: string,
  { session, send, outcome, ignored }: Progress<Output>,
): Extract<ComputeResult, { readonly kind: "running" | "fault" | "abort" }> | undefined => {
  switch (outcome.kind) {
    case "running": {
      const running = { kind: "running", stage: stageOf(protocol, session), send } as const;
      const where = { awaiting: awaited(session), phase: phaseOf(session) };
      return ignored === undefined ? { ...running, ...where } : { ...running, ...where, ignored };
    }
    case "fault":
      return { ...outcome, fault: shortened(outcome.fault), send };
    case "abort":
      return outcome;
    case "output":
      return undefined;
  }
};

export const outputOf = <Output>({ outcome }: Progress<Output>): Output => {
  if (outcome.kind !== "output") throw new Error("a session without an output was settled as one with it");
  return outcome.output;
};
