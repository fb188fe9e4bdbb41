/** The code of an operating system error, such as "EEXIST"; undefined for other errors. */
export const systemErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
