import { type Attempt, attemptSession, type IdentityRoster } from "../../blame/attempt.ts";
import type { PartyIndex } from "../../fault.ts";
import { INSECURE_TEST_PARAMETERS } from "../../insecure-test-parameters.ts";
import type { SessionId } from "../../session/envelope.ts";
import { insecurePeerKeys, testSessionId } from "../session-network.ts";

/** The fields of an attempt that a test sets; the others are the same in all tests. */
export type TestAttempt = Pick<Attempt, "protocol"> & Partial<Attempt>;

/** The identity keys of test parties. */
export const testRoster = (parties: readonly PartyIndex[]): IdentityRoster =>
  new Map(parties.map((party) => [party, insecurePeerKeys(party)]));

/** The attempt of a test run; the name makes runs differ. */
export const testAttempt = (
  name: string,
  parties: readonly PartyIndex[],
  fields: TestAttempt,
): { readonly attempt: Attempt; readonly session: SessionId } => {
  const attempt: Attempt = {
    given: testSessionId(name),
    expiresAtMs: 1,
    level: INSECURE_TEST_PARAMETERS.name,
    scheme: "CGGMP24",
    keyId: "",
    epoch: 0,
    parties,
    threshold: 2,
    total: parties.length,
    agreed: [],
    ...fields,
  };
  const session = attemptSession(attempt, testRoster(parties));
  if (session === undefined) throw new Error("all test parties are in the test roster");
  return { attempt, session };
};
