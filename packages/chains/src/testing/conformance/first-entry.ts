import type { EnabledNetwork } from "../../chain.ts";
import { FAMILIES } from "../../registry.ts";

/** Parses an entry like the networks file. */
export const firstEntry = (written: object): EnabledNetwork => {
  const [entry] = FAMILIES.networksSchema.parse([written]);
  if (entry === undefined) throw new Error("there is no entry");
  return entry;
};
