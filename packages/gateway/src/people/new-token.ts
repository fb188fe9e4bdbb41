import { type ApplicationId, credentialUuidSchema, problem, tokenIdSchema } from "@conclave/custody";
import {
  type AccessToken,
  type AccessTokenKind,
  type Caller,
  type Connection,
  fingerprintOf,
  insertCredential,
  putAccessToken,
  tokenHashOf,
  type User,
} from "@conclave/platform";
import { readPublicKey } from "../credential/public-key.ts";
import type { Dependencies } from "../dependencies.ts";
import { demand, Refused } from "../http/refused.ts";
import { credentialOfToken } from "./token-key.ts";

/** A requested long-lived token. */
export interface NewToken {
  readonly kind: Exclude<AccessTokenKind, "Token">;
  /** the user as which it acts */
  readonly user: User;
  readonly appId?: ApplicationId;
  readonly name: string;
  readonly externalId: string | undefined;
  /** PEM; verifies signed actions under the token */
  readonly publicKey: string;
  readonly lifetimeSeconds: number;
}

/**
 * Makes a long-lived token and the credential that signs actions under it.
 * @returns the token, and its text, which is not stored
 * @throws Refused with PublicKeyInvalid
 */
export const makeToken = async (
  { issuer, now, world }: Pick<Dependencies, "issuer" | "now" | "world">,
  connection: Connection,
  asked: NewToken,
): Promise<{ readonly token: AccessToken; readonly text: string }> => {
  const { kind, user, appId, name, externalId } = asked;
  const { orgId, id: userId } = user;
  const publicKey = demand(readPublicKey(asked.publicKey));
  const tokenId = world.freshId(tokenIdSchema, "to");
  const caller: Caller = {
    orgId,
    userId,
    tokenKind: kind,
    tokenId,
    ...(appId === undefined ? {} : { appId }),
  };
  const { text, dateExpires } = await issuer.bearer(caller, user.username, asked.lifetimeSeconds);
  const uuid = world.freshId(credentialUuidSchema, "cr");
  const dateCreated = now().toISOString();
  const credential = credentialOfToken({ uuid, orgId, userId, tokenId, name, publicKey, dateCreated });
  const token: AccessToken = {
    id: tokenId,
    orgId,
    kind,
    name,
    userId,
    appId,
    credId: credential.id,
    publicKey: fingerprintOf(publicKey),
    tokenHash: tokenHashOf(text),
    externalId,
    isActive: true,
    dateCreated,
    dateExpires,
    dateArchived: undefined,
  };
  await putAccessToken(connection, token);
  const added = await insertCredential(connection, credential);
  if (!added) throw new Refused(problem("CredentialTaken"));
  return { token, text };
};
