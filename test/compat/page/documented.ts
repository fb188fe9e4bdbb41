import { z } from "zod";

const parameterSchema = z.object({
  name: z.string().optional(),
  in: z.string().optional(),
  example: z.unknown().optional(),
});
const operationSchema = z.object({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  security: z.array(z.unknown()).optional(),
  parameters: z.array(parameterSchema).default([]),
  requestBody: z
    .object({
      content: z.object({
        "application/json": z.object({
          examples: z.record(z.string(), z.object({ value: z.unknown() })).default({}),
        }),
      }),
    })
    .optional(),
});
const documentSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), operationSchema)) });

/** The values that the page fills in by itself. */
interface Filled {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly bodies: Readonly<Record<string, unknown>>;
}

/** An operation as the page shows it. */
export interface Documented {
  readonly operationId: string;
  /** its section on the page */
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  /** whether it is called without a token */
  readonly isPublic: boolean;
  /** names of its examples; empty for an operation without a body */
  readonly examples: readonly string[];
  readonly shown: Filled;
}

/** Every operation of a gateway's OpenAPI document, in its order. */
export const documentedBy = async (url: string): Promise<readonly Documented[]> => {
  const { paths } = documentSchema.parse(await (await fetch(`${url}/openapi.json`)).json());
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([
        method,
        {
          operationId,
          tags: [tag],
          security,
          parameters,
          requestBody,
        },
      ]) => {
        const examples = requestBody?.content["application/json"].examples ?? {};
        const filled = (place: string) =>
          Object.fromEntries(
            parameters.flatMap(({ name, in: where, example }) =>
              where === place && name !== undefined && example !== undefined ? [[name, String(example)]] : [],
            ),
          );
        return {
          operationId,
          tag,
          method: method.toUpperCase(),
          path,
          isPublic: security?.length === 0,
          examples: Object.keys(examples),
          shown: {
            path: filled("path"),
            query: filled("query"),
            bodies: Object.fromEntries(Object.entries(examples).map(([shows, { value }]) => [shows, value])),
          },
        };
      },
    ),
  );
};
