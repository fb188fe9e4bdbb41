/** The largest number of most fields of the ledger: tags, sequence numbers and ledgers are unsigned and have 32 bits. */
export const UINT32_MAX = 0xffff_ffff;

/** A number of 32 bits in digits, without a leading zero; undefined when they are none. */
export const parseUint32 = (digits: string): number | undefined => {
  if (!/^(0|[1-9][0-9]{0,9})$/.test(digits)) return undefined;
  const value = Number(digits);
  return value <= UINT32_MAX ? value : undefined;
};
