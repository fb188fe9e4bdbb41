import type { PartyIndex } from "../fault.ts";
import type { Start } from "../session/round.ts";
import { runLockstep } from "./lockstep.ts";
import { outputsOf } from "./presigning.ts";

/**
 * INSECURE: runs a protocol among parties in one process, in memory, with predictable randomness.
 *
 * @returns the output of a party; in production each party knows only its own
 * @throws Error when any party ended without an output
 */
export const runAmong = <Output>(
  parties: readonly PartyIndex[],
  start: (self: PartyIndex) => Start<Output>,
): ((party: PartyIndex) => Output) => {
  const outputs = outputsOf(runLockstep({ starts: new Map(parties.map((self) => [self, start(self)])) }));
  return (party) => {
    const output = outputs.get(party);
    if (output === undefined) throw new RangeError(`party ${party} took no part`);
    return output;
  };
};
