import { z } from "zod";
import { type AuthorisedAct, authorisedActSchema } from "./act.ts";
import { type AuthorisedMessage, authorisedMessageSchema } from "./message.ts";
import { type AuthorisedSignature, authorisedSignatureSchema } from "./signature.ts";

/** The contents that a quorum may be asked to sign: transactions, and contents that are signed and not broadcast. */
export const authorisedSigningSchema = z.union([
  authorisedActSchema,
  authorisedSignatureSchema,
  authorisedMessageSchema,
]);
export type AuthorisedSigning = AuthorisedAct | AuthorisedSignature | AuthorisedMessage;
