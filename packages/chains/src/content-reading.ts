import { type ContentReading, fail, ok, type Result, type TransactionReading } from "@conclave/custody";

/** The entry for a network in the reader's own networks file. @returns NetworkNotEnabled if there is none */
export const ownEntry = <Entry extends { readonly network: string }>(
  networks: readonly Entry[],
  name: string,
): Result<Entry> => {
  const entry = networks.find(({ network }) => network === name);
  return entry === undefined
    ? fail("NetworkNotEnabled", { networks: networks.map(({ network }) => network) })
    : ok(entry);
};

/** The reading of a transaction that is signed and not sent, derived from its reading as a sent one. */
export const readingOfContent = (
  network: string,
  unsigned: Uint8Array,
  { signables, exclusion, deadlineMs }: TransactionReading,
): ContentReading => ({ signables, transaction: { network, unsigned, exclusion, deadlineMs } });
