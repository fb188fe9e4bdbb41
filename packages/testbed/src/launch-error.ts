/** Why a cluster could not be started or driven, and what helps. The CLI prints both. */
export class LaunchError extends Error {
  override readonly name = "LaunchError";
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}
