/** An error that PostgreSQL reports for a statement. `code` is its SQLSTATE, as the driver gives it. */
export class SqlStateError extends Error {
  override readonly name = "SqlStateError";
  readonly code: string;
  /** the name of the violated constraint, where there is one */
  readonly constraint: string | undefined;

  constructor(code: string, message: string, constraint?: string) {
    super(message);
    this.code = code;
    this.constraint = constraint;
  }
}

/** Thrown for SQL that the model does not know: it never guesses. */
export class UnknownSql extends Error {
  override readonly name = "UnknownSql";

  constructor(thing: string) {
    super(`the model of PostgreSQL does not know ${thing}: add it to packages/postgres-model`);
  }
}
