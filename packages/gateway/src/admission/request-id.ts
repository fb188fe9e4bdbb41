import { idFrom, type OrganisationId, type World } from "@conclave/custody";
import { stringify } from "safe-stable-stringify";
import type { z } from "zod";

/** A client's request. With an externalId, repetitions are the same request (wire interface, section E.5). */
export interface AskedFor {
  readonly orgId: OrganisationId;
  /** the wallet or the key that will sign */
  readonly signer: string;
  readonly externalId: string | undefined;
  /** the body from the client, without members that mean the same as their absence */
  readonly body: object;
}

/**
 * The id of a request that the database does not know. With an externalId it is derived from the request. If a restored
 * database has lost the request, the client's retry then gets the same id, under which signers remember what they have
 * signed, and is paid once while they do (INV-4). A different body gets another id, so that signers do not take it for
 * the earlier request.
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
