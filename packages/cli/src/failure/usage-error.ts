/** A command line that says nothing that could be done. The command has changed nothing, and ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
