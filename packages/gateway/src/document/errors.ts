import { ERRORS, type ErrorCode } from "@conclave/custody";
import { type ApiDocument, type ApiResponse, operationsIn } from "./types.ts";

const REQUEST_ID = "0b1e9f0c-7c55-4f0e-9a7e-0f5d2b6c8f11";

/** The component of each status, and the code that it shows. */
const SHOWN: Readonly<Record<string, { readonly name: string; readonly code: ErrorCode }>> = {
  400: { name: "BadRequest", code: "InvalidBody" },
  401: { name: "Unauthorized", code: "TokenInvalid" },
  403: { name: "Forbidden", code: "PermissionMissing" },
  404: { name: "NotFound", code: "WalletNotFound" },
  409: { name: "Conflict", code: "ExternalIdConflict" },
  413: { name: "BodyTooLarge", code: "BodyTooLarge" },
  415: { name: "UnsupportedMediaType", code: "UnsupportedContentType" },
  422: { name: "Unprocessable", code: "FeeAboveCap" },
  429: { name: "TooMany", code: "RateLimited" },
  503: { name: "Unavailable", code: "ServiceUnavailable" },
};

/** The body of an answer with this error. */
const exampleOf = (code: ErrorCode) => {
  const { status, message, remedy } = ERRORS[code];
  return { error: { id: REQUEST_ID, status, message, details: { code, remedy } }, message };
};

/**
 * Moves each error response into a component, so that the document has it once, with an example and a link to its
 * codes. An operation that describes a status differently keeps its own description.
 */
export const gatherErrors = (document: ApiDocument): void => {
  const gathered: Record<string, ApiResponse> = {};
  for (const { operation } of operationsIn(document)) {
    for (const [status, answer] of Object.entries(operation.responses ?? {})) {
      const name = SHOWN[status]?.name;
      if (name === undefined || "$ref" in answer) continue;
      const first = gathered[name];
      if (first !== undefined && first.description !== answer.description) continue;
      gathered[name] ??= answer;
      operation.responses = { ...operation.responses, [status]: { $ref: `#/components/responses/${name}` } };
    }
  }
  for (const [status, { name, code }] of Object.entries(SHOWN)) {
    const answer = gathered[name];
    if (answer === undefined) continue;
    answer.description += `. [Its codes](/docs/guides/errors#${status})`;
    const media = answer.content?.["application/json"];
    if (media !== undefined) media.example = exampleOf(code);
  }
  document.components = {
    ...document.components,
    responses: { ...document.components?.responses, ...gathered },
  };
};
