import { startAuxiliaryGeneration } from "../../auxiliary/auxiliary.ts";
import type { PartyIndex } from "../../fault.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../../insecure-test-parameters.ts";
import { startPresigning } from "../../presign/presign.ts";
import type { Presignature } from "../../presign/presignature.ts";
import { Secret } from "../../secret.ts";
import type { Start } from "../../session/round.ts";
import { insecureAuxiliaryPrimes, testParties } from "../insecure-auxiliary.ts";
import { type LockstepOutcome, type Passing, runLockstep, type Standing } from "../lockstep.ts";
import { outputsOf, presignConfig } from "../presigning.ts";

/** The smallest run of a protocol, with all its messages. */
interface Recording<Output> {
  readonly outcomes: ReadonlyMap<PartyIndex, LockstepOutcome<Output>>;
  /** the payloads that all parties sent in a round, in the order sent */
  readonly sent: (round: number, kind: Passing["kind"]) => readonly Uint8Array[];
  /** every party's state before each of its rounds advanced */
  readonly standings: readonly Standing<Output>[];
}

export const two: readonly PartyIndex[] = testParties(2);

export const record = <Output>(startOf: (self: PartyIndex) => Start<Output>): Recording<Output> => {
  const said: Passing[] = [];
  const standings: Standing<Output>[] = [];
  const outcomes = runLockstep({
    starts: new Map(two.map((self) => [self, startOf(self)])),
    mutate: (passing) => {
      said.push(passing);
      return passing.payload;
    },
    watch: (standing) => standings.push(standing),
  });
  return {
    outcomes,
    standings,
    sent: (round, kind) => {
      const found = said.filter((passing) => passing.round === round && passing.kind === kind);
      if (found.length === 0) throw new Error(`nobody sent a ${kind} message in round ${round}`);
      return found.map(({ payload }) => payload);
    },
  };
};

export const auxiliaryGeneration = record((self) =>
  startAuxiliaryGeneration({
    session: new Uint8Array(32),
    self,
    parties: two,
    epoch: 0,
    parameters,
    primes: new Secret(insecureAuxiliaryPrimes(self)),
  }),
);

export const presigning = record((self) =>
  startPresigning(presignConfig({ t: 2, n: 2, signers: two }, self)),
);

export const presignatures: readonly Presignature[] = [...outputsOf(presigning.outcomes).values()];
