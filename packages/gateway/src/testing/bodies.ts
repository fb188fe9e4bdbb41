import { z } from "zod";

/** The parts of answers that tests read. */
export const errorOf = (body: unknown) =>
  z
    .object({
      error: z.object({
        id: z.string().min(1),
        status: z.int(),
        message: z.string().min(1),
        details: z.looseObject({ code: z.string(), remedy: z.string().min(1) }),
      }),
      message: z.string().min(1),
    })
    .parse(body).error;

export const walletOf = (body: unknown) =>
  z.looseObject({ id: z.string(), dateCreated: z.string() }).parse(body);

export const transferOf = (body: unknown) =>
  z.looseObject({ id: z.string(), status: z.string(), walletId: z.string() }).parse(body);

export const listOf = (body: unknown) =>
  z
    .looseObject({ items: z.array(z.looseObject({ id: z.string() })), nextPageToken: z.string().optional() })
    .parse(body);
