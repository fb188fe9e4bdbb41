import { createHmac, generateKeyPairSync, type KeyObject } from "node:crypto";
import { credentialUuidSchema, type OrganisationId, userIdSchema, type World } from "@conclave/custody";
import type { Credential, CredentialSample } from "@conclave/platform";
import type { RelyingParty } from "../credential/attestation.ts";
import { derivedSecret } from "./derived-secret.ts";

const HASH_BYTES = 32;
/** the form of a decoy in an organisation without credentials: what the launcher makes */
const USUAL: readonly Pick<CredentialSample, "id" | "kind">[] = [{ kind: "Key", id: "x".repeat(43) }];
const HEXADECIMAL = /^[0-9a-f-]+$/;
/** RFC 9053: an EC2 key of ES256 on P-256, before each of its two coordinates */
const COSE_X = Buffer.from("a5010203262001215820", "hex");
const COSE_Y = Buffer.from("225820", "hex");

/**
 * Makes decoys for an unknown username; the same name always gets the same ones. Their signatures are checked like real
 * ones, so that the time of a refusal does not reveal them either.
 * @param samples credentials of people of the same organisation; their kinds, number, length and alphabet are imitated
 */
export type Decoys = (
  orgId: OrganisationId,
  username: string,
  samples: readonly CredentialSample[],
) => readonly Credential[];

/**
 * Makes decoys that only the holder of the gateway's token key can distinguish from real credentials.
 * @param key the gateway's token key, from which another secret is derived
 */
export const makeDecoys = (
  world: World,
  key: KeyObject,
  { id: relyingPartyId, origin }: RelyingParty,
): Decoys => {
  const secret = derivedSecret(key, "conclave/decoy-credentials");
  const pseudorandom = (...about: readonly string[]): Buffer =>
    createHmac("sha256", secret).update(JSON.stringify(about)).digest();
  const keys = keysOfNobody();
  return (orgId, username, samples) =>
    modelOf(samples, (userId) => pseudorandom("model", orgId, username, userId)).map(({ kind, id }, at) => ({
      ...keys,
      ...(kind === "Fido2"
        ? { relyingPartyId, origin }
        : { relyingPartyId: "", origin: "", coseKey: undefined }),
      id: spelledLike(id, (part) => pseudorandom("id", orgId, username, String(at), String(part))),
      uuid: world.freshId(credentialUuidSchema, "cr"),
      kind,
      orgId,
      userId: world.freshId(userIdSchema, "us"),
      name: "",
      isActive: true,
      encryptedPrivateKey: undefined,
      signCount: 0,
      tokenId: undefined,
      dateCreated: new Date(0).toISOString(),
    }));
};

/**
 * The credentials of one person, chosen by a hash of the username with each person. A person who comes or goes then
 * changes the decoys of few names; a choice by position would change the decoys of all names at once, which real
 * credentials do not do.
 */
const modelOf = (
  samples: readonly CredentialSample[],
  weigh: (userId: string) => Buffer,
): readonly Pick<CredentialSample, "id" | "kind">[] => {
  const people = [...new Set(samples.map(({ userId }) => userId))];
  const [heaviest] = people
    .map((userId) => ({ userId, weight: weigh(userId) }))
    .sort((a, b) => Buffer.compare(b.weight, a.weight));
  return heaviest === undefined ? USUAL : samples.filter(({ userId }) => userId === heaviest.userId);
};

/** Text of the same length in the same alphabet. */
const spelledLike = (id: string, part: (at: number) => Buffer): string => {
  const encoding = HEXADECIMAL.test(id) ? "hex" : "base64url";
  const parts = Array.from({ length: Math.ceil(id.length / HASH_BYTES) }, (_, at) => part(at));
  const text = Buffer.concat(parts).toString(encoding).slice(0, id.length);
  return encoding === "base64url"
    ? text
    : [...text].map((digit, at) => (id[at] === "-" ? "-" : digit)).join("");
};

/** One public key for each kind of credential, whose private key is discarded. */
const keysOfNobody = () => {
  const { x = "", y = "" } = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({
    format: "jwk",
  });
  const coordinate = (text: string) => Buffer.from(text, "base64url");
  return {
    publicKey: generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString(),
    coseKey: new Uint8Array(Buffer.concat([COSE_X, coordinate(x), COSE_Y, coordinate(y)])),
  };
};
