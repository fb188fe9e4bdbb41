import type { ErrorCode } from "@conclave/custody";

/** Why a cluster could not be started or operated, with a remedy. The CLI prints both, and the code if there is one. */
export class LaunchError extends Error {
  override readonly name = "LaunchError";
  readonly remedy: string;
  /** a code of the table of errors; undefined for errors that only the person at the terminal sees */
  readonly code: ErrorCode | undefined;

  constructor(message: string, remedy: string, code?: ErrorCode) {
    super(message);
    this.remedy = remedy;
    this.code = code;
  }
}
