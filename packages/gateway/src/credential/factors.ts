import { type ActionSignature, type Connection, type Credential, countSignature } from "@conclave/platform";
import { type Factor, judgeAssertion } from "./assertion.ts";

/** The factors of a signed challenge: one credential, or two. */
export interface SignInFactors {
  readonly firstFactor: Factor;
  readonly secondFactor?: Factor | undefined;
}

/** The credential that signed a challenge, and its signature for the record. */
export interface Proof extends ActionSignature {
  readonly credential: Credential;
}

/**
 * Judges the signatures over a challenge. A second factor, if sent, must be valid too, and be another credential.
 * @param credentials those that may sign; inactive ones do not count
 * @returns undefined unless all are valid
 */
export const judgeFactors = async (
  connection: Connection,
  credentials: readonly Credential[],
  { firstFactor, secondFactor }: SignInFactors,
  challenge: string,
): Promise<Proof | undefined> => {
  const first = await judgeFactor(connection, credentials, firstFactor, challenge);
  if (first === undefined) return undefined;
  const others = credentials.filter(({ id }) => id !== first.id);
  const second =
    secondFactor === undefined ? undefined : await judgeFactor(connection, others, secondFactor, challenge);
  if (secondFactor !== undefined && second === undefined) return undefined;
  return {
    credential: first,
    credentialId: first.id,
    secondCredentialId: second?.id,
    assertion: signedBy(firstFactor),
  };
};

const judgeFactor = async (
  connection: Connection,
  credentials: readonly Credential[],
  factor: Factor,
  challenge: string,
): Promise<Credential | undefined> => {
  const credential = credentials.find(({ id }) => id === factor.credentialAssertion.credId);
  if (credential?.isActive !== true) return undefined;
  const verdict = await judgeAssertion(credential, factor, challenge);
  if (!verdict.holds) return undefined;
  const isFresh =
    credential.kind !== "Fido2" || (await countSignature(connection, credential, verdict.signCount));
  return isFresh ? credential : undefined;
};

const signedBy = (factor: Factor): ActionSignature["assertion"] => {
  const { clientData, signature } = factor.credentialAssertion;
  return factor.kind === "Fido2"
    ? { clientData, signature, authenticatorData: factor.credentialAssertion.authenticatorData }
    : { clientData, signature };
};
