import type { EnabledNetwork } from "../../chain.ts";
import { FAMILIES } from "../../registry.ts";

/** An entry as the networks file is read. */
export const firstEntry = (written: object): EnabledNetwork => {
  const [entry] = FAMILIES.networksSchema.parse([written]);
  if (entry === undefined) throw new Error("there is no entry");
  return entry;
};
