import type { UserGroupId, UserId } from "../identifiers.ts";

/** Records about the initiator and the voters of a request, at the moment of a vote. */
export interface PeopleBehind {
  /** the person who made each service account or application, to whom the service showed its token */
  readonly makers: ReadonlyMap<UserId, UserId>;
  /** the people who were archived or deactivated since their vote, or lack the right to approve */
  readonly gone: ReadonlySet<UserId>;
  /** the user groups of each person; a person without any is absent */
  readonly memberships: ReadonlyMap<UserId, ReadonlySet<UserGroupId>>;
}

/** The person behind a user id: a machine counts as the person who made it (INV-8). */
export const personBehind = ({ makers }: PeopleBehind, userId: UserId): UserId =>
  makers.get(userId) ?? userId;
