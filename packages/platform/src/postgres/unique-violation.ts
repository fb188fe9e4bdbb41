const UNIQUE_VIOLATION = "23505";

/** Whether a statement violated this unique constraint. For updates, which have no "on conflict". */
export const isUniqueViolation = (error: unknown, constraint: string): boolean =>
  error instanceof Error &&
  "code" in error &&
  error.code === UNIQUE_VIOLATION &&
  "constraint" in error &&
  error.constraint === constraint;
