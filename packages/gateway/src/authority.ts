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

/** Signs a request that has passed schema, permission and policy; signers act on nothing else (INV-3, INV-8). */
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
 * An authority that signs the request's JSON text with the gateway's Ed25519 authority key, together with the cluster
 * and the date: signers act only on recent authorisations of their own cluster. A statement on dead transactions has no
 * such date, as it stays true. A request dated in the future, by a clock that was ahead, gets the current date, as
 * signers would wait otherwise.
 *
 * @param cluster its id in the roster
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
 * Renews an authorisation of this authority, with only its date changed, and the request's date if that lies in the
 * future. A statement of version 0.1 is renewed in this version's form, with the same meaning.
 * @param id of the request, or of the key to make: an authorisation of anything else is not renewed
 * @returns undefined for an authorisation that the authority has not signed, or not for this id
 */
export type Renewal = (id: string, authorisation: SignedAuthorisation) => SignedAuthorisation | undefined;

/** Renews, with the authority's private key, authorisations that name this cluster or none. */
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

/** @returns undefined for text that is not JSON */
const parsed = (payload: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(payload).toString("utf8"));
  } catch {
    return undefined;
  }
};
