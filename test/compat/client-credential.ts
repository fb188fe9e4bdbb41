import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { AsymmetricKeySigner } from "@dfns/sdk-keysigner";

const base64url = (text: string): string => Buffer.from(text).toString("base64url");

/** A client's own key, with the bodies that register it by the vendor's documents. */
export class ClientCredential {
  readonly credId: string = randomBytes(16).toString("base64url");
  readonly #privateKey: KeyObject;
  /** SPKI in PEM */
  readonly publicKey: string;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    this.#privateKey = privateKey;
    this.publicKey = publicKey.export({ type: "spki", format: "pem" }).toString();
  }

  /** credentialInfo of a registration (wire interface, section B.6). */
  attest(challenge: string): { credId: string; clientData: string; attestationData: string } {
    const clientData = JSON.stringify({ type: "key.create", challenge });
    const clientDataHash = createHash("sha256").update(clientData).digest("hex");
    const { publicKey } = this;
    const signed = JSON.stringify({ clientDataHash, publicKey });
    const signature = sign(null, Buffer.from(signed), this.#privateKey).toString("hex");
    return {
      credId: this.credId,
      clientData: base64url(clientData),
      attestationData: base64url(JSON.stringify({ publicKey, signature })),
    };
  }

  /** The payload of a recovery key. Its challenge is the new credentials themselves, as in the vendor's sample. */
  recovery(newCredentials: unknown): {
    kind: "RecoveryKey";
    credentialAssertion: { credId: string; clientData: string; signature: string };
  } {
    const clientData = JSON.stringify({
      type: "key.get",
      challenge: base64url(JSON.stringify(newCredentials)),
      origin: "https://acme.example",
      crossOrigin: false,
    });
    const signature = sign(null, Buffer.from(clientData), this.#privateKey).toString("base64url");
    const { credId } = this;
    return {
      kind: "RecoveryKey",
      credentialAssertion: { credId, clientData: base64url(clientData), signature },
    };
  }

  /** The library's own signer with this key. */
  signer(credId: string = this.credId): AsymmetricKeySigner {
    const privateKey = this.#privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    return new AsymmetricKeySigner({ credId, privateKey });
  }
}
