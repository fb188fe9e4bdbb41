import { type ErrorCode, type Problem, problem } from "@conclave/custody";
import type { FairTurns, NoTurn } from "@conclave/platform";
import { Refused } from "../http/refused.ts";

const RETRY_AFTER_SECONDS = 1;

const CODES: Readonly<Record<NoTurn, ErrorCode>> = {
  "too many of its own": "TooManyAtOnce",
  "too many of all": "Overloaded",
};

/** The error for a caller that gets no turn: TooManyAtOnce or Overloaded. No work was begun. */
export const noTurnProblem = (reason: NoTurn): Problem =>
  problem(CODES[reason], { retryAfterSeconds: RETRY_AFTER_SECONDS });

/**
 * Does work in a turn of the given name.
 * @param isFirst before others of that name that wait
 * @throws Refused with TooManyAtOnce or Overloaded when there is no turn; then no work was begun
 */
export const inTurn = async <T>(
  turns: FairTurns,
  whose: string,
  work: () => Promise<T>,
  isFirst = false,
): Promise<T> => {
  const turn = await turns.take(whose, isFirst);
  if ("refused" in turn) throw new Refused(noTurnProblem(turn.refused));
  try {
    return await work();
  } finally {
    turn.end();
  }
};
