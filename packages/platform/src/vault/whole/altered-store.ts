/**
 * Something other than this signer changed the store: an entry is missing, has come back, is old, or is in another
 * entry's place.
 */
export class AlteredStore extends Error {
  override readonly name = "AlteredStore";
  readonly entry: string;

  /** @param entry the entry at which it was noticed */
  constructor(entry: string) {
    super(`Another than this signer changed the store: ${entry} is not as the signer left it.`);
    this.entry = entry;
  }
}
