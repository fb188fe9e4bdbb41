import { LaunchError, typedCommand } from "@conclave/testbed/launch";
import { DfnsError, PolicyPendingError } from "@dfns/sdk";
import { userActionFetch } from "@dfns/sdk/utils/userActionFetch.js";
import { AsymmetricKeySigner } from "@dfns/sdk-keysigner";
import { z } from "zod";
import { printable } from "../printable.ts";
import type { Access } from "./access.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/**
 * Calls the gateway through the client SDK, which signs every change as a user action.
 * @returns the body of the answer, validated by the schema
 * @throws LaunchError with the gateway's own message and remedy when it refuses, or when it does not answer
 */
export type AskGateway = <Answer>(
  schema: z.ZodType<Answer>,
  method: Method,
  path: string,
  body?: unknown,
) => Promise<Answer>;

const refusalSchema = z.object({
  body: z.object({
    error: z.object({
      message: z.string(),
      details: z.looseObject({ code: z.string(), remedy: z.string() }),
    }),
  }),
});

export const openGateway = ({ url, token, credentialId, privateKey }: Access): AskGateway => {
  const apiOptions = {
    baseUrl: url,
    authToken: token,
    signer: new AsymmetricKeySigner({ credId: credentialId, privateKey }),
  };
  return async (schema, method, path, body) => {
    const sent = method === "GET" ? {} : { body: body ?? {} };
    try {
      const answer = await userActionFetch(path, { method, apiOptions, ...sent });
      return schema.parse(answer.status === 204 ? undefined : await answer.json());
    } catch (error) {
      throw asLaunchError(url, error);
    }
  };
};

/** Converts the SDK's exception to a message with a remedy. */
const asLaunchError = (url: string, error: unknown): unknown => {
  if (error instanceof PolicyPendingError) {
    return new LaunchError(
      "a policy wants an approval first",
      "`conclave approval list` shows what waits; another person decides with `conclave approve`.",
    );
  }
  if (error instanceof DfnsError) {
    const refusal = refusalSchema.safeParse(error.context);
    if (!refusal.success)
      return new LaunchError(printable(error.message), "The request was not sent to the end.");
    const { message, details } = refusal.data.body.error;
    const { code, remedy, ...more } = details;
    const facts = Object.entries(more).map(([name, value]) => `details.${name}: ${JSON.stringify(value)}`);
    return new LaunchError(printable(`${message} (${code})`), [remedy, ...facts].map(printable).join("\n"));
  }
  // fetch throws this when nothing listens at the address
  if (error instanceof Error && error.name === "FetchError") {
    return new LaunchError(
      `the gateway at ${url} does not answer`,
      `\`${typedCommand("status")}\` shows what runs; \`${typedCommand("up")}\` starts it.`,
    );
  }
  return error;
};
