import {
  type Activity,
  evaluatePolicies,
  type Policy,
  type PolicyId,
  type PolicyVerdict,
  type SigningFacts,
  type World,
  whitelistSteps,
} from "@conclave/custody";

/** Number of addresses that are normalised without a pause: about two milliseconds. */
const SPELLED_AT_ONCE = 64;

/**
 * As `evaluatePolicies`, with pauses for other requests: callers can choose whitelists and recipients whose comparison
 * takes a quarter of a second.
 */
export const evaluateInPieces = async (
  { sleep }: Pick<World, "sleep">,
  policies: readonly Policy[],
  activity: Activity,
  facts: SigningFacts | undefined,
  answered?: ReadonlySet<PolicyId>,
): Promise<PolicyVerdict> => {
  let spelled = 0;
  for (const weight of whitelistSteps(policies, activity)) {
    spelled += weight;
    if (spelled < SPELLED_AT_ONCE) continue;
    spelled = 0;
    await sleep(0);
  }
  return evaluatePolicies(policies, activity, facts, answered);
};
