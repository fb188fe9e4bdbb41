import type { OpenAPIHono } from "@hono/zod-openapi";
import type { GatewayEnv } from "../dependencies.ts";

/** The document as the generator makes it from the code. */
export type ApiDocument = ReturnType<OpenAPIHono<GatewayEnv>["getOpenAPI31Document"]>;
type Components = NonNullable<ApiDocument["components"]>;
/** A schema of the document, or a reference to one. */
export type SchemaOrReference = NonNullable<Components["schemas"]>[string];
export type ApiSchema = Exclude<SchemaOrReference, { readonly $ref: string }>;
type Methods = NonNullable<ApiDocument["paths"]>[string];
export type ApiOperation = NonNullable<Methods["get"]>;
type ResponseOrReference = NonNullable<Components["responses"]>[string];
export type ApiResponse = Exclude<ResponseOrReference, { readonly $ref: string }>;

const METHODS = ["get", "post", "put", "delete"] as const;
export type ApiMethod = (typeof METHODS)[number];

export interface PlacedOperation {
  readonly method: ApiMethod;
  readonly path: string;
  readonly operation: ApiOperation;
}

/** The operations of a document, in its order. */
export const operationsIn = ({ paths }: ApiDocument): readonly PlacedOperation[] =>
  Object.entries(paths ?? {}).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method];
      return operation === undefined ? [] : [{ method, path, operation }];
    }),
  );

/** A schema itself; undefined for a reference. */
export const inline = (schema: SchemaOrReference | undefined): ApiSchema | undefined =>
  schema === undefined || "$ref" in schema ? undefined : schema;

/** The alternatives or parts of a schema. */
export const alternativesOf = ({ oneOf, anyOf, allOf }: ApiSchema): readonly SchemaOrReference[] => [
  ...(oneOf ?? []),
  ...(anyOf ?? []),
  ...(allOf ?? []),
];

/** The schema of the JSON body of a request or an answer. */
export const jsonOf = (
  holder:
    | { readonly content?: Record<string, { schema?: SchemaOrReference }> }
    | { readonly $ref: string }
    | undefined,
): SchemaOrReference | undefined =>
  holder === undefined || "$ref" in holder ? undefined : holder.content?.["application/json"]?.schema;
