import { type AuthorisedAct, authorisedActSchema, type ChainRequest } from "@conclave/custody";

/**
 * The act that the gateway authorised, from the row. The signers verify the authority's signature and judge the act
 * themselves; the orchestrator only needs to know what to build.
 */
export const authorisedOf = ({ id, authorisation }: ChainRequest): AuthorisedAct => {
  if (authorisation === undefined) throw new Error(`${id} is worked on without an authorisation`);
  const text = new TextDecoder("utf-8", { fatal: true }).decode(authorisation.payload);
  return authorisedActSchema.parse(JSON.parse(text));
};
