import { ERRORS } from "@conclave/custody";
import { type ApiDocument, type ApiResponse, operationsIn } from "./types.ts";

const REQUEST_ID = "0b1e9f0c-7c55-4f0e-9a7e-0f5d2b6c8f11";

const NAMES: Readonly<Record<string, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  413: "BodyTooLarge",
  415: "UnsupportedMediaType",
  422: "Unprocessable",
  429: "TooMany",
  501: "NotServed",
  503: "Unavailable",
};

/** An answer with this status, as one code of it looks. */
const exampleOf = (status: string): unknown => {
  const found = Object.entries(ERRORS).find(
    ([, { kind, status: own }]) => String(own) === status && (kind === "refusal" || kind === "outage"),
  );
  if (found === undefined) return undefined;
  const [code, { message, remedy }] = found;
  const error = { id: REQUEST_ID, status: Number(status), message, details: { code, remedy } };
  return { error, message };
};

/**
 * Moves what every operation says of an error into a component, so that it stands in the document once, with an example and the place of its codes. An
 * operation that says something else of a status keeps its own words.
 */
export const gatherErrors = (document: ApiDocument): void => {
  const gathered: Record<string, ApiResponse> = {};
  for (const { operation } of operationsIn(document)) {
    for (const [status, answer] of Object.entries(operation.responses ?? {})) {
      const name = NAMES[status];
      if (name === undefined || "$ref" in answer) continue;
      const first = gathered[name];
      if (first !== undefined && first.description !== answer.description) continue;
      gathered[name] ??= answer;
      operation.responses = { ...operation.responses, [status]: { $ref: `#/components/responses/${name}` } };
    }
  }
  for (const [status, name] of Object.entries(NAMES)) {
    const answer = gathered[name];
    if (answer === undefined) continue;
    answer.description += `. [Its codes](/docs/guides/errors#${status})`;
    const media = answer.content?.["application/json"];
    if (media !== undefined) media.example = exampleOf(status);
  }
  document.components = {
    ...document.components,
    responses: { ...document.components?.responses, ...gathered },
  };
};
