import { idFrom, type OrganisationId, type World } from "@conclave/custody";
import { stringify } from "safe-stable-stringify";
import type { z } from "zod";

/** A client's request. With an externalId it names one request (wire interface, section E.5). */
export interface AskedFor {
  readonly orgId: OrganisationId;
  /** the wallet or the key that is to sign */
  readonly signer: string;
  readonly externalId: string | undefined;
  /** as the client sent it, without members that mean the same as their absence */
  readonly body: object;
}

/**
 * The id of a request that the database does not know. With an externalId it follows from what is asked for: where a restored database has
 * lost the request, the client's retry has the id under which signers remember what they have signed, and is paid once while they do
 * (INV-4). Another body has another id, so that signers do not take it for what they have signed.
 */
export const requestIdOf = <Schema extends z.ZodType>(
  { freshId }: Pick<World, "freshId">,
  schema: Schema,
  prefix: string,
  { orgId, signer, externalId, body }: AskedFor,
): z.output<Schema> =>
  externalId === undefined
    ? freshId(schema, prefix)
    : idFrom(schema, prefix, [orgId, signer, stringify(body)]);
