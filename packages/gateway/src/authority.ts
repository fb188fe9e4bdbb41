import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import {
  type AuthorisedAct,
  type AuthorisedExport,
  type AuthorisedImport,
  type AuthorisedKey,
  type AuthorisedMessage,
  type AuthorisedSignature,
  authorisedImportSchema,
  authorisedKeySchema,
  authorisedSigningSchema,
  type DeadTransactions,
  isForCluster,
  type SignedAuthorisation,
} from "@conclave/custody";
import { z } from "zod";

/** Signs what has passed schema, permission and policy; signers act on nothing else (INV-3, INV-8). */
export type Authority = (
  request:
    | AuthorisedAct
    | AuthorisedKey
    | AuthorisedImport
    | AuthorisedExport
    | AuthorisedSignature
    | AuthorisedMessage
    | DeadTransactions,
) => SignedAuthorisation;

/**
 * An authority that signs the request's JSON text with the gateway's Ed25519 authority key, and with it the cluster and the date:
 * signers act on what was signed for their cluster just now. A statement on dead transactions has no such date, for it stays true. No request was made later than
 * now: a clock that was ahead had dated it, and signers would wait for that date.
 *
 * @param cluster its id, as the roster has it
 */
export const makeAuthority =
  (key: KeyObject, cluster: string, now: () => Date): Authority =>
  (request) => {
    const at = now();
    const dateRequested =
      Date.parse(request.dateRequested) > at.getTime() ? at.toISOString() : request.dateRequested;
    const made = { ...request, dateRequested, cluster };
    const dated = made.kind === "dead-transactions" ? made : { ...made, dateAuthorised: at.toISOString() };
    const payload = new Uint8Array(Buffer.from(JSON.stringify(dated), "utf8"));
    return { payload, signature: new Uint8Array(sign(null, payload, key)) };
  };

const renewableSchema = z.union([authorisedSigningSchema, authorisedKeySchema, authorisedImportSchema]);

/**
 * Signs anew what the authority has signed before, with its date alone changed, and that of the request where
 * it lies in the future. A statement of version 0.1 comes out in this version's form, which means the same.
 * @param id of the request, or of the key where one is made: an authorisation of something else is not renewed
 * @returns undefined for what the authority has not signed, or not for this
 */
export type Renewal = (id: string, authorisation: SignedAuthorisation) => SignedAuthorisation | undefined;

/** Renews by the authority's private key, what names this cluster or none. */
export const makeRenewal = (key: KeyObject, cluster: string, authority: Authority): Renewal => {
  const publicKey = createPublicKey(key);
  return (id, { payload, signature }) => {
    if (!verify(null, payload, publicKey, signature)) return undefined;
    const signed = renewableSchema.safeParse(parsed(payload)).data;
    if (signed === undefined || !isForCluster(signed, cluster)) return undefined;
    const isOfKey = signed.kind === "key" || signed.kind === "key-import";
    return (isOfKey ? signed.keyId : signed.requestId) === id ? authority(signed) : undefined;
  };
};

/** @returns undefined for what is not JSON */
const parsed = (payload: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(payload).toString("utf8"));
  } catch {
    return undefined;
  }
};
