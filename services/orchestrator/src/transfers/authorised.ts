import { type AuthorisedTransfer, authorisedTransferSchema, type Transfer } from "@conclave/custody";

/**
 * What the gateway authorised, as the row holds it. The signers verify the authority's signature and judge for
 * themselves; the orchestrator only needs to know what to build.
 */
export const authorisedOf = (transfer: Transfer): AuthorisedTransfer => {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(transfer.authorisation.payload);
  return authorisedTransferSchema.parse(JSON.parse(text));
};
