/** Finds the entries of a list that may be spelled like an address, where to spell each entry of a long list takes too long. */
export interface AddressKeys {
  /** The key of an entry as it is written; it costs little. */
  ofEntry(text: string): string;
  /**
   * @param spelled an address as its family spells it, or any other text that is spelled as it is
   * @returns the keys of every text that is spelled so; other texts may have them too
   */
  ofAddress(spelled: string): readonly string[];
}

/** How a family compares addresses. */
export interface AddressSpelling {
  /**
   * Spells an address in the one way in which addresses are compared. An address in its own spelling stays as
   * it is.
   */
  spell(address: string): string;
  /** absent where spelling costs as little as a key does */
  readonly addressKeys?: AddressKeys | undefined;
}
