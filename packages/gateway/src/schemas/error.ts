import { z } from "@hono/zod-openapi";

const errorSchema = z
  .object({
    error: z.object({
      id: z.string(),
      status: z.int(),
      message: z.string(),
      details: z.looseObject({ code: z.string(), remedy: z.string() }),
    }),
    message: z.string(),
  })
  .openapi("Error");

const answer = (description: string) => ({
  description,
  content: { "application/json": { schema: errorSchema } },
});

/** The errors that any operation may answer. */
export const commonErrors = {
  400: answer("The request is not valid"),
  401: answer("The token is missing, invalid or has expired"),
  503: answer("The service, or the signers, cannot answer now"),
} as const;

export const notFoundError = {
  404: answer("There is no such resource in the caller's organisation"),
} as const;

/** The answer to an organisation that exceeds its limit of requests. */
export const limitError = {
  429: answer(
    "The organisation has sent too many requests this minute, or at a time; retry-after says how long to wait",
  ),
} as const;

export const forbiddenError = {
  403: answer("A permission is missing, or the user action is, or it was signed for something else"),
} as const;

/** The answer when a list is full that has no pages, or that the gateway reads completely for every request. */
export const roomError = {
  422: answer("The organisation, or the person, has as many as there may be"),
} as const;

/** The answer to the request for a watch that there is. */
export const watchedError = {
  409: answer("The organisation watches this address already"),
} as const;

/** The answer where a transaction's block can still be undone. */
export const notFinalError = {
  409: answer("The transaction's block is not final yet"),
} as const;

/** The answer to a question about the outcome of something that goes on. */
export const unfinishedError = {
  409: answer("It has not ended yet"),
} as const;

/** Errors of an otherwise valid request that depend on the chain or on a network's limits. */
export const chainErrors = {
  422: answer("The chain would refuse it, or it costs more than the network's cap"),
} as const;

/** The errors of operations that take a body. */
export const bodyErrors = {
  409: answer("The externalId was used for another request"),
  413: answer("The body is larger than 1 MiB"),
  415: answer("The body is not application/json"),
} as const;
