import {
  type ApiDocument,
  type ApiSchema,
  alternativesOf,
  inline,
  jsonOf,
  operationsIn,
  type SchemaOrReference,
} from "./types.ts";

const childrenOf = (schema: ApiSchema): readonly (readonly [string, SchemaOrReference | undefined])[] => [
  ...alternativesOf(schema).map((each) => [`<${inline(each)?.title ?? ""}>`, each] as const),
  ["[]", schema.items],
  ...(typeof schema.additionalProperties === "object" ? [["{}", schema.additionalProperties] as const] : []),
];

const gapsOf = (schema: ApiSchema | undefined, place: string, document: ApiDocument): readonly string[] => {
  if (schema === undefined) return [];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
      ...(property.description === undefined ? [`${place}.${name}`] : []),
      ...gapsOf(inline(property), `${place}.${name}`, document),
    ]),
    ...childrenOf(schema).flatMap(([name, each]) => gapsOf(inline(each), `${place}${name}`, document)),
  ];
};

/**
 * The gaps of a document, by place: properties and parameters without a description, bodies without an example,
 * sections and components without an introduction.
 */
export const gapsIn = (document: ApiDocument): readonly string[] => [
  ...(document.tags ?? []).flatMap(({ name, description }) =>
    description === undefined ? [`tag ${name}`] : [],
  ),
  ...Object.entries(document.components?.schemas ?? {}).flatMap(([name, schema]) => [
    ...(schema.description === undefined ? [`component ${name}`] : []),
    ...gapsOf(inline(schema), name, document),
  ]),
  ...operationsIn(document).flatMap(({ operation }) => {
    const { operationId = "", parameters = [], requestBody, responses = {} } = operation;
    const media =
      requestBody === undefined || "$ref" in requestBody
        ? undefined
        : requestBody.content["application/json"];
    return [
      ...(operation.summary === undefined ? [`${operationId}: summary`] : []),
      ...parameters.flatMap((each) =>
        "$ref" in each || each.description !== undefined ? [] : [`${operationId}: ${each.name}`],
      ),
      ...parameters.flatMap((each) =>
        "$ref" in each || each.in !== "path" || each.example !== undefined
          ? []
          : [`${operationId}: example of ${each.name}`],
      ),
      ...(media !== undefined && media.examples === undefined ? [`${operationId}: example of the body`] : []),
      ...gapsOf(inline(media?.schema), `${operationId} body`, document),
      ...Object.entries(responses).flatMap(([status, each]) =>
        gapsOf(inline(jsonOf("$ref" in each ? undefined : each)), `${operationId} ${status}`, document),
      ),
    ];
  }),
];
