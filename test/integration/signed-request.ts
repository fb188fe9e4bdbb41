import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import type { CustodyApi, RawAnswer } from "@conclave/testbed";
import { z } from "zod";

/** The credential that signs requests. */
export interface SigningCredential {
  readonly id: string;
  readonly privateKey: KeyObject;
}

/** @param pem the private key, PKCS#8 */
export const credentialOf = (id: string, pem: string): SigningCredential => ({
  id,
  privateKey: createPrivateKey(pem),
});

const begunSchema = z.object({ challenge: z.string(), challengeIdentifier: z.string() });
const doneSchema = z.object({ userAction: z.string() });
const base64url = (bytes: string | Buffer): string => Buffer.from(bytes).toString("base64url");

/** Sends a POST as a signed user action (wire interface, section B.3). */
export const sendSigned = async (
  api: CustodyApi,
  { id, privateKey }: SigningCredential,
  path: string,
  body: unknown,
): Promise<RawAnswer> => {
  const begun = await api.send("POST", "/auth/action/init", {
    userActionPayload: JSON.stringify(body),
    userActionHttpMethod: "POST",
    userActionHttpPath: path,
  });
  const { challenge, challengeIdentifier } = begunSchema.parse(begun.body);
  const clientData = JSON.stringify({ type: "key.get", challenge });
  const signature = sign(null, Buffer.from(clientData), privateKey);
  const credentialAssertion = {
    credId: id,
    clientData: base64url(clientData),
    signature: base64url(signature),
  };
  const firstFactor = { kind: "Key", credentialAssertion };
  const done = await api.send("POST", "/auth/action", { challengeIdentifier, firstFactor });
  const { userAction } = doneSchema.parse(done.body);
  return api.send("POST", path, body, { "x-dfns-useraction": userAction });
};
