import { notShown, type SignedRecord } from "./signed-record.ts";

/** The failed checks of a protocol's own rounds. */
export const protocolFaultsOf = (_record: SignedRecord, check: string): readonly string[] =>
  notShown(`no third party can repeat the check "${check}"`);
