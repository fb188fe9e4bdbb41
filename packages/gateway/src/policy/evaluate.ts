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

/** Addresses that are spelled in one piece: two milliseconds or so. */
const SPELLED_AT_ONCE = 64;

/**
 * As `evaluatePolicies`. Callers choose whitelists and recipients that take a quarter of a second to compare: other requests go on
 * meanwhile.
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
