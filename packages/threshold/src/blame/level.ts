import { INSECURE_TEST_PARAMETERS } from "../insecure-test-parameters.ts";
import { type Parameters, PRODUCTION_PARAMETERS } from "../parameters.ts";

/**
 * The security level that an attempt names, as its parties agreed on it. Judging messages of the reduced test
 * level is harmless: the session id binds the level, so no signer of another level signs in such a session.
 */
export const levelOf = (name: string): Parameters | undefined =>
  [PRODUCTION_PARAMETERS, INSECURE_TEST_PARAMETERS].find((level) => level.name === name);
