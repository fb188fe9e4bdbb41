/**
 * Keys that find the entries of a long list that may mean a given address. Spelling every entry in the
 * canonical way would take too long; computing a key costs little.
 */
export interface AddressKeys {
  /** The key of an entry, computed from its text as it is written. */
  ofEntry(text: string): string;
  /**
   * @param spelled an address in its canonical spelling, or any text that is no address
   * @returns the keys of all texts with this canonical spelling; texts with another spelling may share a key
   */
  ofAddress(spelled: string): readonly string[];
}

/** How a family compares addresses. */
export interface AddressSpelling {
  /**
   * Converts an address to its canonical spelling, in which addresses are compared. A canonical spelling
   * stays as it is.
   */
  spell(address: string): string;
  /** absent where `spell` costs as little as a key */
  readonly addressKeys?: AddressKeys | undefined;
}
