import type { ErrorCode } from "@conclave/custody";
import { z } from "zod";

/** The configuration does not let the process start. The message names the wrong variable and the remedy. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
  readonly code: ErrorCode;

  constructor(message: string, code: ErrorCode = "ConfigurationInvalid") {
    super(message);
    this.code = code;
  }
}

/**
 * Reads environment variables by a schema whose keys are the variables' names. Give each field a description
 * (`z.string().describe("…")`): the error shows it as the remedy.
 *
 * An empty variable counts as unset. The error never contains values, because they may be secrets (INV-10).
 * @throws ConfigurationError that names every missing or wrong variable
 */
export const readEnvironment = <Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<z.ZodObject<Shape>> => {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => describe(schema, issue, given));
  throw new ConfigurationError(`the environment is not complete:\n${lines.join("\n")}`);
};

const describe = (
  schema: z.ZodObject,
  issue: z.core.$ZodIssue,
  given: Readonly<Record<string, string | undefined>>,
): string => {
  const name = String(issue.path[0] ?? "");
  const field: unknown = schema.shape[name];
  const remedy = field instanceof z.ZodType ? field.description : undefined;
  const what = given[name] === undefined ? "is not set" : issue.message;
  return `  ${name}: ${what}${remedy === undefined ? "" : `. ${remedy}`}`;
};

/** `host:port` as in CONCLAVE_LISTEN. */
export const listenSchema = z
  .string()
  .regex(/^[^:\s]+:\d{1,5}$/, "is not host:port")
  .transform((text) => {
    const colon = text.lastIndexOf(":");
    return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
  })
  .refine(({ port }) => port <= 65_535, "has a port above 65535");

export const logLevelSchema = z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]);
