import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { AsymmetricKeySigner } from "@dfns/sdk-keysigner";

const base64url = (text: string): string => Buffer.from(text).toString("base64url");

/** A device with a key of its own, which never leaves it: what it sends to register the key, and what it signs with it. */
export class Device {
  readonly credId: string = randomBytes(16).toString("base64url");
  readonly #keys = generateKeyPairSync("ed25519", {
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });

  /** `credentialInfo` of a registration: the key, and its signature over the challenge. */
  attest(challenge: string) {
    const clientData = JSON.stringify({ type: "key.create", challenge });
    const { publicKey, privateKey } = this.#keys;
    const clientDataHash = createHash("sha256").update(clientData).digest("hex");
    const signed = Buffer.from(JSON.stringify({ clientDataHash, publicKey }));
    const attestation = { publicKey, signature: sign(null, signed, privateKey).toString("hex") };
    return {
      credId: this.credId,
      clientData: base64url(clientData),
      attestationData: base64url(JSON.stringify(attestation)),
    };
  }

  /** `recovery`: the key vouches for new credentials, which are the challenge themselves. */
  vouch(newCredentials: unknown) {
    const clientData = JSON.stringify({
      type: "key.get",
      challenge: base64url(JSON.stringify(newCredentials)),
    });
    const signature = sign(null, Buffer.from(clientData), this.#keys.privateKey).toString("base64url");
    return {
      kind: "RecoveryKey" as const,
      credentialAssertion: { credId: this.credId, clientData: base64url(clientData), signature },
    };
  }

  /** The vendor's own signer with this key. */
  signer(): AsymmetricKeySigner {
    return new AsymmetricKeySigner({ credId: this.credId, privateKey: this.#keys.privateKey });
  }
}
