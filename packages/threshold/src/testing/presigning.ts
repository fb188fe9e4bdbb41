import type { PartyIndex } from "../fault.ts";
import { startPresigning } from "../presign/presign.ts";
import type { Presignature } from "../presign/presignature.ts";
import type { PresignConfig } from "../presign/run.ts";
import type { Step } from "../session/round.ts";
import { insecureAuxiliaryInfo, testParties } from "./insecure-auxiliary.ts";
import { insecureKeyShares } from "./insecure-key-shares.ts";
import { type LockstepConfig, type LockstepOutcome, runLockstep } from "./lockstep.ts";
import { testSessionId } from "./session-network.ts";

/** A presigning among some of n parties that hold dealt shares of a key with threshold t. */
export interface TestPresigning {
  readonly t: number;
  readonly n: number;
  readonly signers: readonly PartyIndex[];
  readonly session?: string;
}

const dealt = <T>(value: T | undefined): T => {
  if (value === undefined) throw new RangeError("the dealer knows no such party");
  return value;
};

/** INSECURE: one party's configuration, with dealt shares and published primes. */
export const presignConfig = (
  { t, n, signers, session = "presigning" }: TestPresigning,
  self: PartyIndex,
): PresignConfig => {
  const parties = testParties(n);
  return {
    session: testSessionId(session),
    self,
    signers,
    key: dealt(insecureKeyShares(t, parties).get(self)),
    auxiliary: dealt(insecureAuxiliaryInfo(parties).get(self)),
  };
};

/** Runs a presigning in memory. */
export const presign = (
  config: TestPresigning,
  lockstep: Omit<LockstepConfig<Presignature>, "starts"> = {},
): ReadonlyMap<PartyIndex, LockstepOutcome<Presignature>> =>
  runLockstep({
    ...lockstep,
    starts: new Map(config.signers.map((self) => [self, startPresigning(presignConfig(config, self))])),
  });

/** The outputs of all parties; throws when a party has none. */
export const outputsOf = <Output>(
  outcomes: ReadonlyMap<PartyIndex, Extract<Step<Output>, { kind: "output" }> | { readonly kind: string }>,
): ReadonlyMap<PartyIndex, Output> => {
  const outputs = new Map<PartyIndex, Output>();
  for (const [self, outcome] of outcomes) {
    if (!("output" in outcome)) throw new Error(`party ${self} ended in ${JSON.stringify(outcome)}`);
    outputs.set(self, outcome.output);
  }
  return outputs;
};
