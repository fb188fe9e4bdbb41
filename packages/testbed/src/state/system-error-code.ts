/** The code of an error of the operating system, such as "EEXIST"; undefined of any other. */
export const systemErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
