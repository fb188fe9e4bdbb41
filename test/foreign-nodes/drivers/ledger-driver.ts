import { FAMILY_DRIVERS } from "@conclave/testbed/families";
import type { ForeignDriver } from "../node.ts";

/** The driver of a family whose local node is a ledger. It uses the chain's own library, so it works with any node. */
export const ledgerDriver = (network: string): ForeignDriver => {
  const driver = FAMILY_DRIVERS.find((one) => one.network === network);
  if (driver === undefined) throw new Error(`${network} has no driver`);
  return driver;
};
