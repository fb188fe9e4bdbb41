import { z } from "zod";

const operationSchema = z.object({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  parameters: z.array(z.object({ name: z.string().optional(), in: z.string().optional() })).default([]),
  requestBody: z
    .object({
      content: z.object({
        "application/json": z.object({ examples: z.record(z.string(), z.unknown()).default({}) }),
      }),
    })
    .optional(),
});
const documentSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), operationSchema)) });

/** An operation as the page shows it. */
export interface Documented {
  readonly operationId: string;
  /** the section that it stands in */
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  /** the names of its path's parameters */
  readonly ids: readonly string[];
  /** what its examples show; none of an operation without a body */
  readonly examples: readonly string[];
}

/** Every operation of a gateway's document, in its order. */
export const documentedBy = async (url: string): Promise<readonly Documented[]> => {
  const { paths } = documentSchema.parse(await (await fetch(`${url}/openapi.json`)).json());
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([
        method,
        {
          operationId,
          tags: [tag],
          parameters,
          requestBody,
        },
      ]) => ({
        operationId,
        tag,
        method: method.toUpperCase(),
        path,
        ids: parameters.flatMap((each) => (each.in === "path" ? (each.name ?? []) : [])),
        examples: Object.keys(requestBody?.content["application/json"].examples ?? {}),
      }),
    ),
  );
};
