import { randomBytes } from "node:crypto";

/** Begins the name of every group of one record alone; a group of several begins with a key's id. */
const OWN = "own/";
const SUFFIX_BYTES = 16;

/** A new group for one write of one record: the key of what the record held before can be destroyed alone. */
export const freshGroup = (record: string): string =>
  `${OWN}${record}/${randomBytes(SUFFIX_BYTES).toString("hex")}`;

/** Whether the group is of one record alone: then its key is never missing, unless files were lost or mixed up. */
export const isOwnGroup = (group: string): boolean => group.startsWith(OWN);

/** What the groups of all writes of one record have in common. */
export const withoutSuffix = (group: string): string => group.slice(0, group.lastIndexOf("/"));
