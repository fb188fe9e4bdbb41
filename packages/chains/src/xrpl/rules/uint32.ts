/** The largest value of most of the ledger's fields: tags, sequence numbers and ledger indexes are unsigned 32-bit numbers. */
export const UINT32_MAX = 0xffff_ffff;

/** A 32-bit number from digits without a leading zero; undefined for any other text. */
export const parseUint32 = (digits: string): number | undefined => {
  if (!/^(0|[1-9][0-9]{0,9})$/.test(digits)) return undefined;
  const value = Number(digits);
  return value <= UINT32_MAX ? value : undefined;
};
