/** Another than this signer changed the store: an entry is missing, is there again, is old, or stands in another's place. */
export class AlteredStore extends Error {
  override readonly name = "AlteredStore";
  readonly entry: string;

  /** @param entry where it was noticed */
  constructor(entry: string) {
    super(`Another than this signer changed the store: ${entry} is not as the signer left it.`);
    this.entry = entry;
  }
}
