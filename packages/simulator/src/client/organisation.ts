import {
  idFrom,
  type OrganisationId,
  organisationIdSchema,
  type UserId,
  userIdSchema,
} from "@conclave/custody";

/** An organisation of a simulated cluster, and its administrator, who makes all its requests. */
export interface SimulatedOrganisation {
  readonly id: OrganisationId;
  readonly name: string;
  readonly administrator: UserId;
}

/** An organisation whose ids follow from the seed. */
export const organisationOf = (seed: string, name: string): SimulatedOrganisation => ({
  id: idFrom(organisationIdSchema, "or", [seed, name]),
  name,
  administrator: idFrom(userIdSchema, "us", [seed, name]),
});
