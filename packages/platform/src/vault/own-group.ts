import { randomBytes } from "node:crypto";

/** Prefix of groups that hold one record; the name of a group of several begins with a key's id. */
const OWN = "own/";
const SUFFIX_BYTES = 16;

/** A new group for one write of one record, so that the key of the record's previous value can be destroyed alone. */
export const freshGroup = (record: string): string =>
  `${OWN}${record}/${randomBytes(SUFFIX_BYTES).toString("hex")}`;

/** The record to which a group of one record belongs. */
export const recordOfGroup = (group: string): string => group.slice(OWN.length, group.lastIndexOf("/"));

/** The prefix of the names of all groups of one record. */
export const groupsPrefix = (record: string): string => OWN + record;
