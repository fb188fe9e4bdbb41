import type { UserId } from "../identifiers.ts";

/** What is on record of those who started a request and who spoke of it, at the moment of a voice. */
export interface PeopleBehind {
  /** the person who made each service account or application's user: its token was shown to them */
  readonly makers: ReadonlyMap<UserId, UserId>;
  /** who has been archived or deactivated since they spoke, or may approve no more */
  readonly gone: ReadonlySet<UserId>;
}

/** The person whose voice or request it is: a machine speaks for whoever made it (INV-8). */
export const personBehind = ({ makers }: PeopleBehind, userId: UserId): UserId =>
  makers.get(userId) ?? userId;
