import { fail, MOST_POLICIES, ok, type PolicyBody, type PolicyId, type Result } from "@conclave/custody";
import { type Caller, type Connection, measurePolicies } from "@conclave/platform";

/** Limit on the characters of all policies together, as JSON: a whitelist of 10 000 addresses takes half of it. */
const MOST_LENGTH = 1_048_576;

/**
 * Whether there is room for a new or changed policy. Must run in the transaction that stores it.
 * @param replaced the policy that it replaces
 * @returns TooManyPolicies
 */
export const roomForPolicy = async (
  connection: Connection,
  { orgId }: Pick<Caller, "orgId">,
  body: PolicyBody,
  replaced?: PolicyId,
): Promise<Result<PolicyBody>> => {
  const { count, length } = await measurePolicies(connection, orgId, replaced);
  const fits = count < MOST_POLICIES && length + JSON.stringify(body).length <= MOST_LENGTH;
  return fits
    ? ok(body)
    : fail("TooManyPolicies", { most: MOST_POLICIES, mostLength: MOST_LENGTH, count, length });
};
