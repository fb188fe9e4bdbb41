import {
  credentialUuidSchema,
  fail,
  MOST_CREDENTIALS,
  type NewCredential,
  type OrganisationId,
  ok,
  type RegisterBody,
  type Result,
} from "@conclave/custody";
import {
  type Connection,
  type Credential,
  insertCredential,
  listApplications,
  makeRoomForCredential,
  type User,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { demand } from "../http/refused.ts";
import { judgeAttestation, type RelyingParty } from "./attestation.ts";

/**
 * The relying parties for authenticators of an organisation's people: those of the cluster's own pages and of its
 * applications.
 */
const relyingPartiesOf = async (
  { relyingParties }: Pick<Dependencies, "relyingParties">,
  connection: Connection,
  orgId: OrganisationId,
): Promise<readonly RelyingParty[]> => {
  const applications = await listApplications(connection, orgId);
  const theirs = applications.filter(({ isActive }) => isActive);
  return [
    ...relyingParties,
    ...theirs.map(({ expectedRpId: id, expectedOrigin: origin }) => ({ id, origin })),
  ];
};

/**
 * Registers a person's credentials, all or none.
 * @returns the first one
 * @throws Refused with a refusal of `registerCredential`
 */
export const registerCredentials = async (
  dependencies: Pick<Dependencies, "relyingParties" | "now" | "world">,
  connection: Connection,
  user: Pick<User, "orgId" | "id">,
  { firstFactorCredential, secondFactorCredential, recoveryCredential }: RegisterBody,
  challenge: string,
): Promise<Credential> => {
  const enter = async (asked: NewCredential) =>
    demand(await registerCredential(dependencies, connection, user, asked, challenge));
  const credential = await enter(firstFactorCredential);
  if (secondFactorCredential !== undefined) await enter(secondFactorCredential);
  if (recoveryCredential !== undefined) await enter(recoveryCredential);
  return credential;
};

/**
 * Registers a credential whose holder signed the challenge.
 * @returns CredentialRefused, PublicKeyInvalid, TooManyCredentials, or CredentialTaken when the organisation already
 * has this credId
 */
export const registerCredential = async (
  dependencies: Pick<Dependencies, "relyingParties" | "now" | "world">,
  connection: Connection,
  { orgId, id: userId }: Pick<User, "orgId" | "id">,
  asked: NewCredential,
  challenge: string,
): Promise<Result<Credential>> => {
  const parties = await relyingPartiesOf(dependencies, connection, orgId);
  const attested = await judgeAttestation(asked, challenge, parties);
  if (!attested.ok) return attested;
  const credential: Credential = {
    ...attested.value,
    id: asked.credentialInfo.credId,
    uuid: dependencies.world.freshId(credentialUuidSchema, "cr"),
    kind: asked.credentialKind,
    orgId,
    userId,
    name: asked.credentialName ?? asked.credentialKind,
    isActive: true,
    encryptedPrivateKey: asked.encryptedPrivateKey,
    tokenId: undefined,
    dateCreated: dependencies.now().toISOString(),
  };
  if (!(await makeRoomForCredential(connection, orgId, userId, MOST_CREDENTIALS))) {
    return fail("TooManyCredentials", { most: MOST_CREDENTIALS });
  }
  return (await insertCredential(connection, credential))
    ? ok(credential)
    : fail("CredentialTaken", { credentialId: credential.id });
};
