import { INSECURE_TEST_PARAMETERS } from "../insecure-test-parameters.ts";
import { type Parameters, PRODUCTION_PARAMETERS } from "../parameters.ts";

/**
 * The security level that an attempt names, as its parties agreed upon it. To judge what was signed at the reduced level of
 * tests accepts nothing: no signer of another level ever signs in such a session, because the session id binds the level.
 */
export const levelOf = (name: string): Parameters | undefined =>
  [PRODUCTION_PARAMETERS, INSECURE_TEST_PARAMETERS].find((level) => level.name === name);
