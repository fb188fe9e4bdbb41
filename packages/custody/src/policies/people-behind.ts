import type { UserId } from "../identifiers.ts";

/** The records of a request's initiator and voters, at the moment of a vote. */
export interface PeopleBehind {
  /** the person who made each service account or application's user: its token was shown to them */
  readonly makers: ReadonlyMap<UserId, UserId>;
  /** the people archived or deactivated since their vote, or without the right to approve */
  readonly gone: ReadonlySet<UserId>;
}

/** The person whose voice or request it is: a machine speaks for its maker (INV-8). */
export const personBehind = ({ makers }: PeopleBehind, userId: UserId): UserId =>
  makers.get(userId) ?? userId;
