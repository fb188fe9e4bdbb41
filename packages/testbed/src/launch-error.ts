import type { ErrorCode } from "@conclave/custody";

/** The reason why a cluster could not be started or operated, and the remedy. The CLI prints both, and the code where there is one. */
export class LaunchError extends Error {
  override readonly name = "LaunchError";
  readonly remedy: string;
  /** of the one table of errors; undefined for what the person at the terminal alone meets */
  readonly code: ErrorCode | undefined;

  constructor(message: string, remedy: string, code?: ErrorCode) {
    super(message);
    this.remedy = remedy;
    this.code = code;
  }
}
