import { z } from "zod";
import { type Schema, schemaSchema } from "./schema-values.ts";

const METHODS = ["get", "post", "put", "delete"] as const;

const parameterSchema = z.looseObject({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  schema: schemaSchema,
});

const operationSchema = z.looseObject({
  operationId: z.string(),
  // a referenced parameter is the header of user actions
  parameters: z
    .array(z.union([z.looseObject({ $ref: z.string() }).transform(() => undefined), parameterSchema]))
    .default([])
    .transform((parameters) => parameters.filter((each) => each !== undefined)),
  requestBody: z
    .looseObject({ content: z.looseObject({ "application/json": z.looseObject({ schema: schemaSchema }) }) })
    .optional(),
});

const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.looseObject({ schemas: z.record(z.string(), schemaSchema).default({}) }),
});

/** The parts of an operation of the document that a maker of requests needs. */
export interface FuzzedOperation {
  readonly method: string;
  /** with {names} of parameters */
  readonly path: string;
  readonly id: string;
  readonly parameters: readonly { readonly name: string; readonly schema: Schema }[];
  readonly query: readonly { readonly name: string; readonly schema: Schema }[];
  readonly body: Schema | undefined;
}

export interface OperationsDocument {
  readonly operations: readonly FuzzedOperation[];
  /** the document's components, by name */
  readonly schemas: ReadonlyMap<string, Schema>;
}

/** The operations of an OpenAPI document. */
export const operationsOf = (document: unknown): OperationsDocument => {
  const { paths, components } = documentSchema.parse(document);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      if (methods[method] === undefined) return [];
      const { operationId, parameters, requestBody } = operationSchema.parse(methods[method]);
      return [
        {
          method: method.toUpperCase(),
          path,
          id: operationId,
          parameters: parameters.filter((each) => each.in === "path"),
          query: parameters.filter((each) => each.in === "query"),
          body: requestBody?.content["application/json"].schema,
        },
      ];
    }),
  );
  return { operations, schemas: new Map(Object.entries(components.schemas)) };
};
