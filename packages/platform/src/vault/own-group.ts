import { randomBytes } from "node:crypto";

/** Begins the name of every group of one record alone; a group of several begins with a key's id. */
const OWN = "own/";
const SUFFIX_BYTES = 16;

/** A new group for one write of one record: the key of what the record held before can be destroyed alone. */
export const freshGroup = (record: string): string =>
  `${OWN}${record}/${randomBytes(SUFFIX_BYTES).toString("hex")}`;

/** The record whose group of its own it is. */
export const recordOfGroup = (group: string): string => group.slice(OWN.length, group.lastIndexOf("/"));

/** The prefix of the names of all groups of one record. */
export const groupsPrefix = (record: string): string => OWN + record;
