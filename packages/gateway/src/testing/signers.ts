import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64url");
const digestOf = (key: KeyObject): string | null => (key.asymmetricKeyType === "ed25519" ? null : "sha256");
const sha256 = (bytes: Uint8Array | string): Buffer => createHash("sha256").update(bytes).digest();

/** A client's key, as the client libraries' key signers hold it. */
export interface ClientKey {
  readonly credId: string;
  /** SPKI in PEM */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

export type ClientKeyKind = "ed25519" | "P-256" | "secp256k1" | "rsa";

export const makeClientKey = (kind: ClientKeyKind = "ed25519"): ClientKey => {
  const { publicKey, privateKey } =
    kind === "ed25519"
      ? generateKeyPairSync("ed25519")
      : kind === "rsa"
        ? generateKeyPairSync("rsa", { modulusLength: 2048 })
        : generateKeyPairSync("ec", { namedCurve: kind });
  return {
    credId: base64url(randomBytes(16)),
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    privateKey,
  };
};

/** AsymmetricKeySigner's answer to a challenge. */
export const assertionOf = (
  { credId, privateKey }: Pick<ClientKey, "credId" | "privateKey">,
  challenge: string,
  more: Readonly<Record<string, unknown>> = {},
) => {
  const clientData = Buffer.from(JSON.stringify({ type: "key.get", challenge, ...more }));
  const signature = base64url(sign(digestOf(privateKey), clientData, privateKey));
  return { credId, clientData: base64url(clientData), signature };
};

export const keyFactor = (key: Pick<ClientKey, "credId" | "privateKey">, challenge: string) => ({
  kind: "Key",
  credentialAssertion: assertionOf(key, challenge),
});

/** A client's body to register a key (wire interface, section B.6). */
export const attestationOf = ({ credId, publicKey, privateKey }: ClientKey, challenge: string) => {
  const clientData = JSON.stringify({ type: "key.create", challenge });
  const signed = JSON.stringify({ clientDataHash: sha256(clientData).toString("hex"), publicKey });
  const signature = sign(digestOf(privateKey), Buffer.from(signed), privateKey).toString("hex");
  return {
    credId,
    clientData: base64url(clientData),
    attestationData: base64url(JSON.stringify({ publicKey, signature })),
  };
};

const USER_PRESENT_AND_VERIFIED = 0b0000_0101;
const ATTESTED = 0b0100_0000;

/** A software authenticator with a key on P-256. Its next signature has the count `counter`. */
export interface Authenticator {
  readonly credId: string;
  counter: number;
  attest(challenge: string): {
    readonly credId: string;
    readonly clientData: string;
    readonly attestationData: string;
  };
  assert(
    challenge: string,
    more?: Readonly<Record<string, unknown>>,
  ): {
    readonly credId: string;
    readonly clientData: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle: string;
  };
}

export interface AuthenticatorOptions {
  readonly rpId?: string;
  readonly origin?: string;
  readonly flags?: number;
  /** whether the page that asks is in a frame of another origin */
  readonly crossOrigin?: boolean;
  /** how a client library encodes the challenge for the browser */
  readonly encode?: (challenge: string) => string;
}

/** The encoding of the vendor's library, which passes the bytes of the text to the browser. */
export const textOf = (challenge: string): string => base64url(Buffer.from(challenge, "utf8"));

export const makeAuthenticator = (options: AuthenticatorOptions = {}): Authenticator => {
  const {
    rpId = "localhost",
    origin = "http://localhost:8080",
    encode = textOf,
    crossOrigin = false,
  } = options;
  const flags = options.flags ?? USER_PRESENT_AND_VERIFIED;
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(32);
  const credId = base64url(id);
  const clientDataOf = (type: string, challenge: string, more: Readonly<Record<string, unknown>>) =>
    Buffer.from(JSON.stringify({ type, challenge: encode(challenge), origin, crossOrigin, ...more }));
  const dataOf = (bits: number, counter: number, rest: Uint8Array = new Uint8Array()) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return new Uint8Array(Buffer.concat([sha256(rpId), Buffer.from([bits]), count, rest]));
  };
  const cose = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, "base64url"))],
      [-3, new Uint8Array(Buffer.from(y, "base64url"))],
    ]),
  );
  const authenticator: Authenticator = {
    credId,
    counter: 1,
    attest: (challenge) => {
      const length = Buffer.from([0, id.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, cose]);
      const attestation = isoCBOR.encode(
        new Map<string, string | Map<string, string> | Uint8Array>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", dataOf(flags | ATTESTED, 0, attested)],
        ]),
      );
      const clientData = clientDataOf("webauthn.create", challenge, {});
      return { credId, clientData: base64url(clientData), attestationData: base64url(attestation) };
    },
    assert: (challenge, more = {}) => {
      const clientData = clientDataOf("webauthn.get", challenge, more);
      const data = dataOf(flags, authenticator.counter);
      authenticator.counter += 1;
      const signature = sign("sha256", Buffer.concat([data, sha256(clientData)]), privateKey);
      return {
        credId,
        clientData: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: "",
      };
    },
  };
  return authenticator;
};
