import type { Entropy } from "../entropy.ts";
import type { Examination, Inbox, Round, Step } from "./round.ts";

/**
 * A round whose checks another thread can perform; `advance` performs each on this thread, when its result is
 * needed.
 */
export const examinedRound = <Output>(
  round: Omit<Round<Output>, "advance" | "examine"> & {
    readonly examine: (inbox: Inbox) => Examination<Output>;
  },
): Round<Output> => ({
  ...round,
  advance: (inbox, entropy) => concludeHere(round.examine(inbox), entropy),
});

/** Performs the checks on this thread, each only after all earlier ones passed. */
export const concludeHere = <Output>(
  { checks, conclude }: Examination<Output>,
  entropy: Entropy,
): Step<Output> =>
  conclude((peer) => {
    const check = checks.find((one) => one.peer === peer);
    if (check === undefined) throw new RangeError(`no check of party ${peer}`);
    return check.perform();
  }, entropy);

/** The same round with `change` applied to each of its steps. */
export const changeSteps = <From, To>(
  round: Round<From>,
  change: (step: Step<From>) => Step<To>,
): Round<To> => {
  const { number, expects, advance, examine, early } = round;
  const sooner: Pick<Round<To>, "early"> = early === undefined
    ? {}
    : {
        early: (heard) => {
          const step = early(heard);
          return step && change(step);
        },
      };
  const changed = (inbox: Inbox, entropy: Entropy): Step<To> => change(advance(inbox, entropy));
  if (examine === undefined) return { ...sooner, number, expects, advance: changed };
  return {
    ...sooner,
    number,
    expects,
    advance: changed,
    examine: (inbox) => {
      const { checks, conclude } = examine(inbox);
      return { checks, conclude: (resultOf, entropy) => change(conclude(resultOf, entropy)) };
    },
  };
};
