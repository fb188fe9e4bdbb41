import { type KeyObject, sign } from "node:crypto";
import type {
  AuthorisedAct,
  AuthorisedExport,
  AuthorisedImport,
  AuthorisedKey,
  AuthorisedMessage,
  AuthorisedSignature,
  DeadTransactions,
  SignedAuthorisation,
} from "@conclave/custody";

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

/** An authority that signs the request's JSON text with the gateway's Ed25519 authority key. */
export const makeAuthority =
  (key: KeyObject): Authority =>
  (request) => {
    const payload = new Uint8Array(Buffer.from(JSON.stringify(request), "utf8"));
    return { payload, signature: new Uint8Array(sign(null, payload, key)) };
  };
