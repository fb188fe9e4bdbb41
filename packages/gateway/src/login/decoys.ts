import { createHmac, generateKeyPairSync, hkdfSync, type KeyObject } from "node:crypto";
import { credentialUuidSchema, type OrganisationId, userIdSchema, type World } from "@conclave/custody";
import type { Credential, CredentialSample } from "@conclave/platform";
import type { RelyingParty } from "../credential/attestation.ts";

const SECRET_BYTES = 32;
const HASH_BYTES = 32;
/** the form of a credential where an organisation has none yet: what the launcher makes */
const USUAL: readonly Pick<CredentialSample, "id" | "kind">[] = [{ kind: "Key", id: "x".repeat(43) }];
const HEXADECIMAL = /^[0-9a-f-]+$/;
/** RFC 9053: an EC2 key of ES256 on P-256, before each of its two coordinates */
const COSE_X = Buffer.from("a5010203262001215820", "hex");
const COSE_Y = Buffer.from("225820", "hex");

/**
 * Credentials that nobody has, for names that nobody has: the same name gets the same ones every time. They are judged like
 * anybody's, so that how long a refusal takes does not tell either.
 * @param samples the credentials of people of the same organisation; their kinds, number and spelling are imitated
 */
export type Decoys = (
  orgId: OrganisationId,
  username: string,
  samples: readonly CredentialSample[],
) => readonly Credential[];

/**
 * Makes decoys that look like somebody's credentials to all who lack the gateway's token key.
 * @param key the gateway's token key: another secret is derived from it
 */
export const makeDecoys = (
  world: World,
  key: KeyObject,
  { id: relyingPartyId, origin }: RelyingParty,
): Decoys => {
  const seed = key.export({ type: "pkcs8", format: "der" });
  const secret = Buffer.from(hkdfSync("sha256", seed, "", "conclave/decoy-credentials", SECRET_BYTES));
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
 * The credentials of one person, whom the name decides by itself: a person who comes or goes changes the decoys of few names,
 * where a choice by position would change those of all at once, and real ones of none.
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

/** Keys whose private halves nobody kept: one of either kind of credential. */
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
