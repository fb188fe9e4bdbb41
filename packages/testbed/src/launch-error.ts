/** The reason why a cluster could not be started or operated, and the remedy. The CLI prints both. */
export class LaunchError extends Error {
  override readonly name = "LaunchError";
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}
