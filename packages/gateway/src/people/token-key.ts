import type { CredentialUuid, OrganisationId, TokenId, UserId } from "@conclave/custody";
import type { Credential } from "@conclave/platform";

/** A key that signs the actions of a long-lived token. */
interface TokenKey {
  readonly uuid: CredentialUuid;
  readonly orgId: OrganisationId;
  readonly userId: UserId;
  readonly tokenId: TokenId;
  readonly name: string;
  /** SPKI in PEM */
  readonly publicKey: string;
  /** ISO 8601 UTC */
  readonly dateCreated: string;
}

/** Makes the credential of a key that signs for a long-lived token alone. Its credId is base64url of a ci- id (wire interface, section B.5). */
export const credentialOfToken = (key: TokenKey): Credential => ({
  ...key,
  id: Buffer.from(key.uuid.replace(/^cr-/, "ci-"), "utf8").toString("base64url"),
  kind: "Key",
  isActive: true,
  relyingPartyId: "",
  origin: "",
  encryptedPrivateKey: undefined,
  signCount: 0,
  coseKey: undefined,
});
